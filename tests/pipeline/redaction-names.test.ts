import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactProject } from '../../src/domain/processing/redact-record.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { eventually } from './support/hosts.ts';
import { startRecordingServer, toneWav } from './support/recording-server.ts';

type Body = ReturnType<typeof JSON.parse>;

const vtt = `WEBVTT

00:00.500 --> 00:04.000
<v Agent>Thank you for calling Northwind, my name is Sarah. What is your name, please?

00:05.000 --> 00:08.000
<v Rosalind Pettifer>My name is Rosalind Pettifer. My phone number is 212 555 0187.

00:09.000 --> 00:16.000
<v Agent>Thank you, Mrs Pettifer. I have paid the bill for you. Is there anything else I can help you with?

00:17.000 --> 00:18.000
<v Rosalind Pettifer>No, thank you.
`;
const withoutNames = [
  'Thank you for calling Northwind, my name is Sarah. What is your name, please?',
  'My name is [name]. My phone number is [phone number].',
  'Thank you, Mrs [name]. I have paid the bill for you. Is there anything else I can help you with?',
  'No, thank you.',
];

let t: TestApp;
let server: ModelServer;
let owner: TestMember;
let supervisor: TestMember;
let recordings: Awaited<ReturnType<typeof startRecordingServer>>;
/** What happens while the model thinks. */
let meanwhile: () => Promise<void> = async () => {};
let calls = 0;

