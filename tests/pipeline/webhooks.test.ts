import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventPayloads, webhookEvents, type WebhookEvent } from '../../src/domain/events/payloads.ts';
import { emitEvents, type NewEvent } from '../../src/domain/events/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { newRunId } from '../../src/pipeline/engine/store-runs.ts';
import type { Pipeline } from '../../src/pipeline/assembly/pipeline.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createWebhook, deliveriesOf, deliveryThat, startPipeline } from '../support/webhooks.ts';
import { suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually, sleep } from './support/hosts.ts';
import { startReceiver, type Received, type Receiver } from './support/webhook-receiver.ts';

const delaysMs = [60, 60, 60];
/** A machine that is held up for a moment must not turn into an endpoint that does not answer. */
const timeoutMs = 3_000;

let t: TestApp;
let pipeline: Pipeline;
let org: TestMember;
let receiver: Receiver;
let other: Receiver | undefined;
/** By path; whatever is not here is answered with 204. */
const answers = new Map<string, (res: ServerResponse, hit: number) => void>();
let paths = 0;

beforeAll(async () => {
  t = await createTestApp({
    runPipeline: false,
    env: { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '8' },
  });
  receiver = await startReceiver((res, { path }, hit) => {
    const answer = answers.get(path);
    if (answer) answer(res, hit);
    else res.writeHead(204).end();
  });
  pipeline = await startPipeline(t, { delaysMs, timeoutMs });
});
afterAll(async () => {
  await pipeline.stop();
  await receiver.close();
  await t.close();
});
afterEach(async () => {
  await other?.close();
  other = undefined;
});

/** An organization with one endpoint, which answers as told. */
async function endpoint(answer?: (res: ServerResponse, hit: number) => void, events: string[] = ['record.deleted']) {
  org = await t.createOrg();
  const path = `/${(paths += 1)}`;
  if (answer) answers.set(path, answer);
  const webhook = await createWebhook(t, org, { url: receiver.url(path), events });
  return { path, webhook, member: org, at: { member: org, webhookId: webhook.id } };
}

function status(code: number, headers: Record<string, string> = {}) {
  return (res: ServerResponse): void => void res.writeHead(code, headers).end(`answer ${code}`);
}

async function emit(events: NewEvent[], member = org): Promise<void> {
  await t.deps.services.db.withOrg(member.orgId, (tx) => emitEvents(tx, events));
}

function deleted(recordId: string = newRecordId()): NewEvent {
  return { type: 'record.deleted', data: { recordId, projectId: org.projectId, externalId: null } };
}

/** The call that each order of a delivery names. */
async function recordsOfRounds(deliveryId: string): Promise<string[]> {
  const rows = await t.deps.connections.system<{ recordId: string }[]>`
    select data->>'recordId' as "recordId" from outbox
     where type = 'webhook.delivery.requested' and data->>'deliveryId' = ${deliveryId}`;
  return rows.map(({ recordId }) => recordId);
}

function verify({ body, headers }: Received, secret: string): unknown {
  return new Webhook(secret).verify(body, headers);
}

