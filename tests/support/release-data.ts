import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { buildDeps } from '../../src/deps.ts';
import type { Role } from '../../src/model/role.ts';
import { addMember } from '../../src/domain/orgs/service.ts';
import { createOrg } from '../../src/domain/onboarding/service.ts';
import { upsertInstallation } from '../../src/domain/portals/installation-queries.ts';
import { issueToken } from '../../src/domain/tokens/service.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { formBytes, formType, makeAudio } from '../api/upload-support.ts';
import { callVtt } from '../pipeline/support/calls.ts';
import { seedEveryTable } from '../security/rls-seed.ts';
import type { TestApp, TestMember } from './app.ts';

/**
 * What a release is remembered by: data of every kind, made by its own code, and what its API said about them. This file runs
 * on the code of older releases as well, so it uses what they have.
 */
export type ReleaseData = {
  version: string;
  /** Owners, who read everything. */
  readers: { orgId: string; token: string }[];
  /** Uploaded while nothing worked on it: whoever runs the pipeline next does. */
  waitingRecordId: string;
  answers: Answer[];
};

/** `reader` counts `readers`. */
export type Answer = { reader: number; path: string; status: number; body: unknown };

type OpenOptions = { dataDir: string; env?: Record<string, string> };

/** The whole service on a data folder, embedded database included, with its pipeline stopped. */
export async function openService({ dataDir, env = {} }: OpenOptions): Promise<TestApp> {
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '0',
    OUTBOUND_ALLOW: '127.0.0.1',
  };
  const config = loadConfig({ ...settings, ...env });
  const deps = await buildDeps(config, createLogger(config.LOG_LEVEL, process.stderr));
  const app = await buildApp(deps);
  let members = 0;
  const operator = { db: deps.services.db, system: deps.connections.system };

  async function member(orgId: string, projectId: string, userId: string): Promise<TestMember> {
    const issue = { name: 'Token of the release', expiresAt: null };
    const { token } = await deps.services.db.withOrg(orgId, (tx) => issueToken(tx, userId, issue));
    return { orgId, projectId, userId, token, headers: headersOf({ orgId, token }) };
  }

  return {
    app,
    deps,
    dataDir,
    async createOrg(name = 'Northwind Energy') {
      const owner = `owner@${name.toLowerCase().replace(/\W+/g, '-')}.example`;
      const { orgId, projectId, userId } = await createOrg(operator, { name, owner });
      return member(orgId, projectId, userId);
    },
    async addMember({ orgId, projectId }, role: Role, projectIds = null) {
      const { userId } = await addMember(operator, {
        orgId,
        email: `${role}-${++members}@northwind.example`,
        role,
        projectIds,
      });
      return member(orgId, projectId, userId);
    },
    async as({ headers }, request) {
      const response = await app.inject({ ...request, headers: { ...headers, ...request.headers } });
      const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
      const body = isJson && response.body ? response.json() : response.body;
      return { status: response.statusCode, headers: response.headers, body };
    },
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await app.close();
      await deps.close();
    },
  };
}

export function headersOf({ orgId, token }: { orgId: string; token: string }): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-selected-org-id': orgId };
}

/** Fills a new service. Begins and ends its pipeline, so that runs of every kind are left. */
export async function makeReleaseData(t: TestApp, version: string): Promise<ReleaseData> {
  // Before the pipeline runs: rows as the service would have written them, at least one a table.
  const other = await t.createOrg('Every Table');
  await seedEveryTable(t, other);
  await settleSeeded(t);
  const owner = await t.createOrg();
  await t.deps.start();
  await makeCalls(t, owner);
  await t.deps.services.pipeline.stop();
  const waitingRecordId = await uploadCall(t, owner, { metadata: { externalId: 'waiting' } });
  const readers = [owner, other].map(({ orgId, token }) => ({ orgId, token }));
  return { version, readers, waitingRecordId, answers: await readEverything(t, readers) };
}

/** The pipeline would go on with what was only put there. */
async function settleSeeded(t: TestApp): Promise<void> {
  const sql = t.deps.connections.system;
  await sql`update outbox set dispatched_at = now()`;
}

