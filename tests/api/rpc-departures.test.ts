import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

/** Clients that leave while their answer is being made. */
let t: TestApp;
let owner: TestMember;
let superuser: Sql;
let port: number;
const logged: string[] = [];

beforeAll(async () => {
  const log = new Writable({
    write(line, _encoding, done) {
      logged.push(String(line));
      done();
    },
  });
  t = await createTestApp({ runPipeline: false, log });
  owner = await t.createOrg();
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 3 });
  port = Number(new URL(await t.listen()).port);
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

const tries = { timeout: 30_000, interval: 20 };

async function waiters(): Promise<number> {
  const rows = await superuser`select from pg_locks where relation = 'analyses'::regclass and not granted`;
  return rows.length;
}

async function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    t.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

async function ask(request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // A coded answer takes its time after the work is done.
  const headers = Object.entries({ host: 'localhost', 'accept-encoding': 'br', ...owner.headers });
  socket.write(`${request} HTTP/1.1\r\n${headers.map((pair) => pair.join(': ')).join('\r\n')}\r\n\r\n`);
  return socket;
}

const inputOf = (json: unknown) => `input=${encodeURIComponent(JSON.stringify({ json }))}`;
describe('a client that leaves before its answer over RPC', () => {
  it.each([
    ['of a procedure with long answers', (id: string) => `analyses.get?${inputOf({ id })}`],
    ['of any other procedure', () => `analyses.list?${inputOf({ minScore: 0 })}`],
  ])('has the work done once, and nothing sent twice: %s', async (_kind, addressOf) => {
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
    const address = addressOf(await seedAnalysis(t, owner, { recordId, summary: 'long '.repeat(1000) }));
    logged.length = 0;
    let second: Promise<unknown> = Promise.resolve();
    await superuser.begin(async (tx) => {
      await tx`lock table analyses in access exclusive mode`;
      const socket = await ask(`GET /api/trpc/${address}`);
      await expect.poll(waiters, tries).toBe(1);
      socket.destroy();
      await expect.poll(connections, tries).toBe(0);
      // Gets the table when the first work is done: whoever worked again would wait while others are answered.
      second = superuser.begin(async (after) => {
        await after`lock table analyses in access exclusive mode`;
        for (let turn = 0; turn < 5; turn += 1) {
          expect(await t.as(owner, { url: '/api/v1/webhooks' })).toMatchObject({ status: 200 });
        }
        expect(await waiters()).toBe(0);
      });
      await expect.poll(waiters, tries).toBe(2);
    });
    await second;
    expect(await t.as(owner, { url: `/api/trpc/${address}` })).toMatchObject({ status: 200 });
    expect(logged).toEqual([]);
  });
});