describe('what an endpoint gets', () => {
  it('is verified by the standardwebhooks package, for every kind of event that there is', async () => {
    const { path, webhook, member } = await endpoint(undefined, [...webhookEvents]);
    const api = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload: object = {}) => {
      const { status, body } = await t.as(member, { method, url: `/api/v1${url}`, payload });
      expect({ status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) });
      return body?.data;
    };
    const seen = (type: WebhookEvent) => receiver.at(path).find(({ body }) => JSON.parse(body).type === type);
    const condition = { field: 'qualityScore', operator: 'gte', value: 0 };
    await api('POST', '/alerts', { name: 'Any score', condition, actions: ['webhook'] });
    const id = newRecordId();
    await t.deps.services.db.withOrg(member.orgId, (tx) =>
      createRecord(
        tx,
        { id, projectId: member.projectId, source: 'upload', durationSeconds: 59 },
        suppliedTranscript(id),
      ),
    );
    const completed = await eventually(() => seen('record.completed'));
    const { analysisId } = JSON.parse(completed.body).data;
    await api('POST', `/analyses/${analysisId}/review`, { verdict: 'approved' });
    await api('PATCH', `/billing/budget/${member.orgId}`, { budgetLimit: 0.01 });
    await api('PATCH', `/billing/budget/${member.orgId}`, { budgetLimit: null });
    const call = { externalId: 'gone', projectId: member.projectId, recordingUrl: receiver.url('/no-recording') };
    answers.set('/no-recording', status(404));
    await api('POST', '/records/ingest', call);
    await api('DELETE', `/records/${id}`);
    await api('POST', `/webhooks/${webhook.id}/test`);

    const types = [...webhookEvents, 'webhook.test'];
    const last = async () => {
      const got = new Set(receiver.at(path).map(({ body }) => JSON.parse(body).type));
      return types.every((type) => got.has(type)) || undefined;
    };
    await eventually(last);
    const events = await t.deps.connections.system<{ id: string; type: string; data: object; at: Date }[]>`
      select id, type, data, created_at as at from outbox where org_id = ${member.orgId}`;
    for (const received of receiver.at(path)) {
      const { type, timestamp, data, ...rest } = verify(received, webhook.secret) as Record<string, unknown>;
      expect(rest).toEqual({});
      expect(received.headers).toMatchObject({ 'content-type': 'application/json' });
      const written = events.find(({ id }) => id === received.headers['webhook-id']);
      const isTest = type === 'webhook.test';
      expect(written === undefined).toBe(isTest);
      expect(data).toEqual(written?.data ?? { webhookId: webhook.id });
      expect([type, timestamp]).toEqual(written ? [written.type, written.at.toISOString()] : [type, timestamp]);
      expect(isTest || eventPayloads[type as WebhookEvent].strict().safeParse(data).success).toBe(true);
      expect(received.body).not.toMatch(/customerPhone|transcript"|segments/);
    }
  });

  it('has the subscribed events only, once each, and alerts whose rule names webhooks', async () => {
    const { path, webhook } = await endpoint(undefined, ['record.deleted', 'alert.triggered']);
    const alert = (actions: ('webhook' | 'email')[]): NewEvent => ({
      type: 'alert.triggered',
      data: {
        alertId: 'alr_1',
        name: 'Low',
        severity: 'warning',
        actions,
        condition: { field: 'qualityScore', operator: 'lt', value: 60 },
        value: 10,
        cause: 'analysis',
        recordId: 'rec_1',
        analysisId: 'ana_1',
        projectId: org.projectId,
        agentName: null,
        judgedShare: 1,
        needsReviewCount: 0,
        qualityScore: 10,
        complianceStatus: null,
        triggeredAt: new Date().toISOString(),
      },
    });
    const { recordId, projectId, externalId } = deleted().data as {
      recordId: string;
      projectId: string;
      externalId: null;
    };
    const created = {
      recordId,
      projectId,
      externalId,
      createdAt: new Date().toISOString(),
      status: 'pending' as const,
    };
    await emit([{ type: 'record.created', data: created }, alert([]), alert(['email']), alert(['email', 'webhook'])]);
    await emit([
      { ...deleted(), dedupeKey: 'same' },
      { ...deleted(), dedupeKey: 'same' },
    ]);
    await emit([{ ...deleted(), dedupeKey: 'same' }]);
    await eventually(() => receiver.at(path).length >= 2 || undefined);
    await sleep(150);
    const types = receiver.at(path).map(({ body }) => JSON.parse(body).type);
    expect(types.toSorted()).toEqual(['alert.triggered', 'record.deleted']);
    expect(await deliveriesOf(t, org, webhook.id)).toHaveLength(2);
  });

  it('is refused by the package when it is altered, signed by another secret, or sent again later', async () => {
    const { path, webhook } = await endpoint();
    await emit([deleted()]);
    const [received] = await eventually(() => (receiver.at(path).length > 0 ? receiver.at(path) : undefined));
    if (!received) throw new Error('There is one.');
    const { body, headers } = received;
    expect(verify(received, webhook.secret)).toMatchObject({ type: 'record.deleted' });
    const altered = { ...received, body: body.replace('record.deleted', 'record.created') };
    expect(() => verify(altered, webhook.secret)).toThrow(/No matching signature/);
    const renamed = { ...received, headers: { ...headers, 'webhook-id': 'evt_other' } };
    expect(() => verify(renamed, webhook.secret)).toThrow(/No matching signature/);
    const foreign = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(() => verify(received, foreign)).toThrow(/No matching signature/);
    const seconds = Number(headers['webhook-timestamp']);
    const fresher = { ...received, headers: { ...headers, 'webhook-timestamp': String(seconds + 1) } };
    expect(() => verify(fresher, webhook.secret)).toThrow(/No matching signature/);
    const clock = Date.now;
    try {
      Date.now = () => clock() + 6 * 60_000;
      expect(() => verify(received, webhook.secret)).toThrow(/too old/);
    } finally {
      Date.now = clock;
    }
  });

  it('is signed with the new and the old secret for 24 hours after a rotation, and then with the new one', async () => {
    const { path, webhook, member } = await endpoint();
    const rotate = async () =>
      (await t.as(member, { method: 'POST', url: `/api/v1/webhooks/${webhook.id}/rotate-secret` })).body.data;
    const first = await rotate();
    const second = await rotate();
    const inADay = Date.now() + 24 * 3_600_000;
    expect(Math.abs(Date.parse(second.oldSecretsExpireAt) - inADay)).toBeLessThan(10_000);
    await emit([deleted()]);
    const [during] = await eventually(() => (receiver.at(path).length > 0 ? receiver.at(path) : undefined));
    if (!during) throw new Error('There is one.');
    for (const { secret } of [second, first, webhook]) expect(verify(during, secret)).toMatchObject({ data: {} });

    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) =>
        // As if the day had passed.
        sql`update webhooks set secrets = jsonb_set(jsonb_set(secrets, '{1,expiresAt}', '"2026-01-01T00:00:00.000Z"'),
            '{2,expiresAt}', '"2026-01-01T00:00:00.000Z"') where id = ${webhook.id}`,
    );
    await emit([deleted()]);
    const after = await eventually(() => receiver.at(path)[1]);
    expect(verify(after, second.secret)).toMatchObject({ type: 'record.deleted' });
    for (const { secret } of [first, webhook]) expect(() => verify(after, secret)).toThrow(/No matching signature/);
    const { body } = await t.as(member, { url: `/api/v1/webhooks/${webhook.id}` });
    expect(body.data.oldSecretsExpireAt).toBeNull();
  });
});