async function makeCalls(t: TestApp, owner: TestMember): Promise<void> {
  const post = (url: string, payload: object) => made(t, owner, { method: 'POST', url, payload });
  const agent = await t.addMember(owner, 'agent');
  await Promise.all((['admin', 'supervisor', 'reviewer'] as const).map((role) => t.addMember(owner, role)));
  await post('/users/invite', {
    email: 'invited@northwind.example',
    role: 'supervisor',
    projectIds: [owner.projectId],
  });
  const endpoint = { url: 'http://127.0.0.1:9/hooks', events: ['record.completed', 'alert.triggered'] };
  await post('/webhooks', endpoint);
  const condition = { field: 'qualityScore', operator: 'lt', value: 101 };
  await post('/alerts', { name: 'Every score', projectId: owner.projectId, condition, severity: 'info' });
  await made(t, owner, { method: 'PATCH', url: `/billing/budget/${owner.orgId}`, payload: { budgetLimit: 5000 } });
  const redacting = await post('/projects', { name: 'Redacted line', description: 'Takes cards' });
  const settings = { redactPii: true, retentionDays: 3650 };
  await made(t, owner, { method: 'PATCH', url: `/projects/${redacting}`, payload: { settings } });

  const record = await uploadCall(t, agent, {
    metadata: { agentName: 'Sarah Meyer', externalId: 'call-1', ticket: 'T-17' },
  });
  const card = callVtt.replace('four four seven one two nine', '4111 1111 1111 1111');
  const redacted = await uploadCall(t, owner, {
    projectId: redacting,
    transcript: card,
    metadata: { customerPhone: '+447700900123' },
  });
  await ended(t, owner, record);
  await ended(t, owner, redacted);
  const forbidden = { recordingUrl: 'http://10.0.0.1/call.wav', externalId: 'call-failed', projectId: owner.projectId };
  await ended(t, owner, await post('/records/ingest', forbidden));
  const unreachable = {
    recordingUrl: 'http://127.0.0.1:9/gone.wav',
    externalId: 'call-gone',
    projectId: owner.projectId,
  };
  await post('/records/ingest', { ...unreachable, crm: { entityType: 'DEAL', entityId: '42' }, direction: 'inbound' });
  await reviewCall(t, { owner, agent, record });
  await linkPortal(t, owner);
  await silent(t, owner, redacted);
  await eventually('a delivery that waits', async () => {
    const { body } = await t.as(owner, { url: '/api/v1/webhooks' });
    const deliveries = await t.as(owner, { url: `/api/v1/webhooks/${body.data[0].id}/deliveries` });
    return deliveries.body.data.some((delivery: { attempts: unknown[] }) => delivery.attempts.length > 0);
  });
}

async function reviewCall(
  t: TestApp,
  { owner, agent, record }: { owner: TestMember; agent: TestMember; record: string },
): Promise<void> {
  const first = await analysisOf(t, owner, record);
  const post = (member: TestMember, url: string, payload: object) => made(t, member, { method: 'POST', url, payload });
  await post(owner, `/analyses/${first}/annotations`, { text: 'Listen to this.', category: 'greeting' });
  const { body: profiles } = await t.as(owner, { url: '/api/v1/profiles' });
  await post(owner, `/analyses/${first}/re-analyze`, { profileId: profiles.data[0].id, reason: 'Once more.' });
  await eventually('the second analysis', async () => (await analysisOf(t, owner, record)) !== first);
  const second = await analysisOf(t, owner, record);
  await post(owner, `/analyses/${second}/review`, { verdict: 'approved', comment: 'Well done.' });
  await post(agent, `/analyses/${second}/review/dispute`, { comment: 'It was better than that.' });
  await post(owner, `/analyses/${second}/review/resolve`, { outcome: 'rejected', comment: 'It was not.' });
}

async function linkPortal(t: TestApp, { orgId, projectId, userId }: TestMember): Promise<void> {
  const { system } = t.deps.connections;
  const { secrets } = t.deps.services;
  const memberId = 'member-of-northwind';
  await system`
    insert into portals (org_id, id, member_id, domain, project_id)
    values (${orgId}, 'ptl_01kzw2m0f6e3m8jy2f0h5v7c9a', ${memberId}, 'northwind.bitrix24.com', ${projectId})`;
  await upsertInstallation(system, {
    memberId,
    domain: 'northwind.bitrix24.com',
    clientId: 'app.1',
    clientEndpoint: 'https://northwind.bitrix24.com/rest/',
    applicationTokenHash: randomBytes(32),
    accessToken: secrets.seal('access', memberId),
    refreshToken: secrets.seal('refresh', memberId),
  });
  await system`insert into identities (issuer, subject, user_id) values ('https://id.example.com', 'northwind', ${userId})`;
}

