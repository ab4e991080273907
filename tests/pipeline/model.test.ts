import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { parseSuppliedTranscript } from '../../src/domain/transcripts/supplied-transcript.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startModelServer, type ModelReply, type ModelRequest, type ModelServer } from '../support/model-server.ts';
import { kept, suppliedTranscript } from './support/calls.ts';
import { eventually, hurry } from './support/hosts.ts';

const apiKey = 'sk-canary-0123456789abcdef';
const questionTitles = ['Names the company or department', 'Gives their own name', 'Resolves the request'];

let server: ModelServer;
let t: TestApp;
let owner: TestMember;
let logged = '';

const log = new Writable({
  write(chunk, _encoding, done) {
    logged += String(chunk);
    done();
  },
});

beforeAll(async () => {
  server = await startModelServer(answerTruly);
  t = await createTestApp({
    env: {
      ANALYSIS_ENGINE: 'model',
      ANALYSIS_MODEL: 'scripted',
      ANALYSIS_WINDOW_TOKENS: '1000',
      ANALYSIS_TIMEOUT_SECONDS: '4',
      ANALYSIS_PRICE_INPUT_PER_MILLION: '2.5',
      ANALYSIS_PRICE_OUTPUT_PER_MILLION: '10',
      PRICE_ANALYSIS_PER_RECORD: '0.01',
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: apiKey,
      LOG_LEVEL: 'trace',
    },
    log,
  });
});
beforeEach(async () => {
  owner = await t.createOrg();
  server.received.length = 0;
  server.answer(answerTruly);
});
afterAll(async () => {
  await t.close();
  await server.close();
});

/** What a good model makes of the call of `suppliedTranscript`, wherever it is cut. */
function answerTruly({ questions, lines }: ModelRequest): ModelReply {
  const quote = (words: string) =>
    lines.filter(({ text }) => text.includes(words)).map(({ n }) => ({ segment: n, text: words }));
  const words = ['calling Northwind Energy', 'my name is Sarah', 'I will refund the second one'];
  const answers = questions.map(({ id, title, prove }) => {
    const quotes = quote(words[questionTitles.indexOf(title)] ?? 'nothing at all');
    // A refund that is to come is a next step.
    const said = title === questionTitles[2] ? 'partial' : 'pass';
    const answer = quotes.length > 0 ? said : prove === 'fail' ? 'pass' : 'cannot_tell';
    return { id, answer, rationale: 'It is said.', quotes };
  });
  const summary = [{ text: 'The customer was charged twice.', quotes: quote('I was charged twice') }];
  return text({ answers, summary, improvements: [], topics: [], actionItems: [] });
}

function text(answer: object): ModelReply {
  return { text: JSON.stringify(answer), input: 4000, output: 500 };
}

async function addCall(transcript?: string): Promise<string> {
  const id = newRecordId();
  const call = transcript
    ? kept(parseSuppliedTranscript({ text: transcript, recordId: id, language: 'en', agentName: 'Sarah' }))
    : suppliedTranscript(id);
  await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    createRecord(tx, { id, projectId: owner.projectId, source: 'upload', durationSeconds: 59 }, call),
  );
  return id;
}

const get = async (path: string) => (await t.as(owner, { url: `/api/v1${path}` })).body.data;

async function analysed(recordId: string) {
  const { analysisId } = await eventually(async () => {
    const record = await get(`/records/${recordId}`);
    return record.status === 'completed' ? record : undefined;
  });
  return get(`/analyses/${analysisId}`);
}

const analysisCost = async (): Promise<number> => (await get(`/billing/usage/${owner.orgId}`)).totals.analysisCost;

/** Servers may repeat the key and the call in what they complain of. */
function echoing(reply: ModelReply, { headers, user }: ModelRequest): ModelReply {
  if (typeof reply === 'string' || !('status' in reply)) return reply;
  return { ...reply, body: { error: { message: `${headers.authorization} may not ask: ${user}`, code: apiKey } } };
}

/** What is kept of answers until an analysis is published. */
const keptAnswers = () =>
  t.deps.services.db.withOrg(owner.orgId, (tx) => tx.execute('select digest from model_answers'));

