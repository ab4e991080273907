import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../api/upload-support.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';
import { callVtt } from './support/calls.ts';
import { asAdmin, eventually } from './support/hosts.ts';
import { toneWav } from './support/recording-server.ts';

type Body = ReturnType<typeof JSON.parse>;
type Said = { role: string; text: string; channel?: number };

let t: TestApp;
let baseUrl: string;
let owner: TestMember;
/** The call, with each party taken for the other. */
const reversed = callVtt.replace(/<v (Agent|Customer)>/g, (_, role) =>
  role === 'Agent' ? '<v Customer>' : '<v Agent>',
);

beforeAll(async () => {
  t = await createTestApp();
  baseUrl = await t.listen();
  owner = await t.createOrg();
});
afterAll(() => t.close());

const post = (path: string, payload: object = {}, member = owner) =>
  t.as(member, { method: 'POST', url: `/api/v1${path}`, payload });
const read = async (path: string, member = owner): Promise<Body> =>
  (await t.as(member, { url: `/api/v1${path}` })).body.data;

async function uploaded(transcript: string): Promise<string> {
  const parts = [
    { name: 'projectId', content: owner.projectId },
    { name: 'metadata', content: JSON.stringify({ agentName: 'Sarah', language: 'en' }) },
    { name: 'transcript', content: transcript },
    { name: 'file', fileName: 'call.wav', content: toneWav(2000) },
  ];
  const { id } = (await send(baseUrl, { member: owner, parts })).body.data;
  return eventually(async () => ((await read(`/records/${id}`)).status === 'completed' ? id : undefined));
}

function jsonOf(said: Said[]): string {
  const segments = said.map(({ role, text, channel = 0 }, index) => {
    const startMs = index * 2000;
    return { index, speaker: `${role}-${channel}`, role, channel, startMs, endMs: startMs + 1500, text };
  });
  return JSON.stringify({
    language: 'en',
    channels: Math.max(...segments.map(({ channel }) => channel)) + 1,
    segments,
  });
}

async function swapped(id: string): Promise<Body> {
  const { status, body } = await post(`/records/${id}/swap-speakers`);
  expect(status).toBe(202);
  return eventually(async () => {
    const analysis = await read(`/analyses/${body.data.id}`);
    return analysis.current ? analysis : undefined;
  });
}

const rolesOf = ({ segments }: { segments: { role: string }[] }): string[] => segments.map(({ role }) => role);