/** Until the muted form of a redacted recording is there. */
function silent(t: TestApp, owner: TestMember, id: string): Promise<void> {
  return eventually('the muted recording', async () => {
    const { status } = await t.as(owner, { url: `/api/v1/records/${id}/audio?redacted=true` });
    return status === 200;
  });
}

type Call = { projectId?: string; transcript?: string; metadata?: Record<string, unknown> };

async function uploadCall(t: TestApp, member: TestMember, call: Call): Promise<string> {
  const parts = [
    { name: 'projectId', content: call.projectId ?? member.projectId },
    { name: 'metadata', content: JSON.stringify(call.metadata ?? {}) },
    { name: 'transcript', fileName: 'call.vtt', type: 'text/vtt', content: call.transcript ?? callVtt },
    { name: 'file', fileName: 'call.mp3', content: await makeAudio('mp3', '-ar 8000 -b:a 8k') },
  ];
  const headers = { 'content-type': formType };
  return made(t, member, { method: 'POST', url: '/records/upload', headers, payload: formBytes(parts) });
}

/** Gives the id of what was made, where it has one. */
async function made(t: TestApp, member: TestMember, request: InjectOptions & { url: string }): Promise<string> {
  const headers = {
    'idempotency-key': `${request.method} ${request.url} ${randomBytes(6).toString('hex')}`,
    ...request.headers,
  };
  const { status, body } = await t.as(member, { ...request, headers, url: `/api/v1${request.url}` });
  if (status >= 300)
    throw new Error(`${request.method} ${request.url} was answered with ${status}: ${JSON.stringify(body)}`);
  return body.data?.id ?? '';
}

async function analysisOf(t: TestApp, member: TestMember, record: string): Promise<string> {
  return (await t.as(member, { url: `/api/v1/records/${record}` })).body.data.analysisId;
}

export async function ended(t: TestApp, member: TestMember, record: string): Promise<string> {
  let status = '';
  await eventually(`the end of ${record}`, async () => {
    status = (await t.as(member, { url: `/api/v1/records/${record}` })).body.data.status;
    return status === 'completed' || status === 'failed';
  });
  return status;
}

const deadlineMs = 120_000;

async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + deadlineMs;
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error(`Waited in vain for ${what}.`);
    await sleep(100);
  }
}

const everything = 'from=2020-01-01&to=2099-12-31';
/** What tells of the release and not of its data, and what is long and told in parts as well. */
const unremembered = new Set(['/health', '/profiles', '/profiles/templates']);

const queries: Record<string, string> = {
  '/search': '?q=refund',
  '/projects/{id}/stats': `?${everything}`,
  '/billing/usage/{orgId}': `?${everything}`,
};

/** Answers about the month until today say something else on another day. */
export function isAboutToday({ path }: Answer): boolean {
  return /^\/billing\/(?:summary|usage)\/[^?]*$/.test(path);
}

/** Every reading that the service's document has, of everything that its lists name. */
export async function readEverything(t: TestApp, readers: ReleaseData['readers']): Promise<Answer[]> {
  const document = (await t.app.inject('/openapi.json')).json() as { paths: Record<string, { get?: unknown }> };
  const paths = Object.keys(document.paths).filter((path) => document.paths[path]?.get && !unremembered.has(path));
  const answers: Answer[] = [];
  for (const [reader, credential] of readers.entries()) {
    const headers = headersOf(credential);
    const read = async (path: string) => {
      const response = await t.app.inject({ url: `/api/v1${path}`, headers });
      const isJson = String(response.headers['content-type']).startsWith('application/json');
      return {
        status: response.statusCode,
        body: isJson ? response.json() : { sizeBytes: response.rawPayload.length },
      };
    };
    for (const path of paths) {
      for (const address of await addressesOf(path.replace('{orgId}', credential.orgId), read)) {
        const url = `${address}${queries[path] ?? ''}`;
        answers.push({ reader, path: url, ...(await read(url)) });
      }
    }
  }
  return answers;
}

type Read = (path: string) => Promise<{ body: { data?: { id: string }[] } }>;

async function addressesOf(path: string, read: Read): Promise<string[]> {
  const [, list, id, rest] = /^(.*?)\/(\{\w+\})(.*)$/.exec(path) ?? [];
  if (list === undefined || rest === undefined || id === undefined) return [path];
  const { body } = await read(list);
  const found = Array.isArray(body.data) ? body.data : [];
  const addresses = await Promise.all(found.map((one) => addressesOf(`${list}/${one.id}${rest}`, read)));
  return addresses.flat();
}
