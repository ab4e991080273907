import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formBytes, formType } from '../api/upload-support.ts';
import { asAdmin, eventually } from '../pipeline/support/hosts.ts';
import { startReceiver, type Receiver } from '../pipeline/support/webhook-receiver.ts';
import { silentWav } from '../pipeline/support/recording-server.ts';
import { webhookEvents } from '../../src/domain/events/payloads.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createWebhook } from '../support/webhooks.ts';

/** Of nobody: a number that Ofcom keeps for fiction, and a card that payment providers give out for tests. */
const phone = '+447700900987';
const card = '4000 0566 5566 5556';
const spokenPhone = 'zero seven seven zero zero, nine zero zero nine eight seven';
const spokenCard = 'four zero zero zero, zero five six six, five five six six, five five five six';
const callVtt = `WEBVTT

00:01.000 --> 00:05.000
<v Agent>Thank you for calling Northwind Energy, my name is Sarah. How can I help you today?

00:06.000 --> 00:12.000
<v Customer>I was charged twice. My number is +44 7700 900987, please call me back on 07700 900987. That is ${spokenPhone}.

00:13.000 --> 00:18.000
<v Agent>I am sorry to hear that. May I have the number of the card that was charged?

00:19.000 --> 00:26.000
<v Customer>Yes, it is ${card}, and it expires in May. Once more, my card number is ${spokenCard}.

00:27.000 --> 00:33.000
<v Agent>Thank you. I will refund the second payment right away. Is there anything else I can help you with?

00:34.000 --> 00:36.000
<v Customer>No, that is all. Goodbye.
`;

let t: TestApp;
let owner: TestMember;
let agent: TestMember;
let recordId: string;
let receiver: Receiver;
let logged = '';

const log = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});

/** A call with all canaries in it, through the whole service, with everybody listening who can. */
beforeAll(async () => {
  t = await createTestApp({ env: { LOG_LEVEL: 'trace', OUTBOUND_ALLOW: '127.0.0.1' }, log });
  owner = await t.createOrg();
  receiver = await startReceiver();
  await createWebhook(t, owner, { url: receiver.url('/'), events: [...webhookEvents] });
  agent = await t.addMember(owner, 'agent');
  const post = (url: string, payload: object) => t.as(owner, { method: 'POST', url: `/api/v1${url}`, payload });
  await t.as(owner, {
    method: 'PATCH',
    url: `/api/v1/projects/${owner.projectId}`,
    payload: { settings: { redactPii: true } },
  });
  const condition = { field: 'qualityScore', operator: 'gte', value: 0 };
  await post('/alerts', { name: 'Every call', condition, actions: ['email', 'webhook'] });
  const payload = formBytes([
    { name: 'projectId', content: owner.projectId },
    { name: 'metadata', content: JSON.stringify({ agentName: 'Sarah', customerPhone: phone }) },
    { name: 'transcript', content: callVtt },
    { name: 'file', fileName: 'call.wav', type: 'audio/wav', content: silentWav(2000) },
  ]);
  const headers = { 'content-type': formType };
  const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/upload', headers, payload });
  recordId = body.data.id;
  await eventually(async () => (await get(`/records/${recordId}`)).body.data.status === 'completed' || undefined);
  const { analysisId } = (await get(`/records/${recordId}`)).body.data;
  await post(`/analyses/${analysisId}/review`, { verdict: 'approved' });
  const [profile] = (await get('/profiles')).body.data;
  await post(`/analyses/${analysisId}/re-analyze`, { profileId: profile.id });
  await t.as(owner, {
    method: 'PATCH',
    url: `/api/v1/billing/budget/${owner.orgId}`,
    payload: { budgetLimit: 0.0001 },
  });
  await settled();
});
afterAll(async () => {
  await receiver?.close();
  await t.close();
});

const get = (url: string, member = owner) => t.as(member, { url: `/api/v1${url}` });

