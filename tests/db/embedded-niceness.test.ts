import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { niceness, sessionNiceness } from '../../src/lib/niceness.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
});
afterAll(() => t.close());

it('the embedded database makes way for whoever answers requests, and not for heavy work', async () => {
  const [row] = await t.deps.connections.system<{ pid: number }[]>`select pg_backend_pid() as pid`;
  expect(getPriority(row?.pid ?? 0)).toBe(Math.min(19, getPriority() + niceness.database));
  expect(niceness.database).toBeLessThan(niceness.heavyWork);
});

it.runIf(process.platform === 'linux')(
  'each connection makes way among sessions, too, soon after it is made',
  async () => {
    const [row] = await t.deps.connections.system<{ pid: number }[]>`select pg_backend_pid() as pid`;
    // Where sessions do not share the processors out, there is nothing to lower.
    const session = () => readFile(`/proc/${row?.pid}/autogroup`, 'utf8').catch(() => `nice ${sessionNiceness}`);
    await expect.poll(session, { timeout: 45_000, interval: 200 }).toMatch(new RegExp(`nice ${sessionNiceness}\\b`));
  },
);