/** Work that waits for its next attempt is due at once. */
const hurryUp = () => hurry(t.deps.connections.system);

const answerOf = (analysis: { checks: { key: string; answer: string }[] }, key: string) =>
  analysis.checks.find((check) => check.key === key)?.answer;

describe('a call that a language model judges', () => {
  it('has its answers with the words of the call, its tokens and what they cost, charged once', async () => {
    const analysis = await analysed(await addCall());
    expect(analysis.engine).toEqual({ kind: 'model', model: 'scripted', fallback: null });
    expect(answerOf(analysis, 'greeting.company')).toBe('pass');
    expect(analysis.checks.find(({ key }: { key: string }) => key === 'problem.resolved')).toMatchObject({
      answer: 'partial',
      basis: 'model',
      rationale: 'It is said.',
      evidence: [{ quote: 'I will refund the second one' }],
    });
    expect(analysis.summary).toMatch(/^The customer was charged twice\. /);
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
    // 4000 × 2.5 and 500 × 10 millionths.
    expect(analysis.modelUsage).toEqual({ inputTokens: 4000, outputTokens: 500, cost: 0.015 });
    expect(await analysisCost()).toBe(0.025);
    expect(await keptAnswers()).toEqual([]);
    const [item] = await get('/analyses');
    expect(item.engine).toEqual(analysis.engine);
  });

  it('is judged in parts where it is long, and again in smaller ones where the server finds them too long', async () => {
    const turns = Array.from({ length: 120 }, (_, n) => {
      const at = (s: number) => `${String(Math.floor(s / 60)).padStart(2, '0')}:${String(s % 60).padStart(2, '0')}.000`;
      return `${at(n * 4 + 60)} --> ${at(n * 4 + 63)}\n<v ${n % 2 ? 'Agent' : 'Customer'}>and then there is more to say`;
    });
    const beginning = '00:01.000 --> 00:05.000\n<v Agent>Thank you for calling Northwind Energy, my name is Sarah.';
    const end = '09:10.000 --> 09:14.000\n<v Agent>I will refund the second one right away.';
    server.answer((request) =>
      request.lines.length > 30
        ? { status: 400, body: { error: { message: 'context_length_exceeded' } } }
        : answerTruly(request),
    );
    const id = await addCall(`WEBVTT\n\n${[beginning, ...turns, end].join('\n\n')}\n`);
    const analysis = await analysed(id);
    expect(analysis.engine).toMatchObject({ kind: 'model', fallback: null });
    expect(answerOf(analysis, 'greeting.company')).toBe('pass');
    expect(answerOf(analysis, 'problem.resolved')).toBe('partial');
    const answered = server.received.filter(({ lines }) => lines.length <= 30).length;
    expect(answered).toBeGreaterThan(3);
    expect(analysis.modelUsage).toMatchObject({ inputTokens: 4000 * answered, outputTokens: 500 * answered });
    expect(await analysisCost()).toBeCloseTo(0.01 + 0.015 * answered, 4);
  });

  it('is judged again by a re-analysis, which is charged its own tokens', async () => {
    const first = await analysed(await addCall());
    const payload = { profileId: first.profile.id };
    const { status, body } = await t.as(owner, {
      method: 'POST',
      url: `/api/v1/analyses/${first.id}/re-analyze`,
      payload,
    });
    expect(status).toBe(202);
    const second = await eventually(async () => {
      const analysis = await get(`/analyses/${body.data.id}`);
      return analysis.status === 'completed' ? analysis : undefined;
    });
    expect(second).toMatchObject({ version: 2, engine: first.engine, modelUsage: first.modelUsage });
    expect(second.checks).toEqual(first.checks);
    expect(await analysisCost()).toBe(0.05);
    expect(await keptAnswers()).toEqual([]);
  });

  it('costs no model where no agent speaks', async () => {
    const id = await addCall('WEBVTT\n\n00:00.000 --> 00:02.000\n<v Customer>Hello? Is anybody there?\n');
    const analysis = await analysed(id);
    expect(analysis).toMatchObject({ engine: { kind: 'rules', fallback: null }, modelUsage: null, qualityScore: null });
    expect(server.received).toEqual([]);
  });
});

