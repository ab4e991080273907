import { randomUUID } from 'node:crypto';
import createClient, { type Client } from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkPortal } from '../../src/domain/embedded/service.ts';
import { insertTranscript } from '../../src/domain/transcripts/queries.ts';
import { newProfile } from '../../src/domain/profiles/examples.ts';
import { suppliedTranscript } from '../pipeline/support/calls.ts';
import type { paths } from '../support/api-types.d.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { clientId, clientSecret, startBitrix24, type Bitrix24Server } from '../support/bitrix24-server.ts';
import { callEnd, createPortal, readLinkCode } from '../support/portal.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import { waitingMatch } from '../security/resources.ts';
import { createContract, operationsOf, type OpenApiJson } from './openapi-contract.ts';
import { wavHeader } from './upload-support.ts';

const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);

let t: TestApp;
let bitrix: Bitrix24Server;
let owner: TestMember;
let document: OpenApiJson;
let address: string;
let api: Client<paths>;
let header: { 'X-Selected-Org-ID': string };
/** `METHOD /path/{id}` of what has succeeded. */
const called = new Set<string>();

beforeAll(async () => {
  bitrix = await startBitrix24();
  const env = { BITRIX24_CLIENT_ID: clientId, BITRIX24_CLIENT_SECRET: clientSecret };
  t = await createTestApp({
    env: { ...env, BITRIX24_OAUTH_URL: bitrix.baseUrl, OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'error' },
  });
  owner = await t.createOrg();
  document = (await t.app.inject('/openapi.json')).json();
  header = { 'X-Selected-Org-ID': owner.orgId };
  address = await t.listen();
  api = createClient<paths>({
    baseUrl: `${address}/api/v1`,
    headers: { Authorization: `Bearer ${owner.token}` },
  });
  holdToContract(api);
});
afterAll(async () => {
  await t.close();
  await bitrix.close();
});

/** Every answer that the client gets is held against the document; those of success are counted. */
function holdToContract(client: Client<paths>): void {
  const contract = createContract(document);
  const ids = new Map(
    operationsOf(document).map(({ method, path, operation }) => [`${method} ${path}`, operation.operationId]),
  );
  client.use({
    async onResponse({ request, schemaPath, response }) {
      const operation = `${request.method} ${schemaPath}`;
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const copy = response.clone();
      const body: unknown = isJson ? await copy.json() : await copy.text();
      const headers = Object.fromEntries(response.headers);
      contract.check(ids.get(operation) ?? operation, { status: response.status, headers, body });
      if (response.ok) called.add(operation);
    },
  });
}

type Outcome<T> = { data?: T; error?: unknown; response: Response };

/** What a successful call answers with. */
async function ok<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (data === undefined) throw new Error(`${response.status} from ${response.url}: ${JSON.stringify(error)}`);
  return data;
}

async function statusOf(call: Promise<Outcome<unknown>>): Promise<number> {
  return (await call).response.status;
}

async function newAnalysis(): Promise<{ recordId: string; analysisId: string }> {
  const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
  return { recordId, analysisId: await seedAnalysis(t, owner, { recordId }) };
}

