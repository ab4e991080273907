import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchCalls } from '../../src/demo/alerts.ts';
import { serviceDeskCalls } from '../../src/demo/calls/service-desk.ts';
import { createClient } from '../../src/demo/client.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { connectAssistant, type Assistant } from '../support/mcp-clients.ts';
import { formBytes, formType, wavHeader } from './upload-support.ts';

const wav = Buffer.concat([wavHeader(16_044), Buffer.alloc(16_000)]);
const year = new Date().getUTCFullYear();
const period = { from: `${year}-01-01`, to: `${year}-12-31` };

let t: TestApp;
let owner: TestMember;
let assistant: Assistant;
/** Names of the tools that the present question has used. */
let used: string[] = [];

beforeAll(async () => {
  t = await createTestApp();
  owner = await t.createOrg();
  const base = await t.listen();
  await watchCalls(createClient({ baseUrl: base, access: owner, signal: AbortSignal.timeout(60_000) }));
  for (const call of serviceDeskCalls) await upload(call);
  await allDone();
  assistant = await connectAssistant('modern', { url: `${base}/mcp`, headers: owner.headers });
});
afterAll(async () => {
  await assistant.close();
  await t.close();
});

/** As the demo has them, but with what is said as text, since no speech engine is tested here. */
async function upload({ externalId, agentName, customerPhone, title, lines }: (typeof serviceDeskCalls)[number]) {
  let at = 0;
  const transcript = lines.map(({ by: role, text, pauseMs = 300 }) => {
    const startMs = Math.max(0, at + pauseMs);
    at = startMs + text.length * 60;
    return { role, startMs, endMs: at, text };
  });
  const metadata = { externalId, agentName, customerPhone, direction: 'inbound', language: 'en', title };
  const parts = [
    { name: 'projectId', content: owner.projectId },
    { name: 'metadata', content: JSON.stringify(metadata) },
    { name: 'transcript', content: JSON.stringify(transcript) },
    { name: 'file', fileName: `${externalId}.wav`, type: 'audio/wav', content: wav },
  ];
  const headers = { 'content-type': formType };
  const url = '/api/v1/records/upload';
  expect((await t.as(owner, { method: 'POST', url, headers, payload: formBytes(parts) })).status).toBe(201);
}

async function allDone(): Promise<void> {
  for (;;) {
    const { body } = await t.as(owner, { url: '/api/v1/records?status=completed' });
    if (body.meta.total === serviceDeskCalls.length) return;
    await sleep(100);
  }
}

async function ask(tool: string, given: Record<string, unknown> = {}) {
  used.push(tool);
  const { isError, text, content } = await assistant.call(tool, given);
  expect({ isError, text }).toMatchObject({ isError: false });
  // No answer is more than an assistant can read at once.
  expect(text.length).toBeLessThan(40_000);
  return content;
}

type Finding = { answer: string; rationale: string; evidence: { quote: string }[] };

/** In the order of docs/mcp.md: calls of tools, and what an assistant needs to find in the answers. */
const answers: (() => Promise<void>)[] = [
  async () => {
    const { totals, previous } = await ask('overview_get', period);
    expect([totals.calls, totals.averageScore, previous.calls]).toEqual([7, expect.any(Number), 0]);
  },
  async () => {
    const { data } = await ask('records_list', { sort: 'qualityScore', order: 'asc', pageSize: 1 });
    const { summary, checks } = await ask('analyses_get', { id: await analysisOf(data[0].id) });
    expect(data[0].qualityScore).toBeLessThan(50);
    expect(summary).toMatch(/\w/);
    const failed = checks.filter(({ answer }: Finding) => answer === 'fail');
    expect(failed.every(({ rationale }: Finding) => rationale !== '')).toBe(true);
  },
  async () => {
    const { data } = await ask('records_list', { complianceStatus: 'failed' });
    expect(data.map(({ agentName }: { agentName: string }) => agentName)).toEqual(['James Miller']);
    const { complianceFindings } = await ask('analyses_get', { id: await analysisOf(data[0].id) });
    const broken = complianceFindings.find(({ answer }: Finding) => answer === 'fail');
    expect(broken.evidence[0].quote).toContain('card number');
  },
  async () => {
    const { data } = await ask('search_query', { q: '"money back"', type: 'transcript' });
    const record = (await t.as(owner, { url: `/api/v1/records/${data[0].recordId}` })).body.data;
    expect([data.length, record.agentName, data[0].snippet]).toEqual([
      1,
      'Peter Hughes',
      expect.stringContaining('<mark>'),
    ]);
  },
  async () => {
    const { data } = await ask('search_query', { q: 'parcel', type: 'transcript' });
    const { segments } = await ask('records_segments', { id: data[0].recordId, from: 0, count: 4 });
    const said = segments.map(({ role, text }: { role: string; text: string }) => `${role}: ${text}`);
    expect(said).toContain('customer: Hello. My parcel was supposed to come on Monday, and it is still not here.');
  },
  async () => {
    const { agents } = await ask('overview_agents', period);
    expect(agents[0]).toMatchObject({ name: 'Brian Foster', calls: 2, complianceFailed: expect.any(Number) });
  },
  async () => {
    const { meta } = await ask('records_list', { awaitsReview: true });
    const { body } = await t.as(owner, { url: '/api/v1/records?awaitsReview=true' });
    expect(meta.total).toBe(body.meta.total);
  },
  async () => {
    const { data } = await ask('profiles_list');
    const { categories } = await ask('profiles_outline', { id: data[0].id });
    expect(categories.map(({ key }: { key: string }) => key)).toEqual([
      'greeting',
      'problemResolution',
      'professionalism',
      'closing',
    ]);
  },
  async () => {
    const { data } = await ask('alerts_list');
    const breach = data.find(({ name }: { name: string }) => name === 'Compliance breach');
    const { data: firings } = await ask('alerts_events', { id: breach.id });
    expect(firings.length).toBe(breach.triggerCount);
    expect(firings.length).toBeGreaterThan(0);
  },
  async () => {
    const { topFailedChecks } = await ask('overview_get', period);
    expect(topFailedChecks[0]).toMatchObject({ title: expect.any(String), failed: expect.any(Number) });
    const { data } = await ask('analyses_list', { sort: 'qualityScore', order: 'asc' });
    expect(data.flatMap(({ improvements }: { improvements: string[] }) => improvements).length).toBeGreaterThan(0);
  },
];

async function analysisOf(id: string): Promise<string> {
  const { body } = await t.as(owner, { url: `/api/v1/records/${id}` });
  return body.data.analysisId;
}

const document = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
const listed = /<!-- questions -->(.*)<!-- \/questions -->/s.exec(document)?.[1] ?? '';
const questions = [...listed.matchAll(/^\d+\. (.+?) \((.+)\)$/gm)].map(([, question = '', tools = ''], index) => ({
  question,
  tools: [...tools.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  answer: answers[index],
}));

it.each(questions)('can be asked: $question', async ({ tools, answer }) => {
  used = [];
  await answer?.();
  expect(used).toEqual(tools);
});

it('are ten', () => {
  expect([questions.length, answers.length]).toEqual([10, 10]);
});
