import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';
import { startDeepgram, type DeepgramServer } from '../support/deepgram-server.ts';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { selectPortalsToReconcile } from '../../src/domain/portals/installation-queries.ts';
import { bitrixEnv, callEnd, createPortal, linkPortalOf, sendEvent, type TestPortal } from '../support/portal.ts';
import { asAdmin, eventually } from './support/hosts.ts';
import { runCron, stopClock } from './support/run-cron.ts';
import { toneWav } from './support/recording-server.ts';

const callsUrl = '/api/v1/integrations/bitrix24/calls';
const portalsUrl = '/api/v1/integrations/bitrix24/portals';
const publicUrl = 'https://calls.example.com';
const wav = toneWav(12_000);

let bitrix: Bitrix24Server;
let speech: DeepgramServer;
let t: TestApp;
let org: TestMember;
let portal: TestPortal;
let portalId: string;

beforeAll(async () => {
  bitrix = await startBitrix24();
  speech = await startDeepgram([
    { speaker: 0, start: 0.4, end: 3.2, text: 'Thank you for calling Acme, this is Vera. How can I help?' },
    { speaker: 1, start: 3.6, end: 7.1, text: 'Call me on 4 4 7 7 0 0 9 0 0 1 2 3 please.' },
    { speaker: 0, start: 7.5, end: 10.8, text: 'Done. Thank you for calling, goodbye.' },
  ]);
  t = await createTestApp({
    env: {
      ...bitrixEnv(bitrix),
      PUBLIC_URL: publicUrl,
      SPEECH_ENGINE: 'deepgram',
      DEEPGRAM_API_KEY: 'key',
      DEEPGRAM_BASE_URL: speech.baseUrl,
      LOG_LEVEL: 'silent',
    },
  });
  await stopClock(t);
  org = await t.createOrg();
});
afterAll(async () => {
  await t.close();
  await Promise.all([bitrix.close(), speech.close()]);
});

beforeEach(async () => {
  portal = createPortal(bitrix);
  portalId = await linkPortalOf(t, { bitrix, member: org, portal });
  // The comparison that a link orders is no part of any test.
  await eventually(async () => (await countReconciled()) > 0 || undefined);
});
afterEach(() => {
  bitrix.portal.refuse = undefined;
  bitrix.intercept = undefined;
  bitrix.portal.statistics.length = 0;
});

type Call = {
  callId: string;
  status: string;
  reason: string | null;
  recordId: string | null;
  announcedBy: string;
  duration: number;
};

/** What the portal has of a call, with its recording on its disk. */
function addCall(further: Record<string, string | number | null> = {}, recording: 'disk' | 'url' | 'none' = 'disk') {
  const callId = randomUUID();
  const path = `/disk/${callId}.wav?auth=secret`;
  const fileId = String(1 + bitrix.portal.disk.size);
  bitrix.portal.files.set(path, wav);
  bitrix.portal.disk.set(fileId, bitrix.portal.urlOf(path));
  const row = {
    ...callEnd(callId),
    CALL_START_DATE: new Date(Date.now() - 60_000).toISOString().replace('Z', '+00:00'),
    CRM_ENTITY_TYPE: 'DEAL',
    CRM_ENTITY_ID: String(Math.floor(Math.random() * 1e9) + 1),
    CRM_ACTIVITY_ID: '51',
    RECORD_FILE_ID: recording === 'disk' ? fileId : null,
    CALL_RECORD_URL: recording === 'url' ? bitrix.portal.urlOf(path) : '',
    ...further,
    CALL_ID: callId,
  };
  bitrix.portal.statistics.push(row);
  return { callId, row, path };
}

async function announce(callId: string, data = callEnd(callId)): Promise<void> {
  expect((await sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data })).statusCode).toBe(200);
}

async function readCall(callId: string): Promise<Call | undefined> {
  for (const page of ['1', '2']) {
    const { body } = await t.as(org, { url: callsUrl, query: { portalId, pageSize: '100', page } });
    const found = body.data.find((call: Call) => call.callId === callId);
    if (found) return found;
  }
  return undefined;
}

function settled(callId: string): Promise<Call> {
  return eventually(async () => {
    const call = await readCall(callId);
    return call && call.status !== 'waiting' ? call : undefined;
  });
}

async function readRecord(id: string | null) {
  return (await t.as(org, { url: `/api/v1/records/${id}` })).body.data;
}

