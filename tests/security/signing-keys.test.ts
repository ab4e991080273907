import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSigningKeys, type SigningKeys } from '../../src/auth/signing-keys.ts';

let fetched: LocalJWKSet[];
let failure: Error | undefined;
let attempts: number;
let keys: SigningKeys;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  fetched = [];
  failure = undefined;
  attempts = 0;
  keys = createSigningKeys({
    async fetchKeys() {
      attempts += 1;
      if (failure) throw failure;
      const set = createLocalJWKSet({ keys: [] });
      fetched.push(set);
      return set;
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('fetches for an unknown key once a minute, and for the first one after that minute', async () => {
  const first = await keys.current();
  const second = await keys.newer(first);
  expect(second).toBe(fetched[1]);
  // Whoever has looked into the older ones gets those that are there.
  expect(await keys.newer(first)).toBe(second);
  for (let second = 0; second < 59; second += 1) {
    pass(1);
    expect(await keys.newer(await keys.current())).toBeNull();
  }
  pass(1.1);
  expect(await keys.newer(await keys.current())).toBe(fetched[2]);
  expect(attempts).toBe(3);
});

it('asks a provider that is down every five seconds at most, and again as soon as it may', async () => {
  const first = await keys.current();
  failure = new Error('down');
  for (let request = 0; request < 100; request += 1) await expect(keys.newer(first)).rejects.toThrow('down');
  expect(attempts).toBe(2);
  failure = undefined;
  await expect(keys.newer(first)).rejects.toThrow('down');
  pass(5.1);
  expect(await keys.newer(first)).toBe(fetched[1]);
});

it('lets nobody wait for newer keys while those that are there are usable', async () => {
  const first = await keys.current();
  pass(9 * 60);
  expect(await keys.current()).toBe(first);
  expect(attempts).toBe(1);
  pass(2 * 60);
  expect(await keys.current()).toBe(first);
  await settle();
  expect(await keys.current()).toBe(fetched[1]);
  pass(2 * 3600);
  expect(await keys.current()).toBe(fetched[2]);
});

it('uses the keys that it has for as long as the provider is away', async () => {
  const first = await keys.current();
  failure = new Error('down');
  for (const hours of [1, 12, 24]) {
    pass(hours * 3600);
    expect(await keys.current()).toBe(first);
  }
});
