import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

const api = '/api/v1';

let t: TestApp;
let owner: TestMember;
let analysisId: string;
let segmentId: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
  analysisId = await seedAnalysis(t, owner, { recordId, categories: { greeting: 80, closing: null } });
  const { body } = await t.as(owner, { url: `${api}/analyses/${analysisId}` });
  segmentId = body.data.segments[0].id;
});
afterAll(() => t.close());

const add = (payload: object, { member = owner, id = analysisId } = {}) =>
  t.as(member, { method: 'POST', url: `${api}/analyses/${id}/annotations`, payload });
const list = (query = '', { member = owner, id = analysisId } = {}) =>
  t.as(member, { url: `${api}/analyses/${id}/annotations${query}` });

describe('adding an annotation', () => {
  it('answers 201 with everything that was given, its author and where it is found', async () => {
    const payload = {
      text: ' Warm, but no name. ',
      type: 'issue',
      segmentId,
      startMs: 0,
      endMs: 900,
      category: 'closing',
    };
    const { status, headers, body } = await add(payload);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      ...payload,
      text: 'Warm, but no name.',
      current: true,
      id: expect.stringMatching(/^ann_/),
      analysisId,
      author: { id: owner.userId, name: expect.any(String) },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: body.data.createdAt,
    });
    const url = String(headers['location']);
    expect(url).toBe(`${api}/analyses/${analysisId}/annotations/${body.data.id}`);
    expect((await t.as(owner, { url })).body).toEqual(body);
  });

  it('needs a text and nothing else', async () => {
    const { status, body } = await add({ text: 'Fine.' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ type: 'comment', segmentId: null, startMs: null, endMs: null, category: null });
  });

  it.each([
    ['text', {}],
    ['text', { text: '  ' }],
    ['text', { text: 'x'.repeat(5_001) }],
    ['type', { text: 'x', type: 'question' }],
    ['segmentId', { text: 'x', segmentId: newId('segment') }],
    ['segmentId', { text: 'x', segmentId: '"}]' }],
    ['category', { text: 'x', category: 'politeness' }],
    ['category', { text: 'x', category: 'toString' }],
    ['startMs', { text: 'x', startMs: -1 }],
    ['startMs', { text: 'x', startMs: 1.5 }],
    ['startMs', { text: 'x', endMs: 10 }],
    ['endMs', { text: 'x', startMs: 10, endMs: 9 }],
    ['endMs', { text: 'x', startMs: 10, endMs: 2 ** 31 }],
  ])('names %s as the mistake in %j', async (path, payload) => {
    const { status, body } = await add(payload);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
  });

  it('does not take a segment of another transcript', async () => {
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
    const other = await seedAnalysis(t, owner, { recordId });
    expect((await add({ text: 'x', segmentId }, { id: other })).status).toBe(400);
    expect((await list('', { id: other })).body.meta.total).toBe(0);
  });

  it('keeps the name of an author who has left', async () => {
    const guest = await t.addMember(owner, 'reviewer');
    const { body } = await add({ text: 'I was here.' }, { member: guest });
    await t.deps.connections.system`delete from memberships where user_id = ${guest.userId}`;
    const after = await t.as(owner, { url: `${api}/analyses/${analysisId}/annotations/${body.data.id}` });
    expect(after.body.data.author).toEqual(body.data.author);
  });
});

