import { getPriority } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
});
afterAll(() => t.close());

it('the embedded database makes way for whoever answers requests, and not for heavy work', async () => {
  const [row] = await t.deps.connections.system<{ pid: number }[]>`select pg_backend_pid() as pid`;
  expect(getPriority(row?.pid ?? 0)).toBe(Math.min(19, getPriority() + 5));
});