async function settled(): Promise<void> {
  await eventually(async () => {
    // In one look: between two, an event could pass from the one to the other.
    const [row] = await t.deps.connections.system<{ isSettled: boolean }[]>`
      select not exists (select from outbox where dispatched_at is null)
         and not exists (select from engine_runs where status = 'running') as "isSettled"`;
    return row?.isSettled || undefined;
  });
}

/** However the digits are grouped or spoken, and whichever part of the number tells who it is. */
function canariesIn(text: string): string[] {
  const digits = text.replaceAll(/[\s().-]/g, '');
  const words = spoken(text);
  const found = [
    ['phone', digits.includes('7700900987') || words.includes(spoken(spokenPhone))],
    ['card', digits.includes(card.replaceAll(' ', '')) || words.includes(spoken(spokenCard))],
    ['token', text.includes(owner.token) || text.includes(agent.token)],
  ] as const;
  return found.flatMap(([name, isThere]) => (isThere ? [name] : []));
}

function spoken(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();
}

async function rowsOf(table: string): Promise<string> {
  const rows = await asAdmin(t.deps.config.DATABASE_URL ?? '', (sql) =>
    sql.unsafe(`select to_jsonb(r)::text as row from ${table} r`),
  );
  return rows.map(({ row }) => row).join('\n');
}