describe('an endpoint that fails', () => {
  it('gets the same event again under the same id, with a fresh timestamp, until it takes it', async () => {
    const { path, webhook, at } = await endpoint((res, hit) => status(hit < 3 ? 500 : 200)(res));
    await emit([deleted()]);
    const delivery = await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    expect(delivery).toMatchObject({ responseStatus: 200, nextAttemptAt: null });
    expect(delivery.attempts.map(({ number, responseStatus, error }) => ({ number, responseStatus, error }))).toEqual([
      { number: 1, responseStatus: 500, error: 'The endpoint answered 500.' },
      { number: 2, responseStatus: 500, error: 'The endpoint answered 500.' },
      { number: 3, responseStatus: 200, error: null },
    ]);
    expect(delivery.attempts[0]?.responseBody).toBe('answer 500');
    const requests = receiver.at(path);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.eventId]));
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    for (const request of requests) {
      expect(verify(request, webhook.secret)).toBeDefined();
      expect(Math.abs(Number(request.headers['webhook-timestamp']) - request.at / 1000)).toBeLessThan(2);
    }
  });

  it('is disabled after the last attempt, its owners are told once, and nothing more is sent', async () => {
    const { path, webhook, member, at } = await endpoint(status(503));
    await emit([deleted(), deleted()]);
    await eventually(async () => {
      const deliveries = await deliveriesOf(t, member, webhook.id);
      return deliveries.every((delivery) => delivery.status === 'failed') || undefined;
    });
    const { body } = await t.as(member, { url: `/api/v1/webhooks/${webhook.id}` });
    expect(body.data).toMatchObject({ enabled: false, disabledReason: 'failing' });
    expect(Math.abs(Date.now() - Date.parse(body.data.disabledAt))).toBeLessThan(10_000);
    const told = await t.deps.connections.system`
      select data from outbox where org_id = ${member.orgId} and type = 'webhook.disabled.mail.requested'`;
    expect(told.map(({ data }) => data)).toEqual([{ orgId: member.orgId, webhookId: webhook.id }]);
    const sent = receiver.at(path).length;
    expect(sent).toBeGreaterThanOrEqual(delaysMs.length + 1);
    await emit([deleted()]);
    await sleep(100);
    expect(receiver.at(path)).toHaveLength(sent);
    expect(await deliveriesOf(t, member, webhook.id)).toHaveLength(2);

    // Enabled again, it gets what it has missed, on request and under the old id.
    const [failed] = await deliveriesOf(t, member, webhook.id);
    const redeliver = () =>
      t.as(member, { method: 'POST', url: `/api/v1/webhooks/deliveries/${failed?.id}/redeliver` });
    expect(await redeliver()).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    answers.delete(path);
    const enabled = await t.as(member, {
      method: 'PATCH',
      url: `/api/v1/webhooks/${webhook.id}`,
      payload: { enabled: true },
    });
    expect(enabled.body.data).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null });
    expect(await redeliver()).toMatchObject({ status: 200, body: { data: { status: 'pending' } } });
    const delivery = await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    expect(delivery.attempts.at(-1)).toMatchObject({ number: (failed?.attempts.length ?? 0) + 1, responseStatus: 204 });
    expect(receiver.at(path).at(-1)?.headers['webhook-id']).toBe(failed?.eventId);
  });

  it('is named by its status in the run, which is found by the call', async () => {
    const { at } = await endpoint((res, hit) => status(hit === 1 ? 500 : 410)(res));
    const event = deleted();
    await emit([event]);
    await deliveryThat(t, at, (delivery) => delivery.status === 'failed');
    const { recordId } = event.data as { recordId: string };
    const run = await eventually(async () => {
      const [found] = await t.deps.connections.system<{ id: string; event: { data: object }; output: object }[]>`
        select id, event, output from engine_runs where event->'data'->>'recordId' = ${recordId} and status = 'completed'`;
      return found;
    });
    expect(run.output).toEqual({ outcome: 'failed', httpStatus: 410, error: 'The endpoint answered 410.', recordId });
    expect(Object.keys(run.event.data).toSorted()).toEqual(
      ['deliveryId', 'orderId', 'orgId', 'recordId', 'requestId', 'webhookId'].toSorted(),
    );
    const [first] = await t.deps.connections.system`
      select data from engine_steps where run_id = ${run.id} and name = 'attempt-1'`;
    expect(first).toMatchObject({ data: { outcome: 'waiting', httpStatus: 500, error: 'The endpoint answered 500.' } });
  });

  it('is disabled at once by 410', async () => {
    const { path, webhook, member, at } = await endpoint(status(410));
    await emit([deleted()]);
    await deliveryThat(t, at, ({ status }) => status === 'failed');
    const { body } = await t.as(member, { url: `/api/v1/webhooks/${webhook.id}` });
    expect(body.data).toMatchObject({ enabled: false, disabledReason: 'gone' });
    expect(receiver.at(path)).toHaveLength(1);
  });

  it('is not disabled by a test, which is sent once and also while it is disabled', async () => {
    const { path, webhook, member, at } = await endpoint(status(500));
    await t.as(member, { method: 'POST', url: `/api/v1/webhooks/${webhook.id}/test` });
    await deliveryThat(t, at, ({ status }) => status === 'failed');
    const url = `/api/v1/webhooks/${webhook.id}`;
    expect((await t.as(member, { url })).body.data.enabled).toBe(true);
    await t.as(member, { method: 'PATCH', url, payload: { enabled: false } });
    answers.delete(path);
    await t.as(member, { method: 'POST', url: `${url}/test` });
    const delivery = await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    expect(delivery).toMatchObject({ eventType: 'webhook.test', responseStatus: 204 });
    expect(receiver.at(path)).toHaveLength(2);
  });

  it('is not asked sooner than it wants to be', async () => {
    const { path, at } = await endpoint((res, hit) =>
      hit === 1 ? status(429, { 'retry-after': '1' })(res) : status(200)(res),
    );
    await emit([deleted()]);
    await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    const [first, second] = receiver.at(path);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  it.each([301, 302, 303, 307, 308])('by a redirect (%i) leads nowhere', async (code) => {
    const target = (other = await startReceiver());
    const { at } = await endpoint(status(code, { location: target.url('/elsewhere') }));
    await emit([deleted()]);
    const delivery = await deliveryThat(t, at, ({ attempts }) => attempts.length > 0);
    const error = `The endpoint answered ${code}. Redirects are not followed.`;
    expect(delivery.attempts[0]).toMatchObject({ responseStatus: code, error });
    expect(target.received).toHaveLength(0);
  });

  it('by silence has 15 seconds, here a little less, and that is all', async () => {
    const { at } = await endpoint(() => {});
    const from = Date.now();
    await emit([deleted()]);
    const delivery = await deliveryThat(t, at, ({ attempts }) => attempts.length > 0);
    expect(Date.now() - from).toBeLessThan(timeoutMs * 5);
    const [attempt] = delivery.attempts;
    expect(attempt).toMatchObject({ responseStatus: null, responseBody: null });
    expect(attempt?.error).toMatch(/^No answer came from the address\./);
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(timeoutMs - 20);
  });

  it('by a refused connection says so, and not how it failed', async () => {
    const closed = await startReceiver();
    const url = closed.url('/');
    await closed.close();
    org = await t.createOrg();
    const webhook = await createWebhook(t, org, { url, events: ['record.deleted'] });
    await emit([deleted()]);
    const at = { member: org, webhookId: webhook.id };
    const delivery = await deliveryThat(t, at, ({ attempts }) => attempts.length > 0);
    expect(delivery.attempts[0]?.error).toMatch(/^No answer came from the address\./);
    expect(delivery.attempts[0]?.error).not.toContain('ECONNREFUSED');
  });
});

