import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

describe('projects', () => {
  it('creates, reads, changes, lists and deletes a project', async () => {
    const created = await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: 'Support' } });
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    expect(created.headers['location']).toBe(`/api/v1/projects/${id}`);
    expect(created.body.data).toMatchObject({
      name: 'Support',
      language: null,
      recordCount: 0,
      settings: { redactPii: false },
    });

    const changed = await t.as(owner, {
      method: 'PATCH',
      url: `/api/v1/projects/${id}`,
      payload: { settings: { retentionDays: 30 } },
    });
    expect(changed.body.data).toMatchObject({ name: 'Support', settings: { redactPii: false, retentionDays: 30 } });

    const listed = await t.as(owner, { url: '/api/v1/projects?pageSize=1&page=2' });
    expect(listed.body).toMatchObject({ data: [{ id }], meta: { page: 2, pageSize: 1, total: 2 } });

    const deleted = await t.as(owner, { method: 'DELETE', url: `/api/v1/projects/${id}` });
    expect(deleted.status).toBe(204);
    expect(deleted.body).toBe('');
    const gone = await t.as(owner, { url: `/api/v1/projects/${id}` });
    expect(gone).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });

  it('refuses a name that is taken, whatever its case', async () => {
    const taken = await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: 'default' } });
    expect(taken).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  });

  it('refuses an unknown profile as unprocessable', async () => {
    const refused = await t.as(owner, {
      method: 'POST',
      url: '/api/v1/projects',
      payload: { name: 'X', profileId: 'prf_unknown' },
    });
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'UNPROCESSABLE' } } });
  });

  it('names every mistake of a body', async () => {
    const refused = await t.as(owner, {
      method: 'POST',
      url: '/api/v1/projects',
      payload: { name: '', language: '12' },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe('VALIDATION_ERROR');
    expect(refused.body.error.details.map((detail: { path: string }) => detail.path)).toEqual(['name', 'language']);
  });

  it('answers statistics of an empty period with nulls', async () => {
    const stats = await t.as(owner, { url: `/api/v1/projects/${owner.projectId}/stats?from=2026-01-01&to=2026-01-31` });
    expect(stats.body.data).toEqual({
      projectId: owner.projectId,
      totalRecords: 0,
      completedRecords: 0,
      averageQualityScore: null,
      averageDuration: null,
      period: { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T23:59:59.999Z' },
    });
  });
});
