import { afterEach, beforeEach, vi } from 'vitest';

/** An unexpected console.error fails its test. A test that expects one asserts it on the spy and clears it. */
beforeEach(() => {
  vi.spyOn(console, 'error');
});

afterEach(() => {
  const spy = vi.spyOn(console, 'error');
  const calls = spy.mock.calls.map((parts) => parts.map(String).join(' '));
  spy.mockRestore();
  if (calls.length > 0) throw new Error(`console.error was called:\n${calls.join('\n')}`);
});