describe('changing an annotation', () => {
  const urlOf = (annotationId: string, id = analysisId) => `${api}/analyses/${id}/annotations/${annotationId}`;

  it('changes what is given, leaves the rest, and says when', async () => {
    const { body } = await add({ text: 'Cold.', type: 'issue', segmentId });
    const url = urlOf(body.data.id);
    const changed = await t.as(owner, { method: 'PATCH', url, payload: { text: 'Cool.' } });
    expect(changed.body.data).toEqual({ ...body.data, text: 'Cool.', updatedAt: expect.any(String) });
    expect(changed.body.data.updatedAt > body.data.updatedAt).toBe(true);
    expect((await t.as(owner, { url })).body).toEqual(changed.body);
    expect((await t.as(owner, { method: 'PATCH', url, payload: { text: ' ' } })).status).toBe(400);
  });

  it('deletes it for good', async () => {
    const { body } = await add({ text: 'Never mind.' });
    const url = urlOf(body.data.id);
    expect((await t.as(owner, { method: 'DELETE', url })).status).toBe(204);
    expect((await t.as(owner, { method: 'DELETE', url })).status).toBe(404);
  });

  it('is for its author alone, whatever the role of somebody else', async () => {
    const reviewer = await t.addMember(owner, 'reviewer');
    const { body } = await add({ text: 'Mine.' }, { member: reviewer });
    const url = urlOf(body.data.id);
    expect((await t.as(owner, { method: 'PATCH', url, payload: { text: 'Ours.' } })).status).toBe(403);
    expect((await t.as(owner, { method: 'DELETE', url })).status).toBe(403);
    expect((await t.as(owner, { url })).body.data).toEqual(body.data);
    expect((await t.as(reviewer, { method: 'PATCH', url, payload: { text: 'Still mine.' } })).status).toBe(200);
  });

  it('is not found by way of another analysis', async () => {
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
    const other = await seedAnalysis(t, owner, { recordId });
    const { body } = await add({ text: 'Here.' });
    expect((await t.as(owner, { method: 'DELETE', url: urlOf(body.data.id, other) })).status).toBe(404);
    expect((await t.as(owner, { url: urlOf(body.data.id) })).status).toBe(200);
  });
});

describe('annotations of an analysis', () => {
  it('are listed oldest first, in pages with an exact total, without those of others', async () => {
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
    const id = await seedAnalysis(t, owner, { recordId });
    for (const text of ['one', 'two', 'three']) await add({ text }, { id });
    const first = await list('?pageSize=2', { id });
    const second = await list('?pageSize=2&page=2', { id });
    expect([...first.body.data, ...second.body.data].map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(second.body.meta).toMatchObject({ page: 2, pageSize: 2, total: 3 });
    const mine = first.body.data[0].id;
    expect((await t.as(owner, { url: `${api}/analyses/${analysisId}/annotations/${mine}` })).status).toBe(404);
  });

  it('go with the record', async () => {
    const [recordId = ''] = await seedRecords(t, owner, [{ status: 'completed' }]);
    const id = await seedAnalysis(t, owner, { recordId });
    await add({ text: 'gone' }, { id });
    expect((await t.as(owner, { method: 'DELETE', url: `${api}/records/${recordId}` })).status).toBe(204);
    expect((await list('', { id })).status).toBe(404);
    const left = await t.deps.services.db.withOrg(owner.orgId, (tx) =>
      tx.execute(`select id from annotations where analysis_id = '${id}'`),
    );
    expect(left).toHaveLength(0);
  });

  it("are an agent's to read and write on own calls only", async () => {
    const agent = await t.addMember(owner, 'agent');
    const [own = ''] = await seedRecords(t, owner, [{ status: 'completed', agentUserId: agent.userId }]);
    const id = await seedAnalysis(t, owner, { recordId: own });
    expect((await add({ text: 'Mine' }, { member: agent, id })).status).toBe(201);
    expect((await list('', { member: agent, id })).body.meta.total).toBe(1);
    expect((await add({ text: 'Theirs' }, { member: agent })).status).toBe(404);
    expect((await list('', { member: agent })).status).toBe(404);
  });

  it('of another project do not exist for a reviewer limited to one', async () => {
    const { body } = await t.as(owner, { method: 'POST', url: `${api}/projects`, payload: { name: 'Elsewhere' } });
    const reviewer = await t.addMember(owner, 'reviewer', [body.data.id]);
    expect((await list('', { member: reviewer })).status).toBe(404);
    expect((await add({ text: 'x' }, { member: reviewer })).status).toBe(404);
  });
});
