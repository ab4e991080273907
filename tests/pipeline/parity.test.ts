import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitEvents } from '../../src/domain/events/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import type { TestMember } from '../support/app.ts';
import { callEnd, createPortal, linkPortalOf, sendEvent } from '../support/portal.ts';
import { createWebhook } from '../support/webhooks.ts';
import { callVtt, suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually, sleep } from './support/hosts.ts';
import { startWorld, type World } from './support/parity-world.ts';
import { serviceKinds, type DrivenService } from './support/services.ts';

type Body = ReturnType<typeof JSON.parse>;

// A server polls its queues, and waits between the steps of a run: its time is not the embedded engine's.
const patienceMs = 60_000;

// Every durable function, whoever runs it: what users see in the end is the same.
describe.each(serviceKinds)('the service on the $name', ({ isAvailable, start }) => {
  describe.runIf(isAvailable)('when it is there', () => {
    let world: World;
    let t: DrivenService;

    beforeAll(async () => {
      world = await startWorld();
      t = await start(world.env);
    }, patienceMs);
    afterAll(async () => {
      await t.close();
      await world.close();
    });

    const soon = <T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> => eventually(read, patienceMs);
    const request = async (
      member: TestMember,
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      payload?: object,
    ) => {
      const { status, body } = await t.as(member, { method, url: `/api/v1${path}`, ...(payload && { payload }) });
      expect({ path, status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) });
      return body?.data as Body;
    };
    const get = (member: TestMember, path: string): Promise<Body> => request(member, 'GET', path);
    const ended = (member: TestMember, path: string): Promise<Body> =>
      soon(async () => {
        const found = await get(member, path);
        return ['completed', 'failed'].includes(found.status) ? found : undefined;
      });

    /** A call whose recording lies at that path of the recordings' server. */
    async function ingest(
      member: TestMember,
      path: string,
      further: object = { transcript: callVtt },
    ): Promise<string> {
      const call = { externalId: randomUUID(), projectId: member.projectId, recordingUrl: world.recordings.url(path) };
      return (await request(member, 'POST', '/records/ingest', { ...call, ...further })).id;
    }

    const eventsOf = async (recordId: string): Promise<string[]> => {
      const rows = await t.deps.connections.system<{ type: string }[]>`
        select type from outbox where data->>'recordId' = ${recordId} order by id`;
      return rows.map(({ type }) => type);
    };
    const asOwner = <T>(work: Parameters<typeof asAdmin<T>>[1]) => asAdmin(t.deps.config.DATABASE_URL ?? '', work);

    it.concurrent('fetches a call that is busy at first, asks the model, publishes and charges it, each once', async () => {
      const member = await t.createOrg();
      const id = await ingest(member, '/busy-once.wav');
      const record = await ended(member, `/records/${id}`);
      expect(record).toMatchObject({ status: 'completed', stage: null, failure: null, duration: 2 });
      expect(world.busyAt).toHaveLength(2);
      expect((world.busyAt[1] ?? 0) - (world.busyAt[0] ?? 0)).toBeGreaterThanOrEqual(950);
      const analysis = await get(member, `/analyses/${record.analysisId}`);
      expect(analysis).toMatchObject({ version: 1, current: true, engine: { kind: 'model', fallback: null } });
      expect(analysis.modelUsage).toEqual({ inputTokens: 4000, outputTokens: 500, cost: 0.015 });
      expect(await eventsOf(id)).toEqual([
        'record.created',
        'record.process.requested',
        'analysis.completed',
        'record.completed',
      ]);
      expect((await get(member, `/billing/usage/${member.orgId}`)).totals).toMatchObject({
        records: 1,
        analysisCost: 0.025,
      });
      expect(await t.deps.connections.system`select from uploads where org_id = ${member.orgId}`).toHaveLength(0);
    });

    it.concurrent('changes nothing when an event is delivered again, under its id or another', async () => {
      const member = await t.createOrg();
      const id = await ingest(member, '/again.wav');
      const record = await ended(member, `/records/${id}`);
      await asOwner(
        (sql) => sql`
          update outbox set dispatched_at = null where data->>'recordId' = ${id} and type = 'record.process.requested'`,
      );
      await t.deps.services.db.withOrg(member.orgId, (tx) =>
        emitEvents(tx, [{ type: 'record.process.requested', data: { recordId: id, attempt: 1 } }]),
      );
      // Behind the two, in order: when it is through, they have been taken.
      await ended(member, `/records/${await ingest(member, '/behind.wav')}`);
      expect(await get(member, `/records/${id}`)).toEqual(record);
      const types = await eventsOf(id);
      expect(types.filter((type) => type === 'record.completed')).toHaveLength(1);
      expect((await get(member, `/billing/usage/${member.orgId}`)).totals.records).toBe(2);
    });

    it.concurrent.each([
      ['is gone', '/gone', 'FETCH_HTTP_STATUS'],
      ['is no recording', '/page', 'UNSUPPORTED_RECORDING'],
    ])(
      'fails a call whose recording %s at once, with the reason, and leaves nothing behind',
      async (_name, path, code) => {
        const member = await t.createOrg();
        const id = await ingest(member, path);
        const record = await ended(member, `/records/${id}`);
        expect(record).toMatchObject({ status: 'failed', failure: { code, retryable: false } });
        expect(world.recordings.hits.get(path)).toBe(1);
        expect((await eventsOf(id)).filter((type) => type === 'record.failed')).toHaveLength(1);
        await soon(async () => (await keysOf(member)).length === 0 || undefined);
      },
    );

    it.concurrent('hears a recording, redacts it, and makes the copy in which it is silent', async () => {
      const member = await t.createOrg();
      const supervisor = await t.addMember(member, 'supervisor');
      await request(member, 'PATCH', `/projects/${member.projectId}`, { settings: { redactPii: true } });
      const id = await ingest(member, '/tone.wav', {});
      expect(await ended(member, `/records/${id}`)).toMatchObject({ status: 'completed', failure: null });
      const transcript = await get(member, `/records/${id}/transcript`);
      expect(transcript).toMatchObject({ source: 'speech-to-text' });
      expect(transcript.text).toContain('Call me on [phone number] please.');
      const url = `/api/v1/records/${id}/audio`;
      const heard = await soon(async () => {
        const answer = await t.app.inject({ url, headers: supervisor.headers });
        return answer.statusCode === 409 ? undefined : answer;
      });
      expect(heard.statusCode).toBe(200);
      expect(heard.rawPayload.equals(world.tone)).toBe(false);
    });

    it.concurrent('leaves a call to the rules, with the reason, where the model refuses', async () => {
      const member = await t.createOrg();
      const id = await ingest(member, '/refused.wav', {
        transcript: callVtt.replaceAll('Tom Keller', world.refusedName),
      });
      const { analysisId } = await ended(member, `/records/${id}`);
      const analysis = await get(member, `/analyses/${analysisId}`);
      expect(analysis.engine).toMatchObject({ kind: 'rules', fallback: { code: 'ANALYSIS_UNAUTHORIZED' } });
      expect(analysis.qualityScore).toBeGreaterThan(60);
      expect((await get(member, `/billing/usage/${member.orgId}`)).totals.analysisCost).toBe(0.01);
    });

    it.concurrent('analyses a call anew, and the new version takes the place of the old one', async () => {
      const member = await t.createOrg();
      const check = { key: 'magic.word', title: 'Magic word', weight: 1, kind: 'phrase', phrases: ['abracadabra'] };
      const categories = [{ key: 'magic', title: 'Magic', weight: 1, checks: [check] }];
      const profile = await request(member, 'POST', '/profiles', { name: 'Strict', categories, compliance: [] });
      const recordId = await ingest(member, '/anew.wav');
      const { analysisId } = await ended(member, `/records/${recordId}`);
      const order = { profileId: profile.id };
      const { id } = await request(member, 'POST', `/analyses/${analysisId}/re-analyze`, order);
      expect(await ended(member, `/analyses/${id}`)).toMatchObject({ version: 2, current: true, qualityScore: 0 });
      expect(await get(member, `/analyses/${analysisId}`)).toMatchObject({ version: 1, current: false });
      expect(await get(member, `/records/${recordId}`)).toMatchObject({ analysisId: id, qualityScore: 0 });
    });

    it.concurrent('removes the recording of a deleted call', async () => {
      const member = await t.createOrg();
      const id = await ingest(member, '/deleted.wav');
      await ended(member, `/records/${id}`);
      expect(await keysOf(member)).toHaveLength(1);
      await request(member, 'DELETE', `/records/${id}`);
      await soon(async () => (await keysOf(member)).length === 0 || undefined);
    });

    it.concurrent('delivers to a webhook that fails at first, under one id, and disables one that is gone', async () => {
      const member = await t.createOrg();
      const events = ['record.deleted'];
      const failing = await createWebhook(t, member, { url: world.receiver.url('/fails-once'), events });
      const gone = await createWebhook(t, member, { url: world.receiver.url('/gone'), events });
      const data = { recordId: newRecordId(), projectId: member.projectId, externalId: null };
      await t.deps.services.db.withOrg(member.orgId, (tx) => emitEvents(tx, [{ type: 'record.deleted', data }]));
      const delivery = await soon(async () => {
        const [found] = await get(member, `/webhooks/${failing.id}/deliveries`);
        return found?.status === 'succeeded' ? found : undefined;
      });
      expect(delivery.attempts.map(({ responseStatus }: Body) => responseStatus)).toEqual([500, 204]);
      const requests = world.receiver.at('/fails-once');
      expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.eventId, delivery.eventId]);
      // Five seconds, as documented, with jitter.
      expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThan(3_500);
      for (const { body, headers } of requests) {
        expect(new Webhook(failing.secret).verify(body, headers)).toMatchObject({ type: 'record.deleted', data });
      }
      expect(await get(member, `/webhooks/${gone.id}`)).toMatchObject({ enabled: false, disabledReason: 'gone' });
      expect(world.receiver.at('/gone')).toHaveLength(1);
      const [owner] = await asOwner((sql) => sql`select email from users where id = ${member.userId}`);
      await soon(() => world.mailsTo(owner?.['email']).find(({ mail }) => mail.subject?.includes('is disabled')));
    });

    it.concurrent('mails an alert to everybody who can be reached, once', async () => {
      const member = await t.createOrg();
      const [here, there] = [`here-${randomUUID()}@example.com`, `there-${randomUUID()}@example.com`];
      const condition = { field: 'qualityScore', operator: 'gte', value: 0 };
      const recipients = [here, `gone-${randomUUID()}@example.com`, there];
      await request(member, 'POST', '/alerts', { name: 'Any call', condition, actions: ['email'], recipients });
      await ended(member, `/records/${await ingest(member, '/alert.wav')}`);
      await soon(() => (world.mailsTo(here).length > 0 && world.mailsTo(there).length > 0) || undefined);
      await sleep(500);
      expect([world.mailsTo(here).length, world.mailsTo(there).length]).toEqual([1, 1]);
    });

    it.concurrent('takes the calls of a portal, told of or found, and reports what came of them, once', async () => {
      const member = await t.createOrg();
      const { bitrix } = world;
      const portal = createPortal(bitrix);
      await linkPortalOf(t, { bitrix, member, portal });
      const told = world.addPortalCall();
      const data = callEnd(told.callId);
      expect((await sendEvent(t, 'ONVOXIMPLANTCALLEND', portal, { data })).statusCode).toBe(200);
      const found = world.addPortalCall();
      // Compared when it was linked; made due again, from before its calls on.
      await soon(async () => {
        const due = await t.deps.connections.system`
          update portals set reconcile_from = now() - interval '1 hour', reconciled_at = now() - interval '1 hour'
           where member_id = ${portal.memberId} and reconciled_at is not null returning 1`;
        return due.length > 0 || undefined;
      });
      await t.runScheduled('reconcile-portals');
      for (const [{ callId, entityId }, announcedBy] of [
        [told, 'event'],
        [found, 'reconciliation'],
      ] as const) {
        const call = await soon(async () => {
          const calls: Body[] = await get(member, '/integrations/bitrix24/calls');
          return calls.find((row) => row.callId === callId && row.status === 'taken');
        });
        expect(call).toMatchObject({ announcedBy });
        expect(await ended(member, `/records/${call.recordId}`)).toMatchObject({
          status: 'completed',
          source: 'bitrix24',
        });
        const comments = () => bitrix.portal.comments.filter(({ ENTITY_ID }) => ENTITY_ID === entityId);
        await soon(() => comments()[0]);
        expect(comments()).toHaveLength(1);
        expect(bitrix.portal.transcriptions.filter(({ CALL_ID }) => CALL_ID === callId)).toHaveLength(1);
      }
    });

    it.concurrent('sets a call going again whose order was lost', async () => {
      const member = await t.createOrg();
      const id = newRecordId();
      // Noted as handed over, which it never is.
      await asOwner(async (sql) => {
        await sql.unsafe(`create function lose() returns trigger language plpgsql as $$ begin
          if new.data->>'recordId' = '${id}' then new.dispatched_at := now(); end if; return new; end $$`);
        await sql`create trigger lose before insert on outbox for each row execute function lose()`;
      });
      await t.deps.services.db.withOrg(member.orgId, (tx) =>
        createRecord(tx, { id, projectId: member.projectId, source: 'upload' }, suppliedTranscript(id)),
      );
      await asOwner(async (sql) => {
        await sql`drop trigger lose on outbox`;
        await sql`update records set updated_at = now() - interval '2 hours' where id = ${id}`;
      });
      await t.runScheduled('sweep');
      expect(await ended(member, `/records/${id}`)).toMatchObject({ status: 'completed', failure: null });
    });

    it.concurrent('deletes what is older than its project keeps it', async () => {
      const member = await t.createOrg();
      await request(member, 'PATCH', `/projects/${member.projectId}`, { settings: { retentionDays: 30 } });
      const id = await ingest(member, '/old.wav');
      const record = await ended(member, `/records/${id}`);
      await asOwner((sql) => sql`update records set created_at = created_at - interval '40 days' where id = ${id}`);
      await t.runScheduled('retention');
      await soon(async () => (await keysOf(member)).length === 0 || undefined);
      const { qualityScore, contentDeletedAt } = await get(member, `/records/${id}`);
      expect(qualityScore).toBe(record.qualityScore);
      expect(contentDeletedAt).not.toBeNull();
    });

    async function keysOf(member: TestMember): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of t.deps.services.storage.list(`${member.orgId}/`)) keys.push(key);
      return keys;
    }
  });
});