describe('an answer', () => {
  it('counts by its status, whatever follows it: no more than the first 1,024 bytes are read and kept', async () => {
    const { at } = await endpoint((res) => {
      res.writeHead(200);
      // Without an end.
      const pour = (): void => void (res.destroyed || (res.write('é'.repeat(50_000)), setTimeout(pour, 5)));
      pour();
    });
    await emit([deleted()]);
    const delivery = await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    expect(delivery.attempts[0]?.responseBody).toBe('é'.repeat(512));
  });

  it('that begins and hangs is taken for what its status says', async () => {
    const { at } = await endpoint((res) => void res.writeHead(200).write('so far\0'));
    await emit([deleted()]);
    const delivery = await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    expect(delivery.attempts[0]?.responseBody).toBe('so far\ufffd');
  });
});

describe('an endpoint that is changed meanwhile', () => {
  it('gets nothing after it was disabled: what waits for it fails and says why', async () => {
    // The next attempt comes when the endpoint asks for it: long after what happens here.
    const { path, webhook, member, at } = await endpoint(status(500, { 'retry-after': '2' }));
    await emit([deleted()]);
    await deliveryThat(t, at, ({ attempts }) => attempts.length === 1);
    const url = `/api/v1/webhooks/${webhook.id}`;
    await t.as(member, { method: 'PATCH', url, payload: { enabled: false } });
    const delivery = await deliveryThat(t, at, ({ status }) => status === 'failed');
    expect(delivery.attempts.at(-1)?.error).toBe('The webhook was disabled, so nothing was sent.');
    expect(receiver.at(path)).toHaveLength(1);
    expect((await t.as(member, { url })).body.data).toMatchObject({ enabled: false, disabledReason: null });
  });

  it('leaves nothing behind when it is deleted', async () => {
    const { path, webhook, member } = await endpoint(status(500));
    await emit([deleted()]);
    await eventually(() => receiver.at(path).length > 0 || undefined);
    expect((await t.as(member, { method: 'DELETE', url: `/api/v1/webhooks/${webhook.id}` })).status).toBe(204);
    const rows = await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`select from webhook_deliveries where org_id = ${member.orgId}`,
    );
    expect(rows).toHaveLength(0);
    await eventually(async () => {
      const runs = await t.deps.connections.system`
        select from engine_runs where status = 'running' and event->'data'->>'webhookId' = ${webhook.id}`;
      return runs.length === 0 || undefined;
    });
  });

  it('starts a new round by a redelivery, which ends the old one', async () => {
    const { path, member, at } = await endpoint(status(500, { 'retry-after': '1' }));
    const event = deleted();
    await emit([event]);
    const first = await deliveryThat(t, at, ({ attempts }) => attempts.length === 1);
    answers.delete(path);
    const url = `/api/v1/webhooks/deliveries/${first.id}/redeliver`;
    expect((await t.as(member, { method: 'POST', url })).status).toBe(200);
    await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    const sent = receiver.at(path).length;
    // The old round would have gone on by now.
    await sleep(1_500);
    expect(receiver.at(path)).toHaveLength(sent);
    const { recordId } = event.data as { recordId: string };
    expect(await recordsOfRounds(first.id)).toEqual([recordId, recordId]);
  });
});