function completed(recordId: string | null) {
  return eventually(async () => {
    const record = await readRecord(recordId);
    return ['completed', 'failed'].includes(record.status) ? record : undefined;
  });
}

async function readPortal() {
  return (await t.as(org, { url: `${portalsUrl}/${portalId}` })).body.data;
}

/** The runs that are about the call or portal. */
function isAbout(id: string) {
  return t.deps.connections.system`(event->'data'->>'callId' = ${id} or event->'data'->>'memberId' = ${id})`;
}

/** Waits until the call's run sleeps. */
async function asleep(callId: string) {
  return eventually(async () => {
    const [wait] = await t.deps.connections.system<{ runId: string; stepId: string; seconds: number }[]>`
      select w.run_id as "runId", w.step_id as "stepId",
             round(extract(epoch from w.wake_at - w.created_at))::int as seconds
        from engine_waits w join engine_runs r on r.id = w.run_id where ${isAbout(callId)}`;
    return wait;
  });
}

/** Ends the sleep that the call's run is in, and gives how long it would have been. */
async function wakeUp(callId: string): Promise<number> {
  const { system } = t.deps.connections;
  const wait = await asleep(callId);
  await system`update engine_waits set wake_at = now() where run_id = ${wait.runId} and step_id = ${wait.stepId}`;
  await eventually(async () => {
    const rows = await system`select from engine_waits where run_id = ${wait.runId} and step_id = ${wait.stepId}`;
    return rows.length === 0 || undefined;
  });
  return wait.seconds;
}

/** Makes what waits for its next attempt due at once. */
async function hurry(id: string): Promise<void> {
  const { system } = t.deps.connections;
  await system`
    update engine_queue q set available_at = now() from engine_runs r
     where r.id = q.run_id and q.owner is null and ${isAbout(id)}`;
  await system`select pg_notify('earshot_engine', '')`;
}

/** As if the portal had been linked then, and never been told where its events go. */
async function allowFrom(date: Date): Promise<void> {
  await t.deps.connections.system`
    update portals set reconcile_from = ${date}, events_url = null where member_id = ${portal.memberId}`;
}

async function reconcile(): Promise<void> {
  const { db } = t.deps.services;
  const { requestReconciliation } = await import('../../src/domain/portals/service.ts');
  const before = await countReconciled();
  await db.withOrg(org.orgId, (tx) => requestReconciliation(tx, portal.memberId));
  await eventually(async () => ((await countReconciled()) > before ? true : undefined));
}

async function countReconciled(): Promise<number> {
  const [row] = await t.deps.connections.system<{ count: number }[]>`
    select count(*)::int as count from engine_runs
     where function_id = 'earshot-reconcile-portal' and status <> 'running' and event->'data'->>'memberId' = ${portal.memberId}`;
  return row?.count ?? 0;
}

