import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginReanalysis, publishReanalysis } from '../../src/domain/processing/reprocessing.ts';
import type { HeavyWork } from '../../src/domain/heavy-work.ts';
import { publishAnalysis, beginProcessing } from '../../src/domain/processing/service.ts';
import { redactRecord, withRedactedWords } from '../../src/domain/processing/redact-record.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { parseSuppliedTranscript } from '../../src/domain/transcripts/supplied-transcript.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { publishedValues } from '../support/published-call.ts';
import { kept } from './support/calls.ts';
import { eventually } from './support/hosts.ts';

type Body = ReturnType<typeof JSON.parse>;

const card = '4929 1234 5678 9014';
const said = `My card number is ${card}, please charge that one.`;
const vtt = `WEBVTT

00:00.500 --> 00:04.000
<v Agent>Thank you for calling Northwind, my name is Sarah. How can I help?

00:05.000 --> 00:12.000
<v Customer>I would like to pay my bill. ${said}

00:13.000 --> 00:16.000
<v Agent>I have paid the bill for you. Is there anything else I can help you with?

00:17.000 --> 00:18.000
<v Customer>No, thank you.
`;

let t: TestApp;
let owner: TestMember;

const inOrg: TestApp['deps']['services']['db']['withOrg'] = (...args) => t.deps.services.db.withOrg(...args);
const get = async (path: string): Promise<Body> => (await t.as(owner, { url: `/api/v1${path}` })).body.data;

async function turnOn(): Promise<void> {
  const url = `/api/v1/projects/${owner.projectId}`;
  const answer = await t.as(owner, { method: 'PATCH', url, payload: { settings: { redactPii: true } } });
  expect(answer).toMatchObject({ status: 200 });
}

async function addCall(): Promise<string> {
  const id = newRecordId();
  const transcript = kept(parseSuppliedTranscript({ text: vtt, recordId: id, language: 'en', agentName: 'Sarah' }));
  const record = { id, projectId: owner.projectId, source: 'upload' as const, durationSeconds: 18, agentName: 'Sarah' };
  await inOrg(owner.orgId, (tx) => createRecord(tx, record, transcript));
  return id;
}

/** Everything that is stored of the organization's calls, as one text. */
async function storedText(): Promise<string> {
  const tables = ['transcripts', 'analyses', 'model_answers', 'search_documents', 'outbox'];
  const rows = await inOrg(owner.orgId, (tx) =>
    Promise.all(tables.map((table) => tx.execute(`select to_jsonb(r)::text as row from ${table} r`))),
  );
  return JSON.stringify(rows);
}

describe('redaction that is turned on while a model is thinking', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer(() => ({ status: 500 }));
    t = await createTestApp({
      env: {
        ANALYSIS_ENGINE: 'model',
        ANALYSIS_MODEL: 'scripted',
        OPENAI_BASE_URL: server.baseUrl,
        OPENAI_API_KEY: 'sk-test',
        LOG_LEVEL: 'silent',
      },
    });
    owner = await t.createOrg();
  });
  afterAll(async () => {
    await t.close();
    await server.close();
  });

  it('has the call redacted and asked about again, and nothing of the first answer is kept', async () => {
    server.answer(async ({ count, questions, lines }) => {
      if (count === 1) await turnOn();
      const { n = 1, text = '' } = lines.find((line) => line.by === 'customer') ?? {};
      const quotes = [{ segment: n, text: text.slice(0, 200) }];
      const answers = questions.map(({ id }) => ({ id, answer: 'pass', rationale: `They said: ${text}`, quotes }));
      const summary = [{ text: 'The customer pays with a card.', quotes }];
      return { text: JSON.stringify({ answers, summary, improvements: [], topics: [], actionItems: [] }) };
    });
    const recordId = await addCall();
    const analysis = await eventually(async () => {
      const record = await get(`/records/${recordId}`);
      return record.status === 'completed' ? get(`/analyses/${record.analysisId}`) : undefined;
    });
    expect(server.received.map(({ user }) => user.includes(card))).toEqual([true, false]);
    expect(analysis.engine).toMatchObject({ kind: 'model', fallback: null });
    expect(analysis.summary).toContain('The customer pays with a card.');
    expect(await storedText()).not.toMatch(/4929|5678/);
  });
});