describe('a profile that is edited while the model is thinking', () => {
  const check = (key: string, title: string) => ({
    key,
    title,
    weight: 1,
    kind: 'model',
    question: `Does the agent do this: ${title}?`,
  });
  const refund = check('own.refund', 'Promises the refund');
  const categories = (checks: object[]) => [{ key: 'own', title: 'Own', weight: 1, checks }];

  /** A project that scores by a profile of its own. */
  async function addProfile(): Promise<string> {
    const payload = { name: 'Own', categories: categories([refund]), compliance: [] };
    const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/profiles', payload });
    const profileId: string = body.data.id;
    await patch(`/projects/${owner.projectId}`, { profileId });
    return profileId;
  }
  const patch = async (path: string, payload: object): Promise<void> => {
    expect(await t.as(owner, { method: 'PATCH', url: `/api/v1${path}`, payload })).toMatchObject({ status: 200 });
  };

  /** The model answers what it was asked only after the edit. */
  function editMeanwhile(edit: () => Promise<void>): void {
    server.answer(async ({ questions, lines }) => {
      await edit();
      const { n: segment } = lines.find(({ text: line }) => line.includes('I will refund')) ?? { n: 1 };
      const quotes = [{ segment, text: 'I will refund the second one' }];
      const answers = questions.map(({ id, title }) => ({
        id,
        answer: title === refund.title ? 'pass' : 'fail',
        rationale: `Of “${title}”.`,
        quotes,
      }));
      const improvements = questions.map(({ id }) => ({ id, text: 'Keep to the refund.' }));
      return text({ answers, summary: [], improvements, topics: [], actionItems: [] });
    });
  }

  it('does not put its answers on other checks: the pass keeps the version that it began with', async () => {
    const profileId = await addProfile();
    editMeanwhile(() =>
      patch(`/profiles/${profileId}`, { categories: categories([check('own.card', 'Offers the card'), refund]) }),
    );
    const analysis = await analysed(await addCall());
    expect(analysis.profile).toMatchObject({ id: profileId, version: 1 });
    expect(analysis.checks).toMatchObject([
      { key: refund.key, answer: 'pass', evidence: [{ quote: 'I will refund the second one' }] },
    ]);
    expect((await get(`/profiles/${profileId}`)).version).toBe(2);
    const later = await analysed(await addCall());
    expect(later.profile).toMatchObject({ version: 2 });
    expect(later.checks).toMatchObject([
      { key: 'own.card', answer: 'fail' },
      { key: refund.key, answer: 'pass' },
    ]);
  });

  it('or replaced in its project, or deleted, is what the pass is scored by all the same', async () => {
    const profileId = await addProfile();
    const other = (await get('/profiles')).find(({ id }: { id: string }) => id !== profileId);
    editMeanwhile(async () => {
      await patch(`/projects/${owner.projectId}`, { profileId: other.id });
      expect(await t.as(owner, { method: 'DELETE', url: `/api/v1/profiles/${profileId}` })).toMatchObject({
        status: 204,
      });
    });
    const analysis = await analysed(await addCall());
    expect(analysis).toMatchObject({ profile: { id: profileId, version: 1 }, engine: { kind: 'model' } });
    expect(analysis.checks).toMatchObject([{ key: refund.key, answer: 'pass' }]);
  });
});

