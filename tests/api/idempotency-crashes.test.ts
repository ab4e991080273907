import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { operations, requestOf, unknownIds, type Operation } from '../security/operations.ts';
import { createNamed, namesOf } from '../security/resources.ts';

/**
 * Where a process may die that works under an `Idempotency-Key`. Its connection dies with it, which is what Postgres sees
 * of a crash: here a trigger ends the session, once.
 */
const points = {
  /** What it does is written, and nothing of how it is answered. */
  receipt: `create trigger crash before insert or update on idempotency_keys for each row
            when (new.status is not null) execute function crash_once()`,
  /** All is written, and nothing is committed. */
  commit: `create constraint trigger crash after insert or update on idempotency_keys deferrable initially deferred
           for each row when (new.status is not null or new.is_carried_out) execute function crash_once()`,
};

/** What they answer with is shown once, and never written. */
const secrets = new Set(['POST /webhooks', 'POST /webhooks/{id}/rotate-secret']);
const posts = operations.filter(({ rest, own }) => rest?.startsWith('POST') && own < 300);

let t: TestApp;
let superuser: Sql;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false, env: { LOG_LEVEL: 'silent' } });
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  await superuser.unsafe(`
    create sequence crashes;
    create function crash_once() returns trigger language plpgsql security definer as $$
    begin
      if nextval('crashes') = 1 then perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10); end if;
      return new;
    end $$;`);
});
afterEach(() => superuser.unsafe(`drop trigger if exists crash on idempotency_keys; alter sequence crashes restart`));
afterAll(async () => {
  await superuser.end();
  await t.close();
});

/** All rows of the organization, by table: what a request leaves behind. */
async function rowsOf({ orgId }: TestMember): Promise<Record<string, number>> {
  const tables = await superuser<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'org_id' and table_name <> 'uploads' order by table_name`;
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::int from ${name} where org_id = '${orgId}'`,
  );
  const rows = await superuser.unsafe<{ name: string; count: number }[]>(counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

async function left(owner: TestMember, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await rowsOf(owner);
  await work();
  const after = await rowsOf(owner);
  const grown = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, count]) => count !== 0));
}

async function prepare(operation: Operation): Promise<{ owner: TestMember; request: InjectOptions }> {
  const owner = await t.createOrg();
  const ids = await createNamed(t, owner, { ...unknownIds(), orgId: owner.orgId }, namesOf(operation));
  const request = requestOf(operation, 'rest', ids);
  return { owner, request: { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } } };
}

describe.each(posts)('$rest', (operation) => {
  it('that died at any point is answered under its key, and done once', async () => {
    const reference = await prepare(operation);
    const once = await left(reference.owner, async () => {
      expect((await t.as(reference.owner, reference.request)).status).toBe(operation.own);
    });
    const isSecret = secrets.has(operation.rest ?? '');
    for (const [point, trigger] of Object.entries(points)) {
      if (isSecret && point === 'receipt') continue;
      const { owner, request } = await prepare(operation);
      await superuser.unsafe(`alter sequence crashes restart; ${trigger}`);
      const rows = await left(owner, async () => {
        await t.as(owner, request);
        const answer = await t.as(owner, request);
        expect([point, answer.status]).toEqual([point, operation.own]);
        const again = await t.as(owner, request);
        const replayed = { status: operation.own, body: answer.body, headers: { 'idempotent-replayed': 'true' } };
        expect(again).toMatchObject(isSecret ? { status: 409 } : replayed);
      });
      expect([point, rows]).toEqual([point, once]);
      await superuser.unsafe('drop trigger crash on idempotency_keys');
    }
  });
});