describe('swapping the speakers of a call', () => {
  it('orders a further analysis, and the record shows both together when it is done', async () => {
    const id = await uploaded(reversed);
    const right = await read(`/records/${await uploaded(callVtt)}`);
    const before = await read(`/records/${id}`);
    const old = await read(`/records/${id}/transcript`);
    const { status, headers, body } = await post(`/records/${id}/swap-speakers`, { reason: 'The other way round.' });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ previousAnalysisId: before.analysisId, recordId: id, status: 'pending' });
    expect(headers['location']).toBe(`/api/v1/analyses/${body.data.id}`);
    await eventually(async () => (await read(`/analyses/${body.data.id}`)).current || undefined);
    const after = await read(`/records/${id}`);
    expect(after).toMatchObject({ status: 'completed', analysisId: body.data.id, qualityScore: right.qualityScore });
    expect(after.qualityScore).not.toBe(before.qualityScore);
    const transcript = await read(`/records/${id}/transcript`);
    expect(rolesOf(transcript)).toEqual(rolesOf(old).map((role) => (role === 'agent' ? 'customer' : 'agent')));
    expect(transcript.segments.map(({ id, text }: Body) => [id, text])).toEqual(
      old.segments.map(({ id, text }: Body) => [id, text]),
    );
    const previous = await read(`/analyses/${before.analysisId}`);
    expect(previous).toMatchObject({ current: false, qualityScore: before.qualityScore });
    expect(rolesOf(previous)).toEqual(rolesOf(old));
    const vtt = await t.as(owner, { url: `/api/v1/records/${id}/transcript?format=vtt` });
    expect(vtt.body).toContain('<v.agent Sarah>Thank you for calling Northwind');
  });

  it('moves the name of the agent along, and a second time takes it all back', async () => {
    const id = await uploaded(reversed);
    const original = await read(`/records/${id}/transcript`);
    await swapped(id);
    const { speakers } = await read(`/records/${id}/transcript`);
    expect(speakers.find(({ role }: Body) => role === 'agent').name).toBe('Sarah');
    expect(speakers.find(({ role }: Body) => role === 'customer').name).not.toBe('Sarah');
    await swapped(id);
    expect(await read(`/records/${id}/transcript`)).toEqual(original);
  });

  it('lets announcements be, and turns the map of the channels round', async () => {
    const said = [
      { role: 'ivr', text: 'This call may be recorded.', channel: 0 },
      { role: 'customer', text: 'Thank you for calling, how can I help you?', channel: 1 },
      { role: 'agent', text: 'I was charged twice for my bill.', channel: 2 },
    ];
    const id = await uploaded(jsonOf(said));
    await swapped(id);
    expect(rolesOf(await read(`/records/${id}/transcript`))).toEqual(['ivr', 'agent', 'customer']);
    const [row] = await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`select channel_map from records where id = ${id}`,
    );
    expect(row?.['channel_map']).toEqual({ '0': 'ivr', '1': 'agent', '2': 'customer' });
  });

  it('keeps what was taken out', async () => {
    const url = `/api/v1/projects/${owner.projectId}`;
    await t.as(owner, { method: 'PATCH', url, payload: { settings: { redactPii: true } } });
    const id = await uploaded(reversed.replace('Great.', 'My card is 4000 0566 5566 5556.'));
    const { redactions, text } = await read(`/records/${id}/transcript`);
    expect(redactions).toMatchObject([{ kind: 'bank_account' }, { kind: 'card_number' }]);
    const supervisor = await t.addMember(owner, 'supervisor');
    const muted = () => t.as(supervisor, { url: `/api/v1/records/${id}/audio` });
    await eventually(async () => (await muted()).status === 200 || undefined);
    await swapped(id);
    expect(await read(`/records/${id}/transcript`)).toMatchObject({ redactions, text });
    expect((await muted()).status).toBe(200);
    await t.as(owner, { method: 'PATCH', url, payload: { settings: { redactPii: false } } });
  });

  it.each<[string, Said[]]>([
    ['one role speaks', [{ role: 'agent', text: 'Hello?' }]],
    [
      'three speak',
      [
        { role: 'agent', text: 'Hello?' },
        { role: 'customer', text: 'Hello.' },
        { role: 'unknown', text: 'Who is there?' },
      ],
    ],
  ])('is 422 where %s', async (_what, said) => {
    const id = await uploaded(jsonOf(said));
    const { status, body } = await post(`/records/${id}/swap-speakers`);
    expect([status, body.error.code]).toEqual([422, 'UNPROCESSABLE']);
  });

  it('is 409 until a record is completed, and while it is analysed again', async () => {
    const [pending = '', failed = '', running = ''] = await seedRecords(t, owner, [
      { status: 'pending' },
      { status: 'failed' },
      { status: 'completed' },
    ]);
    await seedAnalysis(t, owner, { recordId: failed });
    await seedAnalysis(t, owner, { recordId: running });
    await seedAnalysis(t, owner, { recordId: running, version: 2, current: false, status: 'processing' });
    for (const id of [pending, failed, running]) {
      const { status, body } = await post(`/records/${id}/swap-speakers`);
      expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
    }
  });

  it('is for those who may have a call analysed again, where they may see it', async () => {
    const id = await uploaded(reversed);
    const stranger = await t.createOrg();
    const confined = await t.addMember(owner, 'supervisor', []);
    for (const member of [stranger, confined]) {
      expect(await post(`/records/${id}/swap-speakers`, {}, member)).toMatchObject({ status: 404 });
    }
    const reviewer = await t.addMember(owner, 'reviewer');
    expect(await post(`/records/${id}/swap-speakers`, {}, reviewer)).toMatchObject({ status: 403 });
  });

  it('is 402 over the budget, and leaves the transcript alone', async () => {
    const poor = owner;
    const id = await uploaded(reversed);
    const budget = (budgetLimit: number | null) =>
      t.as(poor, { method: 'PATCH', url: `/api/v1/billing/budget/${poor.orgId}`, payload: { budgetLimit } });
    const old = await read(`/records/${id}/transcript`);
    await budget(0);
    expect(await post(`/records/${id}/swap-speakers`)).toMatchObject({ status: 402 });
    await budget(null);
    expect(await read(`/records/${id}/transcript`)).toEqual(old);
  });
});
