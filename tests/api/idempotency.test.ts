import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { connect, type Connections } from '../../src/db/client.ts';
import { isDatabaseDown } from '../../src/db/failures.ts';
import { claimKey, keepAnswer, removeExpiredKeys } from '../../src/db/idempotency-keys.ts';
import { createDatabase, type Database } from '../../src/db/scope.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { buildOpenApiDocument } from '../../src/http/openapi/document.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';
import { formBytes, formType, leftovers, wavHeader } from './upload-support.ts';

const api = '/api/v1';
let t: TestApp;
let owner: TestMember;
let superuser: Sql;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  superuser = postgres(t.deps.config.DATABASE_URL ?? '', { max: 1, onnotice: () => {} });
  owner = await t.createOrg();
});
afterAll(async () => {
  await superuser.end();
  await t.close();
});

type Keyed = {
  key: string;
  payload?: object | string;
  url?: string;
  as?: TestMember;
  headers?: Record<string, string>;
};

function post({ key, payload = { name: key }, url = '/projects', as = owner, headers = {} }: Keyed) {
  const request: InjectOptions = { method: 'POST', url: `${api}${url}`, payload };
  return t.as(as, { ...request, headers: { 'idempotency-key': key, ...headers } });
}

async function projectsNamed(name: string): Promise<number> {
  const { body } = await t.as(owner, { url: `${api}/projects?pageSize=100` });
  return body.data.filter((project: { name: string }) => project.name === name).length;
}

const wav = (fill: number) => Buffer.concat([wavHeader(8_044), Buffer.alloc(8_000, fill)]);

function upload(key: string, { bytes = wav(0), agentName = 'Ann' } = {}) {
  const parts = [
    { name: 'file', fileName: 'a.wav', content: bytes },
    { name: 'metadata', content: JSON.stringify({ agentName }) },
    { name: 'projectId', content: owner.projectId },
  ];
  return post({ key, url: '/records/upload', payload: formBytes(parts), headers: { 'content-type': formType } });
}

const conflict = (words: RegExp) => ({
  status: 409,
  body: { error: { code: 'CONFLICT', message: expect.stringMatching(words) } },
});
const replayed = { 'idempotent-replayed': 'true' };

describe('the same request under the same key', () => {
  it('gets the first answer again, and nothing is made twice', async () => {
    const key = randomUUID();
    const first = await post({ key });
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const again = await post({ key });
    expect(again).toMatchObject({ status: 201, body: first.body, headers: replayed });
    expect(again.headers['location']).toBe(first.headers['location']);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await projectsNamed(key)).toBe(1);
  });

  it('is the same in whatever order its JSON comes', async () => {
    const key = randomUUID();
    const json = { 'content-type': 'application/json' };
    await post({ key, payload: `{"name":"${key}","settings":{"redactPii":true,"retentionDays":9}}`, headers: json });
    const payload = `{ "settings": {"retentionDays":9, "redactPii":true}, "name":"${key}"}`;
    expect(await post({ key, payload, headers: json })).toMatchObject({ status: 201, headers: replayed });
  });

  it('holds for every kind of POST: ingest, retry, invite', async () => {
    const ingest = {
      key: randomUUID(),
      url: '/records/ingest',
      payload: { externalId: randomUUID(), projectId: owner.projectId, recordingUrl: 'https://a.example/1.wav' },
    };
    const first = await post(ingest);
    expect(first.status).toBe(202);
    // Without the key it would be 200: the call is known by its external id.
    expect(await post(ingest)).toMatchObject({ status: 202, body: first.body, headers: replayed });
    const invite = { key: randomUUID(), url: '/users/invite', payload: { email: 'new@example.com', role: 'agent' } };
    expect(await post(invite)).toMatchObject({ status: 201 });
    expect(await post(invite)).toMatchObject({ status: 201, headers: replayed });
    expect(await post({ ...invite, key: randomUUID() })).toMatchObject({ status: 409 });
  });

  it('repeats a refusal that came of the work itself', async () => {
    const key = randomUUID();
    const taken = { key, payload: { name: `taken ${key}` } };
    const made = await t.as(owner, { method: 'POST', url: `${api}/projects`, payload: taken.payload });
    const refused = await post(taken);
    expect(refused.status).toBe(409);
    await t.as(owner, { method: 'DELETE', url: String(made.headers['location']) });
    expect(await post(taken)).toMatchObject({ status: 409, body: refused.body, headers: replayed });
    expect(await post({ ...taken, key: randomUUID() })).toMatchObject({ status: 201 });
  });

  it('may be put right when it was refused before the work began', async () => {
    const key = randomUUID();
    expect(await post({ key, payload: { name: '' } })).toMatchObject({ status: 400 });
    expect(await post({ key })).toMatchObject({ status: 201 });
    const agent = await t.addMember(owner, 'agent');
    const other = randomUUID();
    expect(await post({ key: other, as: agent })).toMatchObject({ status: 403 });
    expect(await post({ key: other, as: agent, payload: { name: 'x' } })).toMatchObject({ status: 403 });
  });
});