describe('a call that a portal tells of', () => {
  it('becomes a record with all that the portal knows, and its recording is fetched from the disk', async () => {
    const { callId, row, path } = addCall();
    bitrix.portal.people.set('7', { NAME: 'Oleg', LAST_NAME: 'Petrov' });
    await announce(callId);
    const call = await settled(callId);
    expect(call).toMatchObject({ status: 'taken', reason: null, announcedBy: 'event', duration: 64 });
    const record = await completed(call.recordId);
    expect(record).toMatchObject({
      status: 'completed',
      source: 'bitrix24',
      projectId: org.projectId,
      externalId: callId,
      direction: 'inbound',
      agentName: 'Oleg Petrov',
      customerPhone: '+447700900123',
      startedAt: new Date(String(row['CALL_START_DATE'])).toISOString(),
      crm: { entityType: 'deal', entityId: row['CRM_ENTITY_ID'], activityId: '51' },
      uploadedBy: null,
      file: { size: wav.length },
    });
    expect(bitrix.requests).toContain(path);
    // The address held a token: it is stored nowhere.
    const [stored] = await t.deps.connections.system`select records::text as row from records where id = ${record.id}`;
    expect(stored?.['row']).not.toContain('secret');
  });

  it('belongs to the member who took it, where that one has opened the app', async () => {
    const host = 'earshot.example';
    const body = { domain: bitrix.domain, memberId: portal.memberId, authId: portal.accessToken, refreshId: 'none' };
    const headers = { host, origin: `https://${host}` };
    const answer = await t.app.inject({ method: 'POST', url: '/api/v1/embedded/auth', headers, payload: body });
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    const { callId } = addCall({ PORTAL_USER_ID: portal.userId, CALL_TYPE: '1' }, 'url');
    await announce(callId);
    const { recordId } = await settled(callId);
    const mine = await t.app.inject({
      url: `/api/v1/records/${recordId}`,
      headers: { host, cookie, 'x-selected-org-id': org.orgId },
    });
    expect(mine.json().data).toMatchObject({ agentName: 'Vera Orlova', direction: 'outbound' });
  });

  it('is one record, when the API has ingested it before', async () => {
    const { callId } = addCall();
    const payload = {
      source: 'bitrix24',
      externalId: callId,
      projectId: org.projectId,
      recordingUrl: bitrix.portal.urlOf('/x'),
    };
    const ingested = await t.as(org, { method: 'POST', url: '/api/v1/records/ingest', payload });
    await announce(callId);
    expect((await settled(callId)).recordId).toBe(ingested.body.data.id);
  });

  it('is ignored with the reason that the statistics give, where the event was wrong about it', async () => {
    const { callId } = addCall({ CALL_FAILED_CODE: '304' });
    await announce(callId);
    expect(await settled(callId)).toMatchObject({ status: 'ignored', reason: 'MISSED', recordId: null });
    const short = addCall({ CALL_DURATION: '2' });
    await announce(short.callId);
    expect(await settled(short.callId)).toMatchObject({ status: 'ignored', reason: 'TOO_SHORT' });
  });

  it('waits where the budget has no room, and is taken when there is some, the oldest first', async () => {
    const poor = await t.createOrg();
    const url = `/api/v1/billing/budget/${poor.orgId}`;
    await t.as(poor, { method: 'PATCH', url, payload: { budgetLimit: 0 } });
    const other = createPortal(bitrix);
    await linkPortalOf(t, { bitrix, member: poor, portal: other });
    const callIds = [addCall().callId, addCall().callId, addCall().callId];
    const calls = async (): Promise<Call[]> =>
      (await t.as(poor, { url: callsUrl, query: { sort: 'createdAt', order: 'asc' } })).body.data;
    const outcomes = async () =>
      (await calls()).map(({ status, reason }) => (reason === null ? status : `${status}: ${reason}`));
    for (const [index, callId] of callIds.entries()) {
      await sendEvent(t, 'ONVOXIMPLANTCALLEND', other, { data: callEnd(callId) });
      await eventually(async () => (await outcomes())[index] === 'waiting: BUDGET_EXCEEDED' || undefined);
    }
    expect((await calls()).map(({ callId }) => callId)).toEqual(callIds);

    expect(await runCron(t, 'reconcile-portals')).toMatchObject({ resumed: 0 });
    expect(new Set(await outcomes())).toEqual(new Set(['waiting: BUDGET_EXCEEDED']));
    // One of them has waited since before the month, in vain.
    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`
        update crm_calls set created_at = now() - interval '41 days'
         where org_id = ${poor.orgId} and call_id = ${callIds[2] ?? ''}`,
    );
    await t.as(poor, { method: 'PATCH', url, payload: { budgetLimit: 5 } });
    expect(await runCron(t, 'reconcile-portals')).toMatchObject({ resumed: 2 });
    await eventually(async () => !(await outcomes()).includes('waiting') || undefined);
    expect(await outcomes()).toEqual(['ignored: BUDGET_EXCEEDED', 'taken', 'taken']);
    expect(await runCron(t, 'reconcile-portals')).toMatchObject({ resumed: 0 });
  });

  it('does not wait for the budget of a portal that is unlinked', async () => {
    const url = `/api/v1/billing/budget/${org.orgId}`;
    await t.as(org, { method: 'PATCH', url, payload: { budgetLimit: 0 } });
    const { callId } = addCall();
    await announce(callId);
    await eventually(async () => (await readCall(callId))?.reason === 'BUDGET_EXCEEDED' || undefined);
    await t.as(org, { method: 'DELETE', url: `${portalsUrl}/${portalId}` });
    expect(await readCall(callId)).toMatchObject({ status: 'ignored', reason: 'PORTAL_UNLINKED' });
    await t.as(org, { method: 'PATCH', url, payload: { budgetLimit: null } });
  });
});