describe('a phone number, a card number and a token', () => {
  it('would be noticed', () => {
    expect(canariesIn(callVtt)).toEqual(['phone', 'card']);
    expect(canariesIn(JSON.stringify(owner.headers))).toEqual(['token']);
  });

  it('are in no event, no order of the pipeline and no result of its steps', async () => {
    expect((await rowsOf('outbox')).split('\n').length).toBeGreaterThan(5);
    for (const table of ['outbox', 'engine_runs', 'engine_steps', 'engine_waits', 'alert_events']) {
      expect({ table, found: canariesIn(await rowsOf(table)) }).toEqual({ table, found: [] });
    }
  });

  it('are in no webhook, of which there is one for each thing that happens to a call', async () => {
    const { received } = receiver;
    const types = new Set(received.map(({ body }) => JSON.parse(body).type));
    const expected = [
      'record.created',
      'record.completed',
      'analysis.completed',
      'analysis.reviewed',
      'alert.triggered',
    ];
    expect([...types]).toEqual(expect.arrayContaining([...expected, 'budget.threshold_reached']));
    expect(received.flatMap(({ body, headers }) => canariesIn(body + JSON.stringify(headers)))).toEqual([]);
    expect(canariesIn(await rowsOf('webhook_deliveries'))).toEqual([]);
  });

  it('are in no mail, of which there are alerts and budgets', async () => {
    const folder = path.join(t.dataDir, 'outbox');
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) {
      const raw = await readFile(path.join(folder, file), 'utf8');
      const { subject, text, html } = await PostalMime.parse(raw);
      expect(canariesIn([file, raw, subject, text, html].join('\n'))).toEqual([]);
    }
  });

  it('are nowhere in the database, but for the number that the record is of', async () => {
    const tables = await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql<{ name: string }[]>`
        select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    );
    const found: [string, string[]][] = [];
    for (const { name } of tables) found.push([name, canariesIn(await rowsOf(name))]);
    expect(found.filter(([, canaries]) => canaries.length > 0)).toEqual([['records', ['phone']]]);
    expect(await rowsOf('transcripts')).toContain('[card number]');
  });

  it('are in no transcript and no analysis, in any form', async () => {
    const { analysisId } = (await get(`/records/${recordId}`)).body.data;
    const forms = ['json', 'vtt', 'srt', 'txt'].map((format) => `/records/${recordId}/transcript?format=${format}`);
    for (const url of [...forms, `/analyses/${analysisId}`, '/analyses?versions=all']) {
      const { status, body } = await get(url);
      expect(status).toBe(200);
      expect({ url, found: canariesIn(JSON.stringify(body)) }).toEqual({ url, found: [] });
    }
  });

  it('are in no list and no snippet', async () => {
    for (const url of ['/records', '/analyses', '/projects', '/alerts', '/users']) {
      const { status, body } = await get(url);
      expect(status).toBe(200);
      expect({ url, found: canariesIn(JSON.stringify(body)) }).toEqual({ url, found: [] });
    }
    for (const q of ['charged', 'number', 'call', '900987', phone, '"7700 900987"']) {
      const { status, body } = await get(`/search?q=${encodeURIComponent(q)}`);
      expect(status).toBe(200);
      expect(canariesIn(JSON.stringify(body.data))).toEqual([]);
    }
    expect((await get('/search?q=charged')).body.data).not.toEqual([]);
  });

  it('are masked where an agent reads the record', async () => {
    await t.deps.connections.app.begin(async (sql) => {
      await sql`select set_config('role', 'earshot_app', true), set_config('app.org_id', ${owner.orgId}, true)`;
      await sql`update records set agent_user_id = ${agent.userId} where id = ${recordId}`;
    });
    const { status, body } = await get(`/records/${recordId}`, agent);
    expect(status).toBe(200);
    expect(canariesIn(JSON.stringify(body))).toEqual([]);
    expect(body.data.customerPhone).toBe('+4******0987');
    // What an agent may hear is the muted recording, so it has to be there.
    expect((await get(`/records/${recordId}/audio`, agent)).status).toBe(200);
  });

  it('are in no answer to a request that is wrong, wherever they stand in it', async () => {
    const secrets = [phone, card, owner.token];
    const answers: string[] = [];
    for (const secret of secrets) {
      const text = encodeURIComponent(secret);
      const json = { 'content-type': 'application/json' };
      const requests = [
        { url: `/api/v1/records/${text}` },
        { url: `/api/v1/${text}` },
        { url: `/${text}?token=${text}` },
        { url: `/mail/unsubscribe?token=${text}` },
        { url: `/api/v1/records?page=${text}&status=${text}&from=${text}` },
        { url: `/api/v1/search?q=${text}&type=${text}` },
        { url: `/api/trpc/records.get?input=${text}` },
        {
          method: 'POST' as const,
          url: '/api/v1/records/ingest',
          headers: json,
          payload: `{"customerPhone": "${secret}`,
        },
        {
          method: 'POST' as const,
          url: '/api/v1/records/ingest',
          payload: { externalId: secret, projectId: secret, recordingUrl: secret, customerPhone: secret.repeat(20) },
        },
        { method: 'PATCH' as const, url: `/api/v1/projects/${text}`, payload: { name: secret } },
        { method: 'POST' as const, url: '/api/v1/users/invite', payload: { email: secret, role: secret } },
        { url: '/api/v1/records', headers: { 'x-selected-org-id': secret } },
        { url: '/api/v1/records', headers: { authorization: `Bearer ${secret}x` } },
        {
          method: 'POST' as const,
          url: '/api/v1/records/upload',
          headers: { 'content-type': formType },
          payload: formBytes([
            { name: 'projectId', content: secret },
            { name: 'metadata', content: `{"customerPhone":"${secret}"` },
            { name: 'file', fileName: `${secret}.wav`, type: 'audio/wav', content: 'no sound' },
          ]),
        },
      ];
      for (const request of requests) {
        const { status, headers, body } = await t.as(owner, request);
        expect({ request, status }).toEqual({ request, status: expect.toBeOneOf([400, 401, 403, 404, 415]) });
        answers.push(JSON.stringify([headers, body]));
      }
    }
    expect(answers.flatMap(canariesIn)).toEqual([]);
  });

  it('are in no line of the log, at its most talkative', async () => {
    await settled();
    expect(logged.split('\n').length).toBeGreaterThan(30);
    expect(canariesIn(logged)).toEqual([]);
  });
});
