import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProfile } from '../../src/domain/profiles/examples.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';

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
      averageJudgedShare: null,
      awaitingReview: 0,
      period: { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T23:59:59.999Z' },
    });
  });
});

describe('a project', () => {
  const create = (payload: object, member = owner) =>
    t.as(member, { method: 'POST', url: '/api/v1/projects', payload });
  const patch = (id: string, payload: object) =>
    t.as(owner, { method: 'PATCH', url: `/api/v1/projects/${id}`, payload });

  it('has exactly the documented fields', async () => {
    const { body } = await create({ name: 'Shape' });
    expect(body.data).toEqual({
      id: expect.stringMatching(/^prj_[0-9a-hjkmnp-tv-z]{26}$/),
      name: 'Shape',
      description: '',
      language: null,
      profileId: expect.stringMatching(/^prf_/),
      settings: { redactPii: false, redactNames: false, retentionDays: null, channelMap: null },
      recordCount: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('changes what is given, to nothing where null is given, and leaves the rest', async () => {
    const settings = { redactPii: true, retentionDays: 90, channelMap: { '0': 'agent' } };
    const created = await create({ name: 'Full', description: 'Old', language: 'en', settings });
    const { id } = created.body.data;
    const changed = await patch(id, { language: null, settings: { retentionDays: null } });
    expect(changed.body.data).toMatchObject({
      name: 'Full',
      description: 'Old',
      language: null,
      settings: { redactPii: true, retentionDays: null, channelMap: { '0': 'agent' } },
    });
    expect(changed.body.data.updatedAt > created.body.data.updatedAt).toBe(true);
    const same = await patch(id, {});
    expect(same.body.data).toMatchObject({ name: 'Full', language: null });
  });

  it('redacts names only where it redacts, and says so of all other settings', async () => {
    const both = { redactPii: true, redactNames: true };
    const { body } = await create({ name: 'Names', settings: both });
    expect(body.data.settings).toMatchObject(both);
    const alone = await create({ name: 'Names alone', settings: { redactNames: true } });
    expect(alone).toMatchObject({
      status: 422,
      body: { error: { code: 'UNPROCESSABLE', details: [{ path: 'settings.redactNames' }] } },
    });
    expect(await patch(body.data.id, { settings: { redactPii: false } })).toMatchObject({ status: 422 });
    expect((await t.as(owner, { url: `/api/v1/projects/${body.data.id}` })).body.data.settings).toMatchObject(both);
    const off = await patch(body.data.id, { settings: { redactPii: false, redactNames: false } });
    expect(off.body.data.settings).toMatchObject({ redactPii: false, redactNames: false });
  });

  it('takes who speaks on which channel by role too, and shows it by channel', async () => {
    const { body } = await create({ name: 'Channels', settings: { channelMap: { agent: 1, customer: 0 } } });
    expect(body.data.settings.channelMap).toEqual({ '0': 'customer', '1': 'agent' });
    const changed = await patch(body.data.id, { settings: { channelMap: { agent: 0 } } });
    expect(changed.body.data.settings.channelMap).toEqual({ '0': 'agent' });
    const kept = await patch(body.data.id, { settings: { redactPii: true } });
    expect(kept.body.data.settings.channelMap).toEqual({ '0': 'agent' });
  });

  it.each<[string, object, string]>([
    ['no name', {}, 'name'],
    ['a name of spaces', { name: '  ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(121) }, 'name'],
    ['a name that is no text', { name: 5 }, 'name'],
    ['no days to keep', { name: 'X', settings: { retentionDays: 0 } }, 'settings.retentionDays'],
    ['a year of days too many', { name: 'X', settings: { retentionDays: 3651 } }, 'settings.retentionDays'],
    ['a flag that is text', { name: 'X', settings: { redactPii: 'yes' } }, 'settings.redactPii'],
    ['names as text', { name: 'X', settings: { redactNames: 'yes' } }, 'settings.redactNames'],
    ['a channel of nobody', { name: 'X', settings: { channelMap: { '0': 'boss' } } }, 'settings.channelMap.0'],
    ['two on a channel', { name: 'X', settings: { channelMap: { agent: 0, ivr: 0 } } }, 'settings.channelMap.ivr'],
  ])('with %s is refused, and the mistake is named', async (_case, payload, path) => {
    const refused = await create(payload);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.map((detail: { path: string }) => detail.path)).toEqual([path]);
  });

  it('gets its name once, however many ask for it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ name: index % 2 ? 'Race' : 'RACE' })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('cannot take the name of another, but may change the case of its own', async () => {
    const [first, second] = [await create({ name: 'Alpha' }), await create({ name: 'Beta' })];
    expect((await patch(second.body.data.id, { name: 'ALPHA' })).status).toBe(409);
    expect((await patch(first.body.data.id, { name: 'ALPHA' })).status).toBe(200);
  });

  it('frees its name when it goes', async () => {
    const { body } = await create({ name: 'Again' });
    await t.as(owner, { method: 'DELETE', url: `/api/v1/projects/${body.data.id}` });
    expect((await create({ name: 'Again' })).status).toBe(201);
  });

  it('is never left with a profile that was deleted at that moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const profile = await t.as(owner, {
        method: 'POST',
        url: '/api/v1/profiles',
        payload: { ...newProfile, name: `Gone ${round}` },
      });
      const { id } = profile.body.data;
      const [created, deleted] = await Promise.all([
        create({ name: `Orphan ${round}`, profileId: id }),
        t.as(owner, { method: 'DELETE', url: `/api/v1/profiles/${id}` }),
      ]);
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual([created.status, deleted.status]);
    }
  });
});