describe('another request under the same key', () => {
  it('is 409 by its body, its address or its query', async () => {
    const key = randomUUID();
    await post({ key });
    expect(await post({ key, payload: { name: 'another' } })).toMatchObject(conflict(/another request/));
    expect(await post({ key, url: '/projects?x=1' })).toMatchObject(conflict(/another request/));
    const invite = { email: 'b@example.com', role: 'agent' };
    expect(await post({ key, url: '/users/invite', payload: invite })).toMatchObject(conflict(/another request/));
    expect(await projectsNamed('another')).toBe(0);
  });

  it('is fine for another organization, another user and another token', async () => {
    const key = randomUUID();
    await post({ key });
    const stranger = await t.createOrg();
    expect(await post({ key, payload: { name: 'theirs' }, as: stranger })).toMatchObject({ status: 201 });
    const admin = await t.addMember(owner, 'admin');
    expect(await post({ key, payload: { name: `admin ${key}` }, as: admin })).toMatchObject({ status: 201 });
    const { token } = await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      issueToken(tx, owner.userId, { name: 'second', expiresAt: null }),
    );
    const second = { ...owner, headers: { ...owner.headers, authorization: `Bearer ${token}` } };
    expect(await post({ key, payload: { name: `second ${key}` }, as: second })).toMatchObject({ status: 201 });
  });
});

