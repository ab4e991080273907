import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

let t: TestApp;
let owner: TestMember;
let supervisor: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  supervisor = await t.addMember(owner, 'supervisor', [owner.projectId]);
});
afterAll(() => t.close());

const seed = async (row: Parameters<typeof seedRecords>[2][number] = {}): Promise<string> =>
  (await seedRecords(t, owner, [row]))[0] ?? '';
const patch = (id: string, payload: object, member = owner) =>
  t.as(member, { method: 'PATCH', url: `/api/v1/records/${id}`, payload });
const changesOf = async (id: string, member = owner) =>
  (await t.as(member, { url: `/api/v1/records/${id}/changes` })).body;

const known = {
  agentName: 'Maria Lopez',
  customerPhone: '+441234567890',
  direction: 'inbound',
  startedAt: '2026-01-05T08:00:00.000Z',
  language: 'de',
  externalId: 'call-1',
  tags: ['refund', 'vip'],
};

describe('PATCH /records/{id}', () => {
  it('corrects every field that callers know, and answers as GET does', async () => {
    const id = await seed();
    const { status, body } = await patch(id, known);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, ...known });
    expect((await t.as(owner, { url: `/api/v1/records/${id}` })).body).toEqual(body);
  });

  it('leaves what is not given, and empties what is null', async () => {
    const id = await seed();
    const former = { ...known, externalId: 'call-2' };
    await patch(id, former);
    const { body } = await patch(id, { agentName: null, tags: null, startedAt: null, direction: 'outbound' });
    expect(body.data).toMatchObject({ ...former, agentName: null, tags: [], startedAt: null, direction: 'outbound' });
  });

  it('adds, replaces and removes single keys of the metadata', async () => {
    const id = await seed({ metadata: { queue: 'a', shift: 1, kept: true } });
    const { body } = await patch(id, { metadata: { queue: 'b', shift: null, added: { deep: [1] } } });
    expect(body.data.metadata).toEqual({ queue: 'b', kept: true, added: { deep: [1] } });
    expect((await patch(id, { metadata: null })).body.data.metadata).toEqual({});
  });

  it('keeps who changed what and when, without whole phone numbers and metadata', async () => {
    const id = await seed({ agentName: 'Ann', metadata: { queue: 'a' } });
    await patch(id, { agentName: 'Ben', customerPhone: '+441234567890' }, supervisor);
    await patch(id, { metadata: { private: 'something' } });
    const { data, meta } = await changesOf(id);
    expect(meta).toMatchObject({ total: 2 });
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^chg_/),
        author: { id: owner.userId, name: expect.any(String) },
        changes: [{ field: 'metadata', from: ['queue'], to: ['private', 'queue'] }],
        createdAt: expect.any(String),
      },
      expect.objectContaining({
        author: { id: supervisor.userId, name: expect.any(String) },
        changes: [
          { field: 'agentName', from: 'Ann', to: 'Ben' },
          { field: 'customerPhone', from: null, to: '+4******7890' },
        ],
      }),
    ]);
    expect(Date.parse(data[0].createdAt)).toBeGreaterThanOrEqual(Date.parse(data[1].createdAt));
  });

  it('changes nothing, and notes nothing, for {} and for what is so already', async () => {
    const id = await seed({ agentName: 'Ann', tags: ['a'] });
    const before = await t.as(owner, { url: `/api/v1/records/${id}` });
    for (const same of [{}, { agentName: 'Ann' }, { tags: ['a'], metadata: {} }]) {
      expect(await patch(id, same)).toMatchObject({ status: 200, body: before.body });
    }
    const [row] = await t.deps.connections.system`select created_at, updated_at from records where id = ${id}`;
    expect(row?.['updated_at']).toEqual(row?.['created_at']);
    expect((await changesOf(id)).data).toEqual([]);
  });

  it('gives the call to a member, who sees it from then on', async () => {
    const id = await seed();
    const agent = await t.addMember(owner, 'agent');
    const url = `/api/v1/records/${id}`;
    expect((await t.as(agent, { url })).status).toBe(404);
    const { body } = await patch(id, { agentId: agent.userId });
    expect(body.data).toMatchObject({ agentId: agent.userId, agentName: expect.stringMatching(/^member/) });
    expect((await t.as(agent, { url })).status).toBe(200);
    expect((await changesOf(id, agent)).data).toHaveLength(1);
    await patch(id, { agentId: null });
    expect((await t.as(agent, { url })).status).toBe(404);
    const stranger = await t.createOrg();
    for (const agentId of [stranger.userId, newId('user'), 'nonsense']) {
      expect(await patch(id, { agentId })).toMatchObject({ status: 422, body: { error: { code: 'UNPROCESSABLE' } } });
    }
  });

  it('is found, counted and listed by what it says since', async () => {
    const id = await seed();
    await patch(id, { externalId: 'found-by-this', tags: ['found'], agentName: 'Somebody New' });
    for (const query of ['externalId=found-by-this', 'tag=found', 'agentNameContains=body%20new']) {
      const { body } = await t.as(owner, { url: `/api/v1/records?${query}` });
      expect(body).toMatchObject({ data: [{ id, externalId: 'found-by-this' }], meta: { total: 1 } });
    }
    const { body } = await t.as(owner, { url: '/api/v1/search?q=found-by-this' });
    expect(body.data).toMatchObject([{ recordId: id }]);
  });

  it('refuses the external id of another call of the same source', async () => {
    const ids = await seedRecords(t, owner, [
      { externalId: 'taken' },
      {},
      { source: 'upload', externalId: 'taken' },
      { source: 'upload' },
    ]);
    for (const id of [ids[1], ids[3]]) {
      expect(await patch(id ?? '', { externalId: 'taken' })).toMatchObject({
        status: 409,
        body: { error: { message: 'Another call has this external id.' } },
      });
    }
    const portal = await seed({ source: 'bitrix24', externalId: 'theirs' });
    expect((await patch(portal, { externalId: 'mine' })).status).toBe(422);
    expect((await patch(portal, { externalId: 'theirs', tags: ['x'] })).status).toBe(200);
  });

  it('lets one of ten win who give their calls the same external id at once', async () => {
    const rows = Array.from({ length: 10 }, () => ({ source: 'upload' as const }));
    const ids = await seedRecords(t, owner, rows);
    const answers = await Promise.all(ids.map((id) => patch(id, { externalId: 'contested' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });

  it.each([
    [{ agentNam: 'x' }, 'agentNam'],
    [{ agentName: '' }, 'agentName'],
    [{ startedAt: '2026-01-01' }, 'startedAt'],
    [{ direction: 'sideways' }, 'direction'],
    [{ tags: ['a,b'] }, 'tags.0'],
    [{ tags: ['a', 'a'] }, 'tags'],
    [{ tags: Array.from({ length: 51 }, (_, at) => `t${at}`) }, 'tags'],
    [{ metadata: { agent_name: 'x' } }, 'metadata.agent_name'],
    [{ status: 'completed' }, 'status'],
    [{ channelMap: null }, 'channelMap'],
  ])('refuses %j by its place', async (payload, path) => {
    const { status, body } = await patch(await seed(), payload);
    expect({ status, path: body.error?.details?.[0]?.path }).toEqual({ status: 400, path });
  });
});

describe('tags of a new call', () => {
  it('come with an ingest', async () => {
    const payload = {
      externalId: 'tagged',
      projectId: owner.projectId,
      recordingUrl: 'https://recordings.example.com/1.wav',
      tags: ['vip'],
    };
    const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
    expect((await t.as(owner, { url: `/api/v1/records/${body.data.id}` })).body.data.tags).toEqual(['vip']);
  });
});