describe('a recording that comes late', () => {
  it('is looked for after 30 s, 2 min, 10 min, 1 h and 6 h, and taken when it is there', async () => {
    const { callId, row } = addCall({}, 'none');
    await announce(callId);
    expect(await wakeUp(callId)).toBe(30);
    expect(await wakeUp(callId)).toBe(120);
    await asleep(callId);
    expect((await readCall(callId))?.status).toBe('waiting');
    row['RECORD_FILE_ID'] = '1';
    expect(await wakeUp(callId)).toBe(600);
    expect((await settled(callId)).status).toBe('taken');
  });

  it('is given up in the end, with a reason', async () => {
    const callId = randomUUID();
    await announce(callId);
    const waits = [];
    for (let count = 0; count < 5; count += 1) waits.push(await wakeUp(callId));
    expect(waits).toEqual([30, 120, 600, 3600, 21_600]);
    expect(await settled(callId)).toMatchObject({ status: 'ignored', reason: 'NO_RECORDING' });
  });

  it('is not waited for in a portal that is unlinked meanwhile', async () => {
    const { callId } = addCall({}, 'none');
    await announce(callId);
    await asleep(callId);
    await t.as(org, { method: 'DELETE', url: `${portalsUrl}/${portalId}` });
    await wakeUp(callId);
    expect(await settled(callId)).toMatchObject({ status: 'ignored', reason: 'PORTAL_UNLINKED' });
  });
});