describe('deleting a project', () => {
  const remove = (id: string, query = '') => t.as(owner, { method: 'DELETE', url: `/api/v1/projects/${id}${query}` });

  async function projectWith(count: number): Promise<string> {
    const created = await t.as(owner, { method: 'POST', url: '/api/v1/projects', payload: { name: `With ${count}` } });
    const projectId: string = created.body.data.id;
    await seedRecords(
      t,
      owner,
      Array.from({ length: count }, (_, index) => ({
        projectId,
        storageKey: index % 2 ? `${owner.orgId}/${projectId}/${index}` : null,
      })),
    );
    return projectId;
  }

  it('with records is refused unless it is forced', async () => {
    const id = await projectWith(1);
    const refused = await remove(id);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect((await remove(id, '?force=false')).status).toBe(409);
    expect((await t.as(owner, { url: `/api/v1/projects/${id}` })).body.data.recordCount).toBe(1);
  });

  it('by force takes all of its records, says so of each and orders every recording away', async () => {
    const id = await projectWith(1_203);
    const other = await t.as(owner, { url: '/api/v1/records' });
    expect((await remove(id, '?force=true')).status).toBe(204);
    expect((await t.as(owner, { url: '/api/v1/records' })).body.meta.total).toBe(other.body.meta.total - 1_203);
    const events = await t.deps.connections.system<{ type: string; count: number }[]>`
      select type, count(*)::int as count from outbox
       where org_id = ${owner.orgId} and (data->>'projectId' = ${id} or data->>'storageKey' like ${`%${id}%`}) group by 1 order by 1`;
    expect(events.map(({ type, count }) => [type, count])).toEqual([
      ['object.delete.requested', 601],
      ['record.deleted', 1_203],
    ]);
    const days = await t.deps.connections.app.begin(async (sql) => {
      await sql`select set_config('app.org_id', ${owner.orgId}, true)`;
      return sql`select from record_days where project_id = ${id}`;
    });
    expect(days).toHaveLength(0);
  });

  it('does not fall out with calls of it that are being completed', async () => {
    const id = await projectWith(40);
    const ids = await t.deps.connections.system<
      { id: string }[]
    >`select id from records where project_id = ${id} order by id desc`;
    // As the pipeline does: it holds the record before it changes the counters of the day.
    const complete = (recordId: string) =>
      t.deps.services.db.withOrg(owner.orgId, async (tx) => {
        await tx.execute(`select from records where id = '${recordId}' for no key update`);
        await sleep(5);
        await tx.execute(`update records set status = 'completed' where id = '${recordId}'`);
      });
    const [deleted, ...completed] = await Promise.allSettled([
      remove(id, '?force=true'),
      ...ids.slice(0, 12).map((row) => complete(row.id)),
    ]);
    expect(deleted).toMatchObject({ status: 'fulfilled', value: { status: 204 } });
    expect(completed.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('happens once', async () => {
    const id = await projectWith(3);
    const answers = await Promise.all([
      remove(id, '?force=true'),
      remove(id, '?force=true'),
      remove(id, '?force=true'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
  });
});

describe('statistics', () => {
  const stats = (query = '') => t.as(owner, { url: `/api/v1/projects/${owner.projectId}/stats${query}` });

  it('are those of the last thirty days unless told otherwise', async () => {
    const before = Date.now();
    const { body } = await stats();
    const { from, to } = body.data.period;
    expect(Date.parse(to)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * 86_400_000);
  });

  it('with one end take the other from it', async () => {
    expect((await stats('?to=2026-03-31')).body.data.period).toEqual({
      from: '2026-03-01T23:59:59.999Z',
      to: '2026-03-31T23:59:59.999Z',
    });
    const since = await stats('?from=2026-01-01');
    expect(since.body.data.period.from).toBe('2026-01-01T00:00:00.000Z');
    expect((await stats('?to=0001-01-02')).status).toBe(200);
    expect((await stats('?from=9999-12-31')).body.data).toMatchObject({ totalRecords: 0 });
  });

  it.each(['?from=2026-02-02&to=2026-02-01', '?from=now', '?to=2026-02-30'])('refuse %s', async (query) => {
    expect((await stats(query)).status).toBe(400);
  });
});