describe('a language model that fails', () => {
  it('is asked again when its time has come, and what it has answered is neither asked nor charged again', async () => {
    const times: number[] = [];
    server.answer((request) => {
      times.push(Date.now());
      if (request.count === 2) return { status: 429, headers: { 'retry-after': '1' } };
      return answerTruly(request);
    });
    const line = 'I will look into that for you and tell you more about it in a moment, please stay on the line';
    const cues = Array.from({ length: 60 }, (_, n) => {
      const at = (s: number) => `00:${String(s).padStart(2, '0')}`;
      return `${at(n)}.000 --> ${at(n)}.900\n<v ${n % 3 ? 'Customer' : 'Agent'}>${line} ${n}`;
    });
    const analysis = await analysed(await addCall(`WEBVTT\n\n${cues.join('\n\n')}\n`));
    expect(analysis.engine.kind).toBe('model');
    const prompts = server.received.map(({ user }) => user);
    expect(prompts.length).toBeGreaterThan(3);
    expect(prompts[2]).toBe(prompts[1]);
    expect(new Set(prompts).size).toBe(prompts.length - 1);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(950);
    const answered = prompts.length - 1;
    expect(analysis.modelUsage).toMatchObject({ inputTokens: 4000 * answered });
    expect(await analysisCost()).toBeCloseTo(0.01 + 0.015 * answered, 4);
  });

  it('by not answering at all is asked again', async () => {
    server.answer((request) => (request.count === 1 ? 'hang' : answerTruly(request)));
    const id = await addCall();
    await eventually(async () => (await hurryUp(), server.received.length > 1 || undefined));
    expect((await analysed(id)).engine.kind).toBe('model');
  });

  it.each([
    ['asks to slow down for good', { status: 429, headers: { 'retry-after-ms': '20' } }, 'ANALYSIS_RATE_LIMITED', 5],
    ['refuses the key', { status: 401 }, 'ANALYSIS_UNAUTHORIZED', 1],
    ['is not there', { status: 404 }, 'ANALYSIS_REJECTED', 1],
    ['declines', { text: 'I would rather not.', stop: 'refusal' }, 'ANALYSIS_REFUSED', 1],
    ['answers with garbage', { text: '{"score": 100' }, 'ANALYSIS_BAD_RESPONSE', 2],
    ['finds everything too long', { status: 413 }, 'ANALYSIS_CALL_TOO_LONG', 1],
  ] as const)('and %s leaves the call to the rules, with the reason', async (_name, reply, code, requests) => {
    server.answer((request) => echoing(reply, request));
    const id = await addCall();
    await eventually(async () => {
      await hurryUp();
      return (await get(`/records/${id}`)).status === 'completed' || undefined;
    });
    const analysis = await analysed(id);
    expect(analysis.engine).toMatchObject({ kind: 'rules', model: null, fallback: { code } });
    expect(analysis.engine.fallback.message).toMatch(/^The (language model|call) /);
    expect(JSON.stringify(analysis)).not.toContain('canary');
    expect(analysis.qualityScore).toBeGreaterThan(60);
    expect(analysis.modelUsage).toBeNull();
    expect(await analysisCost()).toBe(0.01);
    expect(await keptAnswers()).toEqual([]);
    expect(server.received).toHaveLength(requests);
    // The call is well, so no alarm for runs that fail.
    const { body } = await t.app.inject('/metrics');
    expect(body).toMatch(/earshot_pipeline_runs_total\{function="ask-model",outcome="replaced"\} \d/);
    expect(body).not.toMatch(/function="ask-model",outcome="failed"/);
  });

  it('meanwhile does not keep a record from being deleted', async () => {
    server.answer(() => 'hang');
    const id = await addCall();
    await eventually(() => server.received[0]);
    expect((await t.as(owner, { method: 'DELETE', url: `/api/v1/records/${id}` })).status).toBe(204);
    await eventually(async () => {
      await hurryUp();
      const running = await t.deps.connections.system`
        select from engine_runs where status = 'running' and event->'data'->>'recordId' = ${id}`;
      return running.length === 0 || undefined;
    });
    expect(await keptAnswers()).toEqual([]);
    expect(await analysisCost()).toBe(0);
  });
});

it('nothing of the key or of a call is logged, whatever the server says', () => {
  expect(logged).toContain('a language model did not answer');
  expect(logged).toContain('ANALYSIS_UNAUTHORIZED');
  expect(logged).toContain('the rules scored a call without the language model');
  expect(logged).not.toMatch(/canary|Northwind|Sarah|charged twice|transcript is data/);
});

it('needs no package that runs scripts when it is installed', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')).packages;
  const sdk = Object.keys(lock).filter((name) => /node_modules\/(?:ai|@ai-sdk\/[^/]+)$/.test(name));
  expect(sdk.length).toBeGreaterThan(4);
  for (const name of sdk) expect({ name, scripts: lock[name].hasInstallScript }).toEqual({ name, scripts: undefined });
});