beforeAll(async () => {
  server = await startModelServer(() => ({ status: 500 }));
  server.answer(async ({ questions, lines }) => {
    await meanwhile();
    const { n = 1, text = '' } = lines.find((line) => line.by !== 'agent') ?? {};
    const quotes = [{ segment: n, text: text.slice(0, 200) }];
    const answers = questions.map(({ id }) => ({ id, answer: 'pass', rationale: `They said: ${text}`, quotes }));
    const summary = [{ text: `The customer says: ${text}`, quotes }];
    return { text: JSON.stringify({ answers, summary, improvements: [], topics: [], actionItems: [] }) };
  });
  t = await createTestApp({
    env: {
      ANALYSIS_ENGINE: 'model',
      ANALYSIS_MODEL: 'scripted',
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'sk-test',
      LOG_LEVEL: 'silent',
      OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
  owner = await t.createOrg();
  supervisor = await t.addMember(owner, 'supervisor');
  recordings = await startRecordingServer((_req, res) =>
    res.writeHead(200, { 'content-type': 'audio/wav' }).end(toneWav(20_000)),
  );
});
afterAll(async () => {
  await t.close();
  await server.close();
  await recordings.close();
});

const get = async (path: string): Promise<Body> => (await t.as(owner, { url: `/api/v1${path}` })).body.data;

async function set(settings: { redactPii?: boolean; redactNames?: boolean }): Promise<void> {
  const url = `/api/v1/projects/${owner.projectId}`;
  expect(await t.as(owner, { method: 'PATCH', url, payload: { settings } })).toMatchObject({ status: 200 });
}

/** Gives the record once its call has been judged. */
async function addCall(): Promise<Body> {
  calls += 1;
  const recordingUrl = recordings.url(`/${calls}.wav`);
  const payload = { externalId: `call-${calls}`, projectId: owner.projectId, recordingUrl, transcript: vtt };
  const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
  return eventually(async () => {
    const record = await get(`/records/${body.data.id}`);
    return record.status === 'completed' ? record : undefined;
  });
}

/** What somebody below admin hears, as soon as there is a muted copy. */
async function heardOf(id: string): Promise<Buffer> {
  return eventually(async () => {
    const answer = await t.app.inject({ url: `/api/v1/records/${id}/audio`, headers: supervisor.headers });
    return answer.statusCode === 200 ? answer.rawPayload : undefined;
  });
}

const textOf = async (id: string): Promise<string> => (await get(`/records/${id}/transcript`)).text;

/** Everything that is stored of a call, as one text. */
async function storedOf(recordId: string): Promise<string> {
  const tables = ['transcripts', 'analyses', 'model_answers', 'search_documents', 'search_passages', 'outbox'];
  const rows = await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    Promise.all(tables.map((table) => tx.execute(`select to_jsonb(r)::text as row from ${table} r`))),
  );
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .filter((row) => row.includes(recordId))
    .join('\n');
}

describe('a project that redacts names', () => {
  it('takes the names of customers out of all that is made of a call, and leaves those of agents', async () => {
    await set({ redactPii: true, redactNames: true });
    const { id, analysisId } = await addCall();
    const { text, speakers, segments, redactions } = await get(`/records/${id}/transcript`);
    expect(text).toBe(withoutNames.join('\n'));
    expect(speakers).toMatchObject([{ role: 'agent' }, { name: '[name]' }]);
    expect(segments[1].words.map((word: Body) => word.text)).not.toContain('Pettifer.');
    expect(redactions.map(({ kind }: Body) => kind)).toEqual(['name', 'phone_number', 'name']);
    expect((await get(`/analyses/${analysisId}`)).summary).toContain('My name is');
    expect((await t.as(owner, { url: '/api/v1/search?q=Pettifer' })).body.meta.total).toBe(0);
    expect(server.received.map(({ user }) => user).join('\n')).not.toMatch(/Rosalind|Pettifer/);
    expect(await storedOf(id)).not.toMatch(/Rosalind|Pettifer/);
    expect(await storedOf(id)).toContain('Sarah');
  });

  it('leaves them where it is not asked to', async () => {
    await set({ redactPii: true, redactNames: false });
    const { id } = await addCall();
    expect(await textOf(id)).toContain('My name is Rosalind Pettifer. My phone number is [phone number].');
  });
});

describe('a call that was redacted before its project redacts names', () => {
  it('loses them with the next redaction of the project, and keeps what was taken out before', async () => {
    await set({ redactPii: true, redactNames: false });
    const { id, analysisId } = await addCall();
    const before = await heardOf(id);
    await set({ redactNames: true });
    expect(await textOf(id)).toContain('Rosalind');
    const { redacted } = await redactProject(t.deps.services, { orgId: owner.orgId, projectId: owner.projectId });
    expect(redacted).toBe(2);
    expect(await textOf(id)).toBe(withoutNames.join('\n'));
    const { redactions, speakers } = await get(`/records/${id}/transcript`);
    expect(redactions.map(({ kind }: Body) => kind).sort()).toEqual(['name', 'name', 'phone_number']);
    expect(speakers[1].name).toBe('[name]');
    expect((await get(`/analyses/${analysisId}`)).summary).toContain('[name]');
    expect(await storedOf(id)).not.toMatch(/Rosalind|Pettifer/);
    expect((await heardOf(id)).equals(before)).toBe(false);
    const again = await redactProject(t.deps.services, { orgId: owner.orgId, projectId: owner.projectId });
    expect(again.redacted).toBe(0);
  });

  it('loses them before it is analysed again', async () => {
    await set({ redactPii: true, redactNames: false });
    const { id, analysisId } = await addCall();
    await set({ redactNames: true });
    const { profileId } = await get(`/projects/${owner.projectId}`);
    const url = `/api/v1/analyses/${analysisId}/re-analyze`;
    const asked = await t.as(owner, { method: 'POST', url, payload: { profileId } });
    const before = server.received.length;
    await eventually(async () => (await get(`/analyses/${asked.body.data.id}`)).status === 'completed' || undefined);
    expect(await textOf(id)).toBe(withoutNames.join('\n'));
    expect(JSON.stringify(server.received.slice(before))).not.toMatch(/Rosalind|Pettifer/);
  });

  it('loses them, and all that a model has said, where it is switched on while the model thinks', async () => {
    await set({ redactPii: true, redactNames: false });
    const before = server.received.length;
    meanwhile = async () => {
      meanwhile = async () => {};
      await set({ redactNames: true });
    };
    const { id } = await addCall();
    const shown = server.received.slice(before).map(({ user }) => user.includes('Pettifer'));
    expect([shown[0], shown.at(-1)]).toEqual([true, false]);
    expect(await storedOf(id)).not.toMatch(/Rosalind|Pettifer/);
  });

  it('keeps nothing back of it when it is switched off again', async () => {
    await set({ redactPii: true, redactNames: true });
    const { id } = await addCall();
    await set({ redactPii: false, redactNames: false });
    expect(await textOf(id)).toBe(withoutNames.join('\n'));
  });
});