describe('the access of a portal', () => {
  it('is renewed once, however many find it expired at the same time', async () => {
    const calls = Array.from({ length: 6 }, () => addCall().callId);
    bitrix.grants.delete(portal.accessToken);
    const before = bitrix.renewals;
    const { crm } = await accessOf();
    const answers = await Promise.all(
      calls.map((CALL_ID) => crm.call(portal.memberId, 'voximplant.statistic.get', { FILTER: { CALL_ID } })),
    );
    expect(answers.map(({ total }) => total)).toEqual(calls.map(() => 1));
    expect(bitrix.renewals - before).toBe(1);
    bitrix.grants.clear();
    await crm.call(portal.memberId, 'voximplant.statistic.get', {});
    expect(bitrix.renewals - before).toBe(2);
  });

  it('goes on with the next token where whoever was renewing it died', async () => {
    bitrix.grants.delete(portal.accessToken);
    await t.deps.connections.system`
      update portal_installations set renewing_until = now() + interval '300 milliseconds' where member_id = ${portal.memberId}`;
    const { crm } = await accessOf();
    const answer = await crm.call(portal.memberId, 'voximplant.statistic.get', {});
    expect(answer.result).toEqual([]);
  });

  it('waits and asks again where the portal asks for a pause', async () => {
    const { callId } = addCall();
    let refusals = 2;
    bitrix.portal.refuse = () => ((refusals -= 1) >= 0 ? [503, { error: 'QUERY_LIMIT_EXCEEDED' }] : undefined);
    await announce(callId);
    expect((await settled(callId)).status).toBe('taken');
  });

  it('is left alone for ten minutes by a method that has used up its time', async () => {
    const { callId } = addCall();
    bitrix.portal.refuse = () => [429, { error: 'OPERATION_TIME_LIMIT' }];
    await announce(callId);
    const { system } = t.deps.connections;
    const seconds = await eventually(async () => {
      const [row] = await system<{ seconds: number }[]>`
        select extract(epoch from q.available_at - now())::int as seconds from engine_queue q join engine_runs r on r.id = q.run_id
         where ${isAbout(callId)} and q.available_at > now() + interval '1 minute'`;
      return row?.seconds;
    });
    expect(seconds).toBeGreaterThan(580);
    expect((await readPortal()).status).toBe('active');
    bitrix.portal.refuse = undefined;
    await hurry(callId);
    expect((await settled(callId)).status).toBe('taken');
  });

  it.each([
    ['gives no answer', (bitrix: Bitrix24Server) => (bitrix.intercept = (_path, res) => (res.destroy(), true))],
    ['answers nonsense', (bitrix: Bitrix24Server) => (bitrix.intercept = (_path, res) => (res.end('<html>'), true))],
    ['is broken', (bitrix: Bitrix24Server) => (bitrix.portal.refuse = () => [500, { error: 'INTERNAL_SERVER_ERROR' }])],
  ])('is tried again later where the portal %s', async (_name, breakIt) => {
    const { callId } = addCall();
    breakIt(bitrix);
    await announce(callId);
    await eventually(async () => {
      const [row] = await t.deps.connections.system`
        select from engine_queue q join engine_runs r on r.id = q.run_id where ${isAbout(callId)} and q.attempt > 0`;
      return row && true;
    });
    expect(await readCall(callId)).toMatchObject({ status: 'waiting' });
    expect((await readPortal()).status).toBe('active');
    bitrix.intercept = undefined;
    bitrix.portal.refuse = undefined;
    await hurry(callId);
    expect((await settled(callId)).status).toBe('taken');
  });

  it('that is refused for want of a right is asked for again, and the call taken once the right is there', async () => {
    const { callId } = addCall();
    bitrix.portal.refuse = () => [403, { error: 'insufficient_scope' }];
    await announce(callId);
    expect(await settled(callId)).toMatchObject({ status: 'ignored', reason: 'INSUFFICIENT_SCOPE' });
    bitrix.portal.refuse = undefined;
    await allowFrom(new Date(Date.now() - 3_600_000));
    await reconcile();
    await eventually(async () => ((await readCall(callId))?.status === 'taken' ? true : undefined));
  });

  it.each([
    ['PORTAL_DELETED', 403],
    ['PAYMENT_REQUIRED', 402],
    ['ACCOUNT_BLOCKED', 401],
  ])('that ends with %s suspends the portal with that reason, until an answer comes again', async (error, status) => {
    const { callId } = addCall();
    bitrix.portal.refuse = () => [status, { error }];
    await announce(callId);
    expect(await settled(callId)).toMatchObject({ status: 'ignored', reason: 'PORTAL_SUSPENDED' });
    expect(await readPortal()).toMatchObject({
      status: 'suspended',
      suspension: { reason: error, since: expect.any(String) },
    });
    bitrix.portal.refuse = undefined;
    await allowFrom(new Date(Date.now() - 3_600_000));
    await reconcile();
    expect(await readPortal()).toMatchObject({ status: 'active', suspension: null });
    // What was ignored for that reason is taken now.
    expect(await eventually(async () => ((await readCall(callId))?.status === 'taken' ? true : undefined))).toBe(true);
  });

  it('that was revoked suspends the portal and forgets the tokens, until an administrator opens the app', async () => {
    bitrix.grants.delete(portal.accessToken);
    bitrix.rotating.delete(portal.refreshToken);
    const { callId } = addCall();
    await announce(callId);
    await settled(callId);
    expect(await readPortal()).toMatchObject({ status: 'suspended', suspension: { reason: 'INVALID_GRANT' } });
    const [row] = await t.deps.connections.system`
      select access_token, refresh_token from portal_installations where member_id = ${portal.memberId}`;
    expect(row).toEqual({ access_token: null, refresh_token: null });
    const again = { ...portal, accessToken: randomUUID(), refreshToken: randomUUID() };
    bitrix.grants.set(again.accessToken, portal.grant);
    const { openFrame } = await import('../support/portal.ts');
    expect((await openFrame(t, bitrix, again)).statusCode).toBe(200);
    expect(await readPortal()).toMatchObject({ status: 'active' });
  });

  it('is never asked for at another host than the portal that was linked', async () => {
    const { system } = t.deps.connections;
    const { crm } = await accessOf();
    const hosts = [
      'http://127.0.0.1:1/rest/',
      'http://localhost/rest/',
      'https://2130706433/rest/',
      'https://0x7f.1/rest/',
      'https://[::ffff:7f00:1]/rest/',
      'https://[::7f00:1]/rest/',
      'https://169.254.169.254/rest/',
      'https://acme.bitrix24.com@mallory.example/rest/',
      'https://acme.bitrix24.com.mallory.example/rest/',
      'http://acme.bitrix24.com/rest/',
    ];
    for (const endpoint of hosts) {
      await system`update portal_installations set client_endpoint = ${endpoint} where member_id = ${portal.memberId}`;
      const refused = await crm.call(portal.memberId, 'profile', {}).catch((error: unknown) => error);
      expect([endpoint, refused]).toEqual([endpoint, expect.objectContaining({ code: 'UNTRUSTED_HOST' })]);
    }
  });

  it('follows a portal that has moved within the cloud, as the fixed server tells', async () => {
    bitrix.clientEndpoint = 'https://renamed.bitrix24.com/rest/';
    bitrix.grants.delete(portal.accessToken);
    const { crm } = await accessOf();
    const signal = crm.call(portal.memberId, 'profile', {}).catch(() => {});
    const { domain } = await eventually(async () => {
      const now = await readPortal();
      return now.domain === bitrix.domain ? undefined : now;
    });
    bitrix.clientEndpoint = undefined;
    await signal;
    expect(domain).toBe('renamed.bitrix24.com');
  });
});