describe('redaction and publications at the same time', () => {
  beforeAll(async () => {
    t = await createTestApp({ runPipeline: false, env: { LOG_LEVEL: 'silent' } });
  });
  beforeEach(async () => {
    owner = await t.createOrg();
  });
  afterAll(() => t.close());

  /** What scoring makes of the words of that moment. */
  const scored = async () => {
    const values = await publishedValues(t, owner);
    return { ...values, scorecard: { ...values.scorecard, summary: said, improvements: [said] } };
  };

  async function begin(): Promise<string> {
    const recordId = await addCall();
    await inOrg(owner.orgId, (tx) => beginProcessing(tx, { recordId, attempt: 1 }));
    return recordId;
  }

  const publish = (recordId: string, values: Awaited<ReturnType<typeof scored>>) =>
    inOrg(owner.orgId, (tx) => publishAnalysis(tx, { recordId, attempt: 1 }, values));

  /** Redacts as ever, but only after something else has happened since it read what there is. */
  function redactAfter(recordId: string, meanwhile: () => Promise<unknown>): Promise<boolean> {
    const { db, heavyWork } = t.deps.services;
    let isFirst = true;
    const held: HeavyWork = {
      async run(...args) {
        const result = await heavyWork.run(...args);
        if (isFirst) await meanwhile();
        isFirst = false;
        return result;
      },
    };
    return redactRecord({ db, heavyWork: held }, { orgId: owner.orgId, recordId });
  }

  it('publishes nothing of words that were read before it was turned on', async () => {
    const recordId = await begin();
    const values = await scored();
    await turnOn();
    await expect(publish(recordId, values)).rejects.toThrow('has to be redacted');
    expect((await get(`/records/${recordId}`)).status).toBe('processing');
    let isRead = false;
    await withRedactedWords(t.deps.services, { orgId: owner.orgId, recordId }, async () => {
      // The first time as it was, then what is there now.
      const summary = isRead ? 'The customer pays.' : said;
      const scorecard = { ...values.scorecard, summary, improvements: [] };
      const published = {
        ...values,
        scorecard,
        scoredBy: { ...values.scoredBy, redaction: isRead ? ('data' as const) : ('none' as const) },
      };
      isRead = true;
      return publish(recordId, published);
    });
    expect((await get(`/records/${recordId}`)).status).toBe('completed');
    expect(await storedText()).not.toMatch(/4929|5678/);
  });

  it('publishes nothing of words that were redacted since, though the project asks no more', async () => {
    const recordId = await begin();
    const values = await scored();
    await turnOn();
    await redactRecord(t.deps.services, { orgId: owner.orgId, recordId });
    const url = `/api/v1/projects/${owner.projectId}`;
    await t.as(owner, { method: 'PATCH', url, payload: { settings: { redactPii: false } } });
    await expect(publish(recordId, values)).rejects.toThrow('has to be redacted');
  });

  it('redacts an analysis that was published since it read the call, too', async () => {
    const recordId = await begin();
    const values = await scored();
    await turnOn();
    // As a process of an older release publishes, which does not look.
    const unseen = { ...values, scoredBy: { ...values.scoredBy, redaction: 'data' as const } };
    expect(await redactAfter(recordId, () => publish(recordId, unseen))).toBe(true);
    expect(await storedText()).not.toMatch(/4929|5678/);
  });

  it('leaves a re-analysis that ends meanwhile what it has found', async () => {
    const recordId = await begin();
    await publish(recordId, await publishedValues(t, owner));
    const { analysisId } = await get(`/records/${recordId}`);
    const [{ id: profileId }] = await get('/profiles');
    const asked = await t.as(owner, {
      method: 'POST',
      url: `/api/v1/analyses/${analysisId}/re-analyze`,
      payload: { profileId },
    });
    const next = { recordId, analysisId: asked.body.data.id };
    await beginReanalysis(t.deps.services, { ...next, orgId: owner.orgId });
    const values = await publishedValues(t, owner);
    const scorecard = { ...values.scorecard, summary: 'The customer pays the bill.' };
    const unseen = { ...values, scorecard, scoredBy: { ...values.scoredBy, redaction: 'data' as const }, heard: null };
    await turnOn();
    await redactAfter(recordId, () => inOrg(owner.orgId, (tx) => publishReanalysis(tx, next, unseen)));
    expect(await get(`/analyses/${next.analysisId}`)).toMatchObject({
      current: true,
      summary: 'The customer pays the bill.',
    });
    expect(await storedText()).not.toMatch(/4929|5678/);
  });
});