describe('the sweep', () => {
  it('sets a delivery going again whose order was lost', async () => {
    const { path, webhook, member, at } = await endpoint();
    const admin = (work: Parameters<typeof asAdmin>[1]) => asAdmin(t.deps.config.DATABASE_URL ?? '', work);
    await admin(async (sql) => {
      await sql`insert into webhook_deliveries (org_id, id, webhook_id, event_id, event_type, body, request_id, next_attempt_at)
        values (${member.orgId}, 'dlv_lost', ${webhook.id}, 'evt_lost', 'record.deleted', '{"data":{"recordId":"rec_lost"}}', 'evt_gone', now() - interval '10 minutes'),
               (${member.orgId}, 'dlv_old', ${webhook.id}, 'evt_old', 'record.deleted', '{}', 'evt_void', null)`;
      await sql`update webhook_deliveries set status = 'failed', created_at = now() - interval '31 days' where id = 'dlv_old'`;
    });
    const { system } = t.deps.connections;
    const id = newRunId();
    const event = { id, name: 'inngest/scheduled.timer', data: { cron: '* * * * *' }, ts: Date.now() };
    await system.begin(async (tx) => {
      await tx`insert into engine_runs (id, function_id, event_id, event, lane)
        values (${id}, 'earshot-sweep', ${id}, ${tx.json(event)}, 'earshot-sweep:')`;
      await tx`insert into engine_queue (run_id, step_id, function_id, lane)
        values (${id}, 'step', 'earshot-sweep', 'earshot-sweep:')`;
      await tx`select pg_notify('earshot_engine', '')`;
    });
    const delivery = await deliveryThat(t, at, ({ status }) => status === 'succeeded');
    expect(delivery.id).toBe('dlv_lost');
    expect(receiver.at(path).map(({ headers }) => headers['webhook-id'])).toEqual(['evt_lost']);
    expect(await recordsOfRounds('dlv_lost')).toEqual(['rec_lost']);
    await eventually(async () => (await deliveriesOf(t, member, webhook.id)).length === 1 || undefined);
  });
});