async function accessOf() {
  const { createCrmAccess } = await import('../../src/domain/portals/access.ts');
  const { createBitrix24 } = await import('../../src/providers/crm/bitrix24.ts');
  const { openSecretBox } = await import('../../src/setup/secrets.ts');
  const { config, log, connections } = t.deps;
  const secrets = await openSecretBox(config);
  const crm = createBitrix24({
    oauthUrl: bitrix.baseUrl,
    applications: [{ clientId: 'app.test', clientSecret: 'secret' }],
    outboundAllow: ['127.0.0.1'],
  });
  return { crm: createCrmAccess({ system: connections.system, crm, secrets, log }) };
}

describe('reconciliation', () => {
  it('of a portal that has not given its tokens compares nothing, and does not say that it did', async () => {
    const { memberId } = createPortal(bitrix);
    const { connections, services } = t.deps;
    const operator = { db: services.db, system: connections.system };
    const linked = { memberId, domain: bitrix.domain, projectId: org.projectId };
    expect(await linkPortal(operator, org.orgId, linked)).toEqual({ status: 'suspended', projectId: org.projectId });
    const ended = () => connections.system`
      select from engine_runs where function_id = 'earshot-reconcile-portal' and status <> 'running'
         and event->'data'->>'memberId' = ${memberId}`;
    await eventually(async () => ((await ended()).length > 0 ? true : undefined));
    const [row] = await connections.system`select status, reconciled_at from portals where member_id = ${memberId}`;
    expect(row).toEqual({ status: 'suspended', reconciled_at: null });
    // Once a day is enough, until its tokens come.
    const due = { limit: 500, everyMs: 900_000, suspendedEveryMs: 86_400_000 };
    expect((await selectPortalsToReconcile(connections.system, due)).map((each) => each.memberId)).not.toContain(
      memberId,
    );
    await connections.system`delete from portals where member_id = ${memberId}`;
  });

  it('takes the calls that no event announced, page by page in batches, and each once', async () => {
    const known = addCall();
    await announce(known.callId);
    await settled(known.callId);
    // Calls from before the link are not taken.
    const old = addCall({ CALL_START_DATE: '2026-01-01T10:00:00+00:00' });
    const missed = Array.from({ length: 120 }, () => addCall({ CALL_FAILED_CODE: '304' }, 'none').callId);
    const { callId } = addCall();
    await allowFrom(new Date(Date.now() - 3_600_000));
    bitrix.portal.methods.length = 0;
    await reconcile();
    expect(bitrix.portal.methods.filter((method) => method === 'batch')).toHaveLength(1);
    expect(await settled(callId)).toMatchObject({ status: 'taken', announcedBy: 'reconciliation' });
    const { body } = await t.as(org, { url: callsUrl, query: { portalId, status: 'ignored' } });
    expect(body.meta.total).toBe(missed.length);
    expect(await readCall(old.callId)).toBeUndefined();
    expect((await readPortal()).reconciledAt).not.toBeNull();
    await reconcile();
    const { total } = (await t.as(org, { url: callsUrl, query: { portalId } })).body.meta;
    expect(total).toBe(missed.length + 2);
  });

  it('tells the portal once where its events go', async () => {
    bitrix.portal.handlers.length = 0;
    await allowFrom(new Date());
    await reconcile();
    await reconcile();
    expect(bitrix.portal.handlers).toEqual(
      ['ONVOXIMPLANTCALLEND', 'ONAPPUNINSTALL'].map((event) => ({
        event,
        handler: `${publicUrl}/api/v1/integrations/bitrix24/events`,
      })),
    );
  });
});