describe('the generated client, on the running service,', () => {
  it('asks for health and who belongs to the organization', async () => {
    expect((await ok(api.GET('/health'))).data.status).toBe('ok');
    expect((await ok(api.GET('/me'))).data.user.id).toBe(owner.userId);
    const member = await t.addMember(owner, 'agent');
    const users = await ok(api.GET('/users', { params: { header, query: { pageSize: 50 } } }));
    expect(users.meta.total).toBe(users.data.length);
    const body = { email: 'invited@example.com', role: 'reviewer' as const, projectIds: [owner.projectId] };
    const invited = await ok(api.POST('/users/invite', { params: { header }, body }));
    expect(invited.data.status).toBe('invited');
    const params = { header, path: { id: member.userId } };
    expect((await ok(api.GET('/users/{id}', { params }))).data.role).toBe('agent');
    expect((await ok(api.PATCH('/users/{id}', { params, body: { role: 'supervisor' } }))).data.role).toBe('supervisor');
    expect(await statusOf(api.DELETE('/users/{id}', { params }))).toBe(204);
  });

  it('decides on sign-ins that wait, and keeps the rules for signing in', async () => {
    for (const decision of ['confirm', 'refuse'] as const) {
      const id = await waitingMatch(t, (await t.addMember(owner, 'agent')).userId);
      const waiting = await ok(api.GET('/users/matches', { params: { header } }));
      expect(waiting.data.map((match) => match.id)).toEqual([id]);
      const params = { header, path: { id } };
      const decided =
        decision === 'confirm'
          ? api.POST('/users/matches/{id}/confirm', { params })
          : api.POST('/users/matches/{id}/refuse', { params });
      expect(await statusOf(decided)).toBe(204);
    }
    const body = { ownersNeedSecondFactor: false };
    const changed = await ok(api.PATCH('/sign-in-rules', { params: { header }, body }));
    expect((await ok(api.GET('/sign-in-rules', { params: { header } }))).data).toEqual(changed.data);
  });

  it('keeps projects and their statistics', async () => {
    const created = await ok(api.POST('/projects', { params: { header }, body: { name: 'Client' } }));
    const params = { header, path: { id: created.data.id } };
    const projects = await ok(api.GET('/projects', { params: { header } }));
    expect(projects.data.map(({ name }) => name)).toContain('Client');
    expect((await ok(api.GET('/projects/{id}', { params }))).data.recordCount).toBe(0);
    expect((await ok(api.PATCH('/projects/{id}', { params, body: { language: 'en' } }))).data.language).toBe('en');
    const period = { from: '2026-01-01', to: '2026-01-31' };
    const stats = await ok(api.GET('/projects/{id}/stats', { params: { ...params, query: period } }));
    expect(stats.data.averageQualityScore).toBeNull();
    expect(await statusOf(api.DELETE('/projects/{id}', { params: { ...params, query: { force: true } } }))).toBe(204);
  });

  it('keeps profiles', async () => {
    const created = await ok(api.POST('/profiles', { params: { header }, body: newProfile }));
    const params = { header, path: { id: created.data.id } };
    expect((await ok(api.GET('/profiles', { params: { header } }))).meta.total).toBe(2);
    expect((await ok(api.GET('/profiles/{id}', { params }))).data.version).toBe(1);
    const renamed = await ok(api.PATCH('/profiles/{id}', { params, body: { name: 'Renamed' } }));
    expect(renamed.data.name).toBe('Renamed');
    expect((await ok(api.GET('/profiles/templates', { params: { header } }))).data).toHaveLength(4);
    const { recordId } = await newAnalysis();
    const preview = await ok(api.POST('/profiles/{id}/preview', { params, body: { recordId } }));
    expect(preview.data).toMatchObject({ recordId, profile: { version: 1 } });
    expect(await statusOf(api.DELETE('/profiles/{id}', { params }))).toBe(204);
  });

  it('uploads a recording, listens to it and deletes it', async () => {
    const form = new FormData();
    form.set('file', new Blob([wav], { type: 'audio/wav' }), 'call.wav');
    form.set('projectId', owner.projectId);
    const uploaded = await ok(
      api.POST('/records/upload', {
        params: { header },
        body: { file: 'call.wav', projectId: owner.projectId },
        bodySerializer: () => form,
      }),
    );
    const params = { header, path: { id: uploaded.data.id } };
    expect((await ok(api.GET('/records/{id}', { params }))).data.file?.size).toBe(wav.length);
    const audio = await api.GET('/records/{id}/audio', { params, parseAs: 'arrayBuffer' });
    expect(Buffer.from(audio.data ?? new ArrayBuffer()).equals(wav)).toBe(true);
    const player = await ok(api.POST('/records/{id}/playback', { params }));
    expect((await fetch(new URL(player.data.url, address))).status).toBe(200);
    const corrected = await ok(api.PATCH('/records/{id}', { params, body: { tags: ['heard'] } }));
    expect(corrected.data.tags).toEqual(['heard']);
    const changes = await ok(api.GET('/records/{id}/changes', { params }));
    expect(changes.data[0]?.changes).toEqual([{ field: 'tags', from: [], to: ['heard'] }]);
    const head = await api.HEAD('/records/{id}/audio', { params });
    expect(head.response.headers.get('content-length')).toBe(String(wav.length));
    expect(await statusOf(api.DELETE('/records/{id}', { params }))).toBe(204);
  });

  it('ingests a call, finds it, and reads its transcript', async () => {
    // Nothing is found there, which is no concern of who only hands the call over.
    const recordingUrl = `${bitrix.baseUrl}/call.mp3`;
    const body = { externalId: 'client-1', projectId: owner.projectId, recordingUrl };
    const ingested = await ok(api.POST('/records/ingest', { params: { header }, body }));
    expect(ingested.data.status).toBe('pending');
    const query = { projectId: owner.projectId, sort: 'createdAt' as const, order: 'desc' as const };
    const list = await ok(api.GET('/records', { params: { header, query } }));
    expect(list.data.map(({ id }) => id)).toContain(ingested.data.id);
    const failure = { code: 'AUDIO_UNREADABLE', message: 'No audio.', retryable: true };
    const [failed = ''] = await seedRecords(t, owner, [{ status: 'failed', failure }]);
    const retried = await ok(api.POST('/records/{id}/retry', { params: { header, path: { id: failed } } }));
    expect(retried.data.status).toBe('pending');
    const { recordId } = await newAnalysis();
    const captions = { params: { header, path: { id: recordId }, query: { format: 'srt' } }, parseAs: 'text' } as const;
    expect(await ok(api.GET('/records/{id}/captions', captions))).toContain('Hello.');
    const transcript = await ok(
      api.GET('/records/{id}/transcript', { params: { header, path: { id: recordId }, query: { format: 'json' } } }),
    );
    expect(typeof transcript === 'object' && transcript.data.segments.map(({ text }) => text)).toEqual(['Hello.']);
  });

  it('reads analyses, annotates them and has them made anew', async () => {
    const { recordId, analysisId } = await newAnalysis();
    const params = { header, path: { id: analysisId } };
    expect((await ok(api.GET('/analyses', { params: { header, query: { recordId } } }))).meta.total).toBe(1);
    const analysis = await ok(api.GET('/analyses/{id}', { params }));
    expect(analysis.data.qualityScore).toBe(80);
    const note = { text: 'Well handled.', type: 'praise' as const };
    const annotation = await ok(api.POST('/analyses/{id}/annotations', { params, body: note }));
    expect((await ok(api.GET('/analyses/{id}/annotations', { params }))).meta.total).toBe(1);
    const path = { id: analysisId, annotationId: annotation.data.id };
    const found = await ok(api.GET('/analyses/{id}/annotations/{annotationId}', { params: { header, path } }));
    expect(found.data.text).toBe('Well handled.');
    const one = { params: { header, path } };
    const body = { text: 'Very well handled.' };
    expect((await ok(api.PATCH('/analyses/{id}/annotations/{annotationId}', { ...one, body }))).data.type).toBe(
      'praise',
    );
    expect(await statusOf(api.DELETE('/analyses/{id}/annotations/{annotationId}', one))).toBe(204);
    const { id: profileId } = analysis.data.profile;
    const order = await ok(api.POST('/analyses/{id}/re-analyze', { params, body: { profileId } }));
    expect(order.data.previousAnalysisId).toBe(analysisId);
  });

  it('has the speakers of a call swapped', async () => {
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
    const { db } = t.deps.services;
    await db.withOrg(owner.orgId, (tx) => insertTranscript(tx, { ...suppliedTranscript(recordId), version: 1 }));
    const analysisId = await seedAnalysis(t, owner, { recordId });
    const params = { header, path: { id: recordId } };
    const order = await ok(api.POST('/records/{id}/swap-speakers', { params, body: { reason: 'Reversed.' } }));
    expect(order.data.previousAnalysisId).toBe(analysisId);
  });

  it('reviews an analysis, disputes the review and resolves that', async () => {
    const { analysisId } = await newAnalysis();
    const params = { header, path: { id: analysisId } };
    const submitted = await ok(api.POST('/analyses/{id}/review', { params, body: { verdict: 'approved' } }));
    expect(submitted.data.revision).toBe(1);
    await ok(api.POST('/analyses/{id}/review/dispute', { params, body: { comment: 'I see it otherwise.' } }));
    const resolution = { outcome: 'rejected' as const, comment: 'It stands.' };
    await ok(api.POST('/analyses/{id}/review/resolve', { params, body: resolution }));
    expect((await ok(api.GET('/analyses/{id}/review', { params }))).data.status).toBe('resolved');
    expect((await ok(api.GET('/analyses/{id}/review/history', { params }))).meta.total).toBe(3);
  });

  it('keeps alert rules and lists what they fired on', async () => {
    const body = { name: 'Low score', condition: { field: 'qualityScore', operator: 'lt' as const, value: 60 } };
    const created = await ok(api.POST('/alerts', { params: { header }, body }));
    const params = { header, path: { id: created.data.id } };
    expect((await ok(api.GET('/alerts', { params: { header } }))).meta.total).toBe(1);
    expect((await ok(api.GET('/alerts/{id}', { params }))).data.name).toBe('Low score');
    expect((await ok(api.PATCH('/alerts/{id}', { params, body: { enabled: false } }))).data.enabled).toBe(false);
    expect((await ok(api.GET('/alerts/{id}/events', { params }))).data).toEqual([]);
    expect(await statusOf(api.DELETE('/alerts/{id}', { params }))).toBe(204);
  });

  it('keeps webhooks, tests them and sends events again', async () => {
    const url = `${bitrix.baseUrl}/hooks`;
    const created = await ok(api.POST('/webhooks', { params: { header }, body: { url, events: ['record.failed'] } }));
    expect(created.data.secret).toMatch(/^whsec_/);
    const params = { header, path: { id: created.data.id } };
    expect((await ok(api.GET('/webhooks', { params: { header } }))).meta.total).toBe(1);
    expect((await ok(api.GET('/webhooks/{id}', { params }))).data.enabled).toBe(true);
    const events = ['record.deleted' as const];
    expect((await ok(api.PATCH('/webhooks/{id}', { params, body: { events } }))).data.events).toEqual(events);
    const rotated = await ok(api.POST('/webhooks/{id}/rotate-secret', { params }));
    expect(rotated.data.secret).not.toBe(created.data.secret);
    const test = await ok(api.POST('/webhooks/{id}/test', { params }));
    expect(test.data.status).toBe('pending');
    const query = { pageSize: 10 };
    const deliveries = await ok(api.GET('/webhooks/{id}/deliveries', { params: { ...params, query } }));
    expect(deliveries.data.map(({ id }) => id)).toEqual([test.data.id]);
    const path = { id: test.data.id };
    const again = await ok(api.POST('/webhooks/deliveries/{id}/redeliver', { params: { header, path } }));
    expect(again.data.eventId).toBe(test.data.eventId);
    expect(await statusOf(api.DELETE('/webhooks/{id}', { params }))).toBe(204);
  });

  it('reads usage and credits, and sets a budget', async () => {
    const params = { header, path: { orgId: owner.orgId } };
    const set = await ok(api.PATCH('/billing/budget/{orgId}', { params, body: { budgetLimit: 100 } }));
    expect(set.data.budgetLimit).toBe(100);
    expect((await ok(api.GET('/billing/summary/{orgId}', { params }))).data.budgetLimit).toBe(100);
    const query = { granularity: 'day' as const, groupBy: 'project' as const };
    const usage = await ok(api.GET('/billing/usage/{orgId}', { params: { ...params, query } }));
    expect(usage.data.totals.records).toBe(0);
    const credits = await ok(api.GET('/billing/credits/{orgId}', { params }));
    expect(credits.meta.total).toBe(credits.data.length);
  });

  it('searches what was said', async () => {
    const { recordId } = await newAnalysis();
    const found = await ok(api.GET('/search', { params: { header, query: { q: 'hello', limit: 100 } } }));
    expect(found.meta.query).toBe('hello');
    expect(found.data.map((hit) => hit.recordId)).toContain(recordId);
  });

  it('signs in and out inside a CRM frame', async () => {
    const { services, connections } = t.deps;
    const portal = { memberId: randomUUID().replaceAll('-', ''), domain: bitrix.domain };
    await linkPortal({ db: services.db, system: connections.system }, owner.orgId, portal);
    const authId = randomUUID();
    bitrix.users.set(1, { id: 1, isAdmin: false, firstName: 'Vera', lastName: 'Orlova' });
    bitrix.grants.set(authId, { clientId, ...portal, userId: 1 });
    const body = { ...portal, authId, refreshId: 'none' };
    const session = await ok(api.POST('/embedded/auth', { body }));
    expect(session.data.org.id).toBe(owner.orgId);
    expect(await statusOf(api.DELETE('/embedded/auth'))).toBe(204);
  });

  it('links a portal, hears of its calls and unlinks it', async () => {
    const portal = createPortal(bitrix);
    const code = await readLinkCode(t, bitrix, portal);
    const given = { domain: bitrix.domain, code, projectId: owner.projectId };
    const linked = await ok(api.POST('/integrations/bitrix24/portals', { params: { header }, body: given }));
    const event = {
      event: 'ONVOXIMPLANTCALLEND',
      'auth[member_id]': portal.memberId,
      'auth[application_token]': portal.applicationToken,
      'data[CALL_ID]': 'client-call',
      'data[CALL_DURATION]': callEnd('client-call')['CALL_DURATION'] ?? '',
    };
    const bodySerializer = () => new URLSearchParams(event).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const told = await ok(api.POST('/integrations/bitrix24/events', { body: event, bodySerializer, headers }));
    expect(told.data).toEqual({ outcome: 'accepted', reason: null });
    const portals = await ok(api.GET('/integrations/bitrix24/portals', { params: { header } }));
    expect(portals.data.map(({ id }) => id)).toContain(linked.data.id);
    const query = { portalId: linked.data.id };
    const calls = await ok(api.GET('/integrations/bitrix24/calls', { params: { header, query } }));
    expect(calls.data.map(({ callId }) => callId)).toEqual(['client-call']);
    const params = { header, path: { id: linked.data.id } };
    const settings = { durationMinSeconds: 10 };
    const changed = await ok(api.PATCH('/integrations/bitrix24/portals/{id}', { params, body: { settings } }));
    expect(changed.data.settings.durationMinSeconds).toBe(10);
    const { data: read } = await ok(api.GET('/integrations/bitrix24/portals/{id}', { params }));
    // The pipeline may ask the portal for missed calls at any time, which changes when it was asked and updated.
    const { reconciledAt, updatedAt } = read;
    expect(read).toEqual({ ...changed.data, reconciledAt, updatedAt });
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(changed.data.updatedAt));
    expect(await statusOf(api.DELETE('/integrations/bitrix24/portals/{id}', { params }))).toBe(204);
  });

  it('has called every operation with success: a new one needs a call above', () => {
    const documented = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(documented.filter((operation) => !called.has(operation))).toEqual([]);
  });
});
