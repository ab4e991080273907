import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/db/embedded-cluster.ts';
import { findPostmaster } from '../../src/db/embedded-postmaster.ts';
import { newId } from '../../src/lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { runProgram, startService, type ProgramResult } from '../support/program.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'earshot-admin-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function admin(args: string[], env: Record<string, string> = {}): Promise<ProgramResult> {
  return runProgram('src/admin.ts', args, { DATABASE_URL: database.url, DATA_DIR: folder, ...env });
}

/** The result of a command that must succeed and print one line of JSON and nothing else. */
async function adminJson(args: string[], env: Record<string, string> = {}): Promise<ReturnType<typeof JSON.parse>> {
  const { code, stdout, stderr } = await admin([...args, '--json'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(stdout);
}

/** Each command is a process of its own, and tests share the machine. */
const timeout = 180_000;

describe('admin', { timeout }, () => {
  it('adds to the credits of an organization, and takes what has expired', async () => {
    const { orgId } = await adminJson(['org', 'create', '--name', 'Credited', '--owner', 'cora@example.com']);
    const grant = (amount: string, ...further: string[]) => [
      'credits',
      'grant',
      '--org',
      orgId,
      '--amount',
      amount,
      '--description',
      'First month',
      ...further,
    ];
    expect(await adminJson(grant('100.0001'))).toEqual({
      orgId,
      id: expect.stringMatching(/^crd_/),
      type: 'grant',
      amount: 100.0001,
      balance: 100.0001,
      description: 'First month',
      createdAt: expect.any(String),
    });
    expect(await adminJson(grant('0.5', '--type', 'expiry'))).toMatchObject({ amount: -0.5, balance: 99.5001 });
    const nowhere = ['credits', 'grant', '--org', newId('org'), '--amount', '1', '--description', 'x'];
    expect(await admin(nowhere)).toMatchObject({ code: 1, stdout: '', stderr: 'error: Organization not found.\n' });
  });

  it('redacts calls of a project that asks for it, and of no other', async () => {
    const org = ['org', 'create', '--name', 'Redacted', '--owner', 'rita@example.com'];
    const { orgId, projectId } = await adminJson(org);
    const redact = ['redact', '--org', orgId, '--project', projectId];
    expect(await admin(redact)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('redactPii') });
    const sql = postgres(database.url, { max: 1 });
    await sql`update projects set redact_pii = true where id = ${projectId}`.finally(() => sql.end());
    expect(await adminJson(redact)).toEqual({ orgId, projectId, redacted: 0 });
    expect((await admin(redact)).stdout).toBe('No call is left to redact.\n');
    const nowhere = ['redact', '--org', orgId, '--project', newId('project')];
    expect(await admin(nowhere)).toMatchObject({ code: 1, stderr: 'error: Project not found.\n' });
  });

  it('makes an organization that can be used at once, further members and their tokens', async () => {
    const org = await adminJson(['org', 'create', '--name', 'Acme', '--owner', 'ann@example.com']);
    expect(org).toEqual({
      orgId: expect.stringMatching(/^org_/),
      userId: expect.stringMatching(/^usr_/),
      projectId: expect.stringMatching(/^prj_/),
      token: expect.stringMatching(/^cat_/),
    });
    const bob = ['--email', 'bob@example.com', '--role', 'reviewer', '--project', org.projectId];
    const user = await adminJson(['user', 'add', '--org', org.orgId, ...bob]);
    expect(user).toMatchObject({
      userId: expect.stringMatching(/^usr_/),
      role: 'reviewer',
      projectIds: [org.projectId],
    });
    const its = ['--user', user.userId, '--name', 'CI', '--expires', '2999-01-01'];
    const token = await adminJson(['token', 'create', '--org', org.orgId, ...its]);
    expect(token).toMatchObject({ name: 'CI', expiresAt: '2999-01-01T00:00:00.000Z' });

    await using service = await openService();
    const asked = await Promise.all([service.ask(org.token, org.orgId), service.ask(token.token, org.orgId)]);
    expect(asked).toEqual([
      { get: 200, create: 201 },
      { get: 200, create: 403 },
    ]);
  });

  it('says in words what it has made, the token once', async () => {
    const { code, stdout, stderr } = await admin(['org', 'create', '--name', 'Words', '--owner', 'w@example.com']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Organization\s+org_\w+\nOwner\s+usr_\w+ \(w@example\.com\)\nProject\s+prj_\w+\nToken\s+cat_/,
    );
  });

  it('refuses what cannot be done with a reason and exit code 1, and leaves stdout empty', async () => {
    const { orgId, userId } = await adminJson(['org', 'create', '--name', 'Refusals', '--owner', 'r@example.com']);
    const attempts = [
      { args: ['token', 'create', '--org', newId('org'), '--user', userId], says: 'Member not found.' },
      {
        args: ['user', 'add', '--org', newId('org'), '--email', 'x@example.com', '--role', 'agent'],
        says: 'not found',
      },
      {
        args: ['user', 'add', '--org', orgId, '--email', 'R@example.com', '--role', 'agent'],
        says: 'is a member already',
      },
      { args: ['runs', 'retry', 'run-1'], says: 'There is no failed run run-1.' },
    ];
    const results = await Promise.all(attempts.map(({ args }) => admin([...args, '--json'])));
    expect(results).toEqual(
      attempts.map(({ says }) => ({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^error: .*${says}`)),
      })),
    );
  });

  it.each([
    { args: [], says: 'Usage: admin' },
    { args: ['org', 'create', '--name', 'X'], says: "required option '--owner <email>' not specified" },
    { args: ['org', 'create', '--name', 'X', '--owner', 'nobody'], says: 'error: owner: Invalid email address' },
    {
      args: ['user', 'add', '--org', 'o', '--email', 'a@example.com', '--role', 'king'],
      says: 'Allowed choices are owner',
    },
    { args: ['token', 'create', '--org', 'o', '--user', 'u', '--expires', '2001-01-01'], says: 'a date in the future' },
    { args: ['runs', 'list', '--limit', '0'], says: 'Expected 1 to 1000.' },
    { args: ['nonsense'], says: "unknown command 'nonsense'" },
  ])('answers the mistake in $args with exit code 2, without a database', async ({ args, says }) => {
    const result = await admin(args, { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(result).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  });

  it('says that the database cannot be reached, and why', async () => {
    const result = await admin(['outbox', 'status'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(result).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^error: .*ECONNREFUSED/) });
  });

  it('warns of a misspelt setting, and does what it was asked for', async () => {
    const { code, stdout, stderr } = await admin(['models', 'list', '--json'], { DATA_DIRR: '/elsewhere' });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: DATA_DIRR is not a setting of Earshot and has no effect. Did you mean DATA_DIR?\n',
    });
    expect(JSON.parse(stdout)).toHaveProperty('models');
  });

  it('names every mistake of the configuration', async () => {
    const result = await admin(['outbox', 'status'], { PORT: 'high', DATABASE_POOL_SIZE: '0' });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/PORT: .*\n\s+DATABASE_POOL_SIZE: /);
  });

  it('shows what waits in the outbox, lists runs and starts a failed one again', async () => {
    expect(await adminJson(['outbox', 'status'])).toEqual({ waiting: 0, oldestWaitingAt: null, open: [] });
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    const at = '2026-03-02T09:15:27.041Z';
    await sql`insert into outbox (id, org_id, type, data, created_at) values (${newId('event')}, 'org_x', 'record.deleted', '{}', ${at})`;
    await sql`
      insert into engine_runs (id, function_id, event_id, event, lane, status, error, ended_at) values
        ('run-failed', 'earshot-process-record', 'evt_1', '{"name": "earshot/x", "data": {"orgId": "org_x"}}', 'l', 'failed',
         '{"name": "Error", "message": "The disk is full"}', now()),
        ('run-good', 'earshot-process-record', 'evt_2', '{"name": "earshot/x", "data": {"orgId": "org_x"}}', 'l', 'completed', null, now())`;
    const [outbox, runs, failed, words] = await Promise.all([
      adminJson(['outbox', 'status']),
      adminJson(['runs', 'list']),
      adminJson(['runs', 'list', '--failed']),
      admin(['runs', 'list', '--failed']),
    ]);
    expect(outbox).toEqual({ waiting: 1, oldestWaitingAt: at, open: [] });
    expect(runs).toMatchObject([{ id: 'run-good' }, { id: 'run-failed' }]);
    expect(failed).toMatchObject([
      { id: 'run-failed', orgId: 'org_x', status: 'failed', error: { message: 'The disk is full' } },
    ]);
    expect(words.stdout).toMatch(/^RUN .*\nrun-failed\s+process-record\s+failed\s+\S+\s+org_x\s+The disk is full\n$/);

    expect(await adminJson(['runs', 'retry', 'run-failed'])).toEqual({ id: 'run-failed', status: 'running' });
    const [run] = await sql`select status, error from engine_runs where id = 'run-failed'`;
    expect(run).toEqual({ status: 'running', error: null });
    const again = await admin(['runs', 'retry', 'run-failed']);
    expect(again).toMatchObject({ code: 1, stderr: 'error: There is no failed run run-failed.\n' });

    // An order that the engine took and knows nothing of.
    const orderId = newId('event');
    await sql`insert into outbox (id, org_id, type, data, created_at, dispatched_at, due_at)
      values (${orderId}, 'org_x', 'object.delete.requested', '{}', ${at}, ${at}, now() + interval '1 hour')`;
    const open = [{ type: 'object.delete.requested', open: 1, overdue: 0, oldestAt: at }];
    expect(await adminJson(['outbox', 'status'])).toMatchObject({ waiting: 1, open });
    expect((await admin(['outbox', 'status'])).stdout).toMatch(
      /^1 event waits, since .*\nORDER +OPEN +OVERDUE +OLDEST\nobject\.delete\.requested +1 +0 +2026/,
    );
    expect(await adminJson(['outbox', 'redeliver'])).toEqual({ orders: 1, passes: 0, reanalyses: 0, deliveries: 0 });
    expect(await adminJson(['outbox', 'status'])).toMatchObject({ waiting: 2, open: [] });
    expect((await admin(['outbox', 'redeliver'])).stdout).toMatch(/^No orders are open/);
    await sql.end();
  });

  it('retries the record of a run that has failed it, and says so', async () => {
    const org = await adminJson(['org', 'create', '--name', 'Retries', '--owner', 'retries@example.com']);
    const [recordId, runId] = [newId('record'), 'run-of-record'];
    const data = { orgId: org.orgId, recordId, attempt: 1 };
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    await sql`
      insert into records (org_id, id, project_id, status, source, attempt)
      values (${org.orgId}, ${recordId}, ${org.projectId}, 'failed', 'upload', 1)`;
    await sql`
      insert into engine_runs (id, function_id, event_id, event, lane, status, error, ended_at) values
        (${runId}, 'earshot-process-record', 'evt_3', ${sql.json({ name: 'earshot/record.process.requested', data })}, 'l',
         'failed', '{"name": "Error", "message": "The speech engine is missing"}', now())`;
    const { code, stdout } = await admin(['runs', 'retry', runId]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `The record of run ${runId} has failed: ${recordId} will be processed again, in a new run, as soon as the service runs.\n`,
    });
    const [record] = await sql`select status, attempt from records where id = ${recordId}`;
    expect(record).toEqual({ status: 'pending', attempt: 2 });
    const orders = await sql`select data from outbox where type = 'record.process.requested' and org_id = ${org.orgId}`;
    expect(orders).toEqual([{ data: { recordId, attempt: 2 } }]);
    const [run] = await sql`select status from engine_runs where id = ${runId}`;
    expect(run).toEqual({ status: 'failed' });
    const again = await admin(['runs', 'retry', runId]);
    expect(again).toMatchObject({
      code: 1,
      stderr: `error: The record ${recordId} has been retried since, and is pending now.\n`,
    });
    await sql`delete from outbox where org_id = ${org.orgId}`;
    await sql.end();
  });

  it('tells what is queued, by function and for how long', async () => {
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    await sql`
      insert into engine_runs (id, function_id, event_id, event, lane) values
        ('run-queued', 'send-mail', 'evt_q', '{"name": "earshot/x", "data": {"orgId": "org_x"}}', 'l')`;
    await sql`
      insert into engine_queue (run_id, step_id, function_id, lane, available_at)
      values ('run-queued', 'step', 'send-mail', 'l', now() - interval '1 hour')`;
    const [status, words] = await Promise.all([adminJson(['runs', 'status']), admin(['runs', 'status'])]);
    await sql`delete from engine_runs where id = 'run-queued'`;
    await sql.end();
    const { queue } = status as { queue: { functionId: string; due: number; oldestSeconds: number }[] };
    const mails = queue.find(({ functionId }) => functionId === 'send-mail');
    expect(mails).toMatchObject({ due: 1, delayed: 0, leased: 0 });
    expect(mails?.oldestSeconds).toBeGreaterThan(3_500);
    expect(words.stdout).toMatch(/^FUNCTION +DUE +DELAYED +UNDER WAY +OLDEST\n/);
  });

  it('leaves runs to the Inngest server where one is used', async () => {
    const result = await admin(['runs', 'list'], { PIPELINE_ENGINE: 'inngest', INNGEST_DEV: '1' });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('kept by the Inngest server') });
  });

  it('writes the document that the service serves, without a database', async () => {
    const out = path.join(folder, 'dist/openapi.json');
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    expect(await adminJson(['openapi', '--out', out], nowhere)).toEqual({ file: out });
    await using service = await openService();
    expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(await service.document());
    const other = await adminJson(['openapi', '--server', 'https://calls.example.com/api/v1'], nowhere);
    expect(other.servers).toMatchObject([{ url: 'https://calls.example.com/api/v1' }]);
  });
});

describe('admin on the embedded database', () => {
  it(
    'works before the first start, beside the running service and after it, and leaves it as it was',
    { timeout: 180_000 },
    async () => {
      const dataDir = path.join(folder, 'data');
      const env = { DATABASE_URL: '', DATA_DIR: dataDir };
      const isRunning = async () => (await findPostmaster(layoutOf(dataDir).cluster)) !== undefined;

      const before = await adminJson(['org', 'create', '--name', 'Before', '--owner', 'b@example.com'], env);
      expect(await isRunning()).toBe(false);

      const service = await startService(env);
      const beside = await adminJson(['org', 'create', '--name', 'Beside', '--owner', 'c@example.com'], env);
      expect(await isRunning()).toBe(true);
      const statuses = await Promise.all(
        [before, beside].map(async ({ token, orgId }) => {
          const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
          return (await fetch(`${service.baseUrl}/api/v1/projects`, { headers })).status;
        }),
      );
      expect(statuses).toEqual([200, 200]);
      await service.stop();
      expect(await isRunning()).toBe(false);

      expect(await adminJson(['outbox', 'status'], env)).toMatchObject({ waiting: 0 });
      expect(await isRunning()).toBe(false);
    },
  );
});

/** The service itself on the database that the commands have written to. */
async function openService() {
  const t: TestApp = await createTestApp({ env: { DATABASE_URL: database.url }, runPipeline: false });
  return {
    async ask(token: string, orgId: string) {
      const headers = { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
      const get = await t.app.inject({ url: '/api/v1/projects', headers });
      const payload = { name: `Project of ${token.slice(-4)}` };
      const create = await t.app.inject({ method: 'POST', url: '/api/v1/projects', headers, payload });
      return { get: get.statusCode, create: create.statusCode };
    },
    document: async () => (await t.app.inject('/openapi.json')).json(),
    [Symbol.asyncDispose]: () => t.close(),
  };
}