describe('what came of a call', () => {
  async function analysed(further: Record<string, string | null> = {}) {
    const { callId, row } = addCall(further);
    await announce(callId);
    const { recordId } = await settled(callId);
    const record = await completed(recordId);
    expect(record.status).toBe('completed');
    return { callId, record, entityId: String(row['CRM_ENTITY_ID']) };
  }

  const commentsOf = (entityId: string) => bitrix.portal.comments.filter((each) => each.ENTITY_ID === entityId);
  const transcriptionsOf = (callId: string) => bitrix.portal.transcriptions.filter((each) => each.CALL_ID === callId);

  it('is written back: what was said by whom, and a comment with score, compliance and link, without numbers', async () => {
    const { callId, record, entityId } = await analysed();
    const [comment] = await eventually(async () =>
      commentsOf(entityId).length > 0 ? commentsOf(entityId) : undefined,
    );
    expect(comment?.ENTITY_TYPE).toBe('deal');
    expect(comment?.COMMENT).toContain(`Call quality: ${record.qualityScore} of 100`);
    expect(comment?.COMMENT).toContain(`Compliance: ${record.complianceStatus.replaceAll('_', ' ')}`);
    expect(comment?.COMMENT).toContain(`${publicUrl}/calls/${record.id}?analysis=${record.analysisId}`);
    const [transcription] = transcriptionsOf(callId);
    expect(transcription?.MESSAGES).toMatchObject([
      { SIDE: 'User', START_TIME: 0, MESSAGE: expect.stringContaining('Thank you for calling Acme') },
      { SIDE: 'Client', START_TIME: 3, STOP_TIME: 8, MESSAGE: 'Call me on [number] please.' },
      { SIDE: 'User', START_TIME: 7, MESSAGE: expect.stringContaining('goodbye') },
    ]);
    expect(JSON.stringify([comment, transcription])).not.toMatch(/7700900|7 7 0 0/);
  });

  it('is written back once for each analysis, and the transcription once for each transcript', async () => {
    const { callId, record, entityId } = await analysed();
    await eventually(async () => (commentsOf(entityId).length === 1 ? true : undefined));
    await order(record.id, record.analysisId);
    const { body } = await t.as(org, { url: `/api/v1/analyses/${record.analysisId}` });
    const url = `/api/v1/analyses/${record.analysisId}/re-analyze`;
    await t.as(org, { method: 'POST', url, payload: { profileId: body.data.profile.id } });
    await eventually(async () => (commentsOf(entityId).length === 2 ? true : undefined));
    expect(commentsOf(entityId)[1]?.COMMENT).toContain('(analysis 2)');
    expect(transcriptionsOf(callId)).toHaveLength(1);
  });

  it('is said where nobody knows who speaks, and so nothing can be attached', async () => {
    const { callId, record, entityId } = await analysed();
    await eventually(async () => (commentsOf(entityId).length === 1 ? true : undefined));
    await t.deps.services.db.withOrg(org.orgId, async (tx) => {
      const { sql } = await import('drizzle-orm');
      await tx.execute(sql`delete from crm_reports where record_id = ${record.id}`);
      await tx.execute(sql`
        update transcripts set segments = (select jsonb_agg(s || '{"role": "unknown"}') from jsonb_array_elements(segments) s)
         where record_id = ${record.id}`);
    });
    await order(record.id, record.analysisId);
    await eventually(async () => (commentsOf(entityId).length === 2 ? true : undefined));
    expect(commentsOf(entityId)[1]?.COMMENT).toContain('Not attached: all of the transcript');
    expect(transcriptionsOf(callId)).toHaveLength(1);
  });

  it('is written back once although a crash came between sending and noting it', async () => {
    const { record, entityId } = await analysed();
    await eventually(async () => (commentsOf(entityId).length === 1 ? true : undefined));
    await t.deps.services.db.withOrg(org.orgId, async (tx) => {
      const { sql } = await import('drizzle-orm');
      await tx.execute(sql`update crm_reports set status = 'sending' where record_id = ${record.id}`);
    });
    await order(record.id, record.analysisId);
    await eventually(async () =>
      (await reportsOf(record.id)).every(({ status }) => status === 'sent') ? true : undefined,
    );
    expect(commentsOf(entityId)).toHaveLength(1);
  });

  it('is not written back where the portal does not want it, or has nothing to hang it on', async () => {
    const settings = { writeBack: { transcript: false, comment: true } };
    await t.as(org, { method: 'PATCH', url: `${portalsUrl}/${portalId}`, payload: { settings } });
    const { callId, record } = await analysed({ CRM_ENTITY_TYPE: null, CRM_ENTITY_ID: null });
    await reported(record.analysisId);
    expect(transcriptionsOf(callId)).toEqual([]);
    expect(await reportsOf(record.id)).toEqual([]);
  });

  it('is the redacted transcript in a project that redacts', async () => {
    const url = `/api/v1/projects/${org.projectId}`;
    await t.as(org, { method: 'PATCH', url, payload: { settings: { redactPii: true } } });
    const said = { speaker: 1, start: 3.6, end: 7.1, text: 'My card is 4111 1111 1111 1111 and that is all.' };
    const [before] = speech.said.splice(1, 1, said);
    const { callId } = await analysed();
    await eventually(async () => (transcriptionsOf(callId).length === 1 ? true : undefined));
    if (before) speech.said.splice(1, 1, before);
    await t.as(org, { method: 'PATCH', url, payload: { settings: { redactPii: false } } });
    const messages = JSON.stringify(transcriptionsOf(callId));
    expect(messages).toContain('[card number]');
    expect(messages).not.toMatch(/4111|1111/);
  });

  it('waits for hours where the portal is suspended, and is told when it gives access again', async () => {
    bitrix.portal.refuse = (method) =>
      method.startsWith('telephony.') ? [402, { error: 'PAYMENT_REQUIRED' }] : undefined;
    const { callId, record, entityId } = await analysed();
    const { system } = t.deps.connections;
    const waiting = () => system<{ seconds: number }[]>`
      select extract(epoch from q.available_at - now())::int as seconds
        from engine_queue q join engine_runs r on r.id = q.run_id
       where r.event->'data'->>'analysisId' = ${record.analysisId} and q.attempt > 0`;
    const seconds = await eventually(async () => (await waiting())[0]?.seconds);
    expect(Math.abs(seconds - 21_600)).toBeLessThan(60);
    expect(await readPortal()).toMatchObject({ status: 'suspended', suspension: { reason: 'PAYMENT_REQUIRED' } });
    bitrix.portal.refuse = undefined;
    await system`
      update engine_queue q set available_at = now() from engine_runs r
       where r.id = q.run_id and r.event->'data'->>'analysisId' = ${record.analysisId}`;
    await system`select pg_notify('earshot_engine', '')`;
    await eventually(async () => (commentsOf(entityId).length === 1 ? true : undefined));
    expect(transcriptionsOf(callId)).toHaveLength(1);
    expect(await readPortal()).toMatchObject({ status: 'active' });
  });

  it('is noted as refused where the portal lacks the right to it, and the rest goes on', async () => {
    bitrix.portal.refuse = (method) =>
      method.startsWith('telephony.') ? [403, { error: 'insufficient_scope' }] : undefined;
    const { record, entityId } = await analysed();
    await eventually(async () => (commentsOf(entityId).length === 1 ? true : undefined));
    await reported(record.analysisId);
    expect(await reportsOf(record.id)).toEqual([
      { kind: 'comment', status: 'sent', reason: null },
      { kind: 'transcript', status: 'refused', reason: 'INSUFFICIENT_SCOPE' },
    ]);
    expect((await readPortal()).status).toBe('active');
  });

  async function order(recordId: string, analysisId: string): Promise<void> {
    const { emitEvents } = await import('../../src/domain/events/service.ts');
    const data = { recordId, analysisId };
    await t.deps.services.db.withOrg(org.orgId, (tx) => emitEvents(tx, [{ type: 'crm.report.requested', data }]));
    await reported(analysisId);
  }

  async function reported(analysisId: string): Promise<void> {
    await eventually(async () => {
      const rows = await t.deps.connections.system<{ status: string }[]>`
        select status from engine_runs
         where function_id = 'earshot-report-to-crm' and event->'data'->>'analysisId' = ${analysisId}`;
      const waiting = await t.deps.connections.system`
        select from outbox where dispatched_at is null and type = 'crm.report.requested'`;
      return rows.length > 0 && waiting.length === 0 && rows.every(({ status }) => status !== 'running')
        ? true
        : undefined;
    });
  }

  async function reportsOf(recordId: string) {
    const { sql } = await import('drizzle-orm');
    const rows = await t.deps.services.db.withOrg(org.orgId, (tx) =>
      tx.execute<{ kind: string; status: string; reason: string | null }>(
        sql`select kind, status, reason from crm_reports where record_id = ${recordId} order by kind`,
      ),
    );
    return [...rows];
  }
});