describe('the key', () => {
  it('has 1 to 255 characters', async () => {
    for (const key of ['', 'x'.repeat(256)]) {
      const answer = await post({ key, payload: { name: `bad ${key.length}` } });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'headers.Idempotency-Key' }] } },
      });
      expect((await upload(key)).status).toBe(400);
    }
    expect(await post({ key: 'x'.repeat(255), payload: { name: 'long key' } })).toMatchObject({ status: 201 });
  });

  it('does not spare anybody the checks before it', async () => {
    const key = randomUUID();
    await post({ key });
    const { headers } = await t.createOrg();
    const stranger = { ...owner, headers: { ...headers, 'x-selected-org-id': owner.orgId } };
    expect(await post({ key, as: stranger })).toMatchObject({ status: 403 });
    const answer = await t.app.inject({ method: 'POST', url: `${api}/projects`, headers: { 'idempotency-key': key } });
    expect(answer.statusCode).toBe(401);
  });

  it('goes with a body that nobody could store or walk through', async () => {
    const json = { 'content-type': 'application/json' };
    for (const payload of [`{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, '{"name":"a\\u0000"}', '[]', '']) {
      expect((await post({ key: randomUUID(), payload, headers: json })).status).toBe(400);
    }
  });
});

describe('an upload', () => {
  it('is repeated by its parts and the bytes of its file, and leaves one recording', async () => {
    const key = randomUUID();
    const before = await leftovers(t);
    const first = await upload(key);
    expect(first.status).toBe(201);
    expect(await upload(key)).toMatchObject({ status: 201, body: first.body, headers: replayed });
    expect(await upload(key, { bytes: wav(1) })).toMatchObject(conflict(/another request/));
    expect(await upload(key, { agentName: 'Ben' })).toMatchObject(conflict(/another request/));
    const after = await leftovers(t);
    expect(after).toEqual({ ...before, records: before.records + 1, files: before.files + 1 });
  });

  it('runs once of ten at the same time', async () => {
    const key = randomUUID();
    const before = await leftovers(t);
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload(key)));
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
    expect(new Set(made).size).toBe(1);
    expect(await leftovers(t)).toMatchObject({ records: before.records + 1, files: before.files + 1 });
  });
});

describe('concurrent duplicates', () => {
  it('never run twice: one works, the others are told to wait', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ key })));
    const fresh = answers.filter(({ status, headers }) => status === 201 && !('idempotent-replayed' in headers));
    expect(fresh).toHaveLength(1);
    for (const { status, headers } of answers.filter((answer) => answer.status !== 201)) {
      expect(status).toBe(409);
      expect(headers['retry-after']).toBe('1');
    }
    expect(await projectsNamed(key)).toBe(1);
    expect(await post({ key })).toMatchObject({ status: 201, headers: replayed });
  });
});

describe('a request that failed', () => {
  it('for a reason of ours may be sent again under its key', async () => {
    const { db } = t.deps.services;
    let failures = 1;
    const breaking: Database = {
      ...db,
      together: (orgId, work) =>
        db.together(orgId, async (part, tx) => {
          const result = await work(part, tx);
          if (failures-- > 0) throw new Error('the disk is full');
          return result;
        }),
    };
    const services = { ...t.deps.services, db: breaking };
    const app = await buildApp({ ...t.deps, log: createLogger('silent'), services });
    const key = randomUUID();
    const request: InjectOptions = {
      method: 'POST',
      url: `${api}/projects`,
      headers: { ...owner.headers, 'idempotency-key': key },
      payload: { name: key },
    };
    expect((await app.inject(request)).statusCode).toBe(500);
    expect(await projectsNamed(key)).toBe(0);
    const again = await app.inject(request);
    expect(again.statusCode).toBe(201);
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
    await app.close();
  });

  it('for a reason that passes is done under its key once that has passed', async () => {
    const { orgId } = owner;
    const [recordId = ''] = await seedRecords(t, owner, [{ projectId: owner.projectId, status: 'processing' }]);
    const set = (status: string) =>
      t.deps.services.db.withOrg(orgId, (tx) =>
        tx.execute(`update records set status = '${status}' where id = '${recordId}'`),
      );
    const retry = { key: randomUUID(), url: `/records/${recordId}/retry`, payload: {} };
    const refused = await post(retry);
    expect(refused.status).toBe(409);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await set('failed');
    const done = await post(retry);
    expect(done.status).toBe(200);
    expect(done.headers).not.toHaveProperty('idempotent-replayed');
    expect(await post(retry)).toMatchObject({ status: 200, body: done.body, headers: replayed });
  });

  it('for want of budget is done under its key once there is some', async () => {
    const poor = await t.createOrg();
    const budget = (budgetLimit: number) =>
      t.as(poor, { method: 'PATCH', url: `${api}/billing/budget/${poor.orgId}`, payload: { budgetLimit } });
    expect((await budget(0)).status).toBe(200);
    const recordingUrl = 'https://a.example/1.wav';
    const payload = { externalId: randomUUID(), projectId: poor.projectId, recordingUrl };
    const ingest = { key: randomUUID(), url: '/records/ingest', payload, as: poor };
    expect((await post(ingest)).status).toBe(402);
    expect((await budget(100)).status).toBe(200);
    const done = await post(ingest);
    expect(done.status).toBe(202);
    expect(await post(ingest)).toMatchObject({ status: 202, body: done.body, headers: replayed });
  });
});

describe('a process that dies', () => {
  const request = (key: string, fingerprint = 'a') => ({ client: 'tok_x', key, fingerprint });
  const { promise: never } = Promise.withResolvers<void>();

  /** Claims the key as a process does, and gives how to kill that. */
  async function claimed(key: string, connections: Connections): Promise<() => Promise<void>> {
    const { promise: pid, resolve } = Promise.withResolvers<number>();
    const db = createDatabase(connections);
    const working = db.together(owner.orgId, async (_db, tx) => {
      expect(await claimKey(tx, request(key))).toEqual({ kind: 'free' });
      const [row] = await tx.execute<{ pid: number }>('select pg_backend_pid() as pid');
      resolve(row?.pid ?? 0);
      await never;
    });
    const ended = working.then(
      () => 'committed',
      () => 'lost',
    );
    const worker = await pid;
    return async () => {
      await superuser`select pg_terminate_backend(${worker})`;
      expect(await ended).toBe('lost');
    };
  }

  const find = (key: string, fingerprint?: string) =>
    t.deps.services.db.withOrg(owner.orgId, (tx) => claimKey(tx, request(key, fingerprint)));

  it('in the middle of its work lets go of the key at once', async () => {
    const connections = connect({ url: t.deps.config.DATABASE_URL ?? '', poolSizeMax: 2 });
    const key = randomUUID();
    const kill = await claimed(key, connections);
    expect(await find(key)).toEqual({ kind: 'running' });
    await kill();
    await expect.poll(() => find(key)).toEqual({ kind: 'free' });
    await connections.close();
  });

  it('of the release before leaves the key under its lease, and then free or carried out', async () => {
    const leased = async (key: string, isCarriedOut: boolean) =>
      superuser`
        insert into idempotency_keys (org_id, client, key, fingerprint, lease, leased_until, is_carried_out, expires_at)
        values (${owner.orgId}, 'tok_x', ${key}, 'a', 'x', now() + interval '1 minute', ${isCarriedOut},
                now() + interval '1 day')`;
    const [begun, done] = [randomUUID(), randomUUID()];
    await leased(begun, false);
    await leased(done, true);
    expect(await Promise.all([find(begun), find(begun, 'b'), find(done)])).toEqual([
      { kind: 'running' },
      { kind: 'different' },
      { kind: 'running' },
    ]);
    const answer = { status: 201, location: null, body: '{}' };
    const keep = (key: string) => t.deps.services.db.withOrg(owner.orgId, (tx) => keepAnswer(tx, request(key), answer));
    expect(await keep(begun)).toBe(false);
    await superuser`update idempotency_keys set leased_until = now() where key in (${begun}, ${done})`;
    expect(await find(begun)).toEqual({ kind: 'free' });
    expect(await find(done)).toEqual({ kind: 'withheld' });
    expect([await keep(begun), await keep(done)]).toEqual([true, false]);
    expect(await find(begun)).toEqual({ kind: 'answered', answer });
  });
});

describe('the transaction of a keyed request', () => {
  it('takes back what was done in a scope that failed, and in a refused request all of it', async () => {
    const { db } = t.deps.services;
    const name = randomUUID();
    const insert = (part: Database, suffix: string) =>
      part.withOrg(owner.orgId, (tx) =>
        tx.execute(
          `insert into projects (id, org_id, name, profile_id) select '${newId('project')}', org_id, '${name}${suffix}', profile_id from projects where id = '${owner.projectId}'`,
        ),
      );
    const followed: string[] = [];
    await db.together(owner.orgId, async (part) => {
      await insert(part, 'a');
      await expect(insert(part, 'a')).rejects.toMatchObject({ cause: { code: '23505' } });
      await part.afterCommit(async () => void followed.push('b'));
      await Promise.all([insert(part, 'b'), insert(part, 'c')]);
      await expect(
        part.together(owner.orgId, async (inner) => {
          await insert(inner, 'd');
          await inner.afterCommit(async () => void followed.push('d'));
          throw new Error('refused');
        }),
      ).rejects.toThrow('refused');
      expect(followed).toEqual([]);
      await expect(part.withOrg(newId('org'), async () => {})).rejects.toThrow('one organization');
    });
    expect(followed).toEqual(['b']);
    const { body } = await t.as(owner, { url: `${api}/projects?pageSize=100` });
    const names = body.data.map((project: { name: string }) => project.name);
    expect(names.filter((each: string) => each.startsWith(name)).toSorted()).toEqual(
      ['a', 'b', 'c'].map((s) => name + s),
    );
  });

  it.each([
    ['survives the loss of its connection inside a scope', 0],
    ['sends nothing more to a connection that it knows to be lost', 300],
  ])('%s', async (_, afterMs) => {
    const { db } = t.deps.services;
    const lost = db.together(owner.orgId, (part) =>
      part.withOrg(owner.orgId, async (tx) => {
        await tx.execute('select pg_sleep(0)');
        const [row] = await tx.execute<{ pid: number }>('select pg_backend_pid() as pid');
        await superuser`select pg_terminate_backend(${row?.pid ?? 0})`;
        if (afterMs > 0) await setTimeout(afterMs);
        await tx.execute('select pg_sleep(10)');
      }),
    );
    await expect(lost).rejects.toSatisfy(isDatabaseDown);
    expect(await projectsNamed('nobody')).toBe(0);
  });
});

describe('what is kept', () => {
  it('is gone after a day, and swept away', async () => {
    const key = randomUUID();
    await post({ key });
    const { db } = t.deps.services;
    await db.withOrg(owner.orgId, (tx) =>
      tx.execute(`update idempotency_keys set expires_at = now() - interval '1 second' where key = '${key}'`),
    );
    const again = await post({ key, payload: { name: `later ${key}` } });
    expect(again.status).toBe(201);
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
    await db.withOrg(owner.orgId, (tx) =>
      tx.execute(`update idempotency_keys set expires_at = now() - interval '1 second' where key = '${key}'`),
    );
    expect(await removeExpiredKeys(t.deps.connections.system)).toBe(1);
    expect(await removeExpiredKeys(t.deps.connections.system)).toBe(0);
  });

  it('is seen by no other organization, and by no role of the service before it has expired', async () => {
    await post({ key: randomUUID() });
    const stranger = await t.createOrg();
    const count = 'select count(*)::int as count from idempotency_keys';
    const seen = await t.deps.services.db.withOrg(stranger.orgId, (tx) => tx.execute(count));
    expect(seen[0]).toEqual({ count: 0 });
    expect((await t.deps.connections.system.unsafe(count))[0]).toEqual({ count: 0 });
  });

  it('is no secret: such an answer is given once', async () => {
    const webhook = { url: 'https://hooks.example/in', events: ['record.completed'] };
    const create = { key: randomUUID(), url: '/webhooks', payload: webhook };
    const first = await post(create);
    expect(first.body.data.secret).toMatch(/^whsec_/);
    const again = await post(create);
    expect(again).toMatchObject(conflict(/not shown again/));
    expect(again.headers).not.toHaveProperty('retry-after');
    const rows = await superuser`select body from idempotency_keys`;
    expect(JSON.stringify(rows)).not.toContain('whsec');
    expect((await t.as(owner, { url: `${api}/webhooks` })).body.meta.total).toBe(1);
  });
});

describe('the document', () => {
  it('tells of the key on every POST that needs a credential', () => {
    const { paths = {} } = buildOpenApiDocument({ version: '1.0.0' });
    const posts = Object.entries(paths).flatMap(([path, { post: operation }]) =>
      operation ? [{ path, operation }] : [],
    );
    const without = posts.filter(({ operation }) => !JSON.stringify(operation.parameters).includes('IdempotencyKey'));
    expect(without.map(({ path }) => path)).toEqual(['/embedded/auth', '/integrations/bitrix24/events']);
    expect(posts.length).toBeGreaterThan(10);
  });
});
