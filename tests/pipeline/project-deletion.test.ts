import { afterAll, beforeAll, expect, it } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually } from './support/hosts.ts';

const api = '/api/v1';
const calls = 24;
const rounds = 4;
const condition = { field: 'qualityScore', operator: 'lt', value: 50 };

let t: TestApp;
let owner: TestMember;
let profileId: string;

beforeAll(async () => {
  t = await createTestApp({ env: { LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '16' } });
  owner = await t.createOrg();
  profileId = (await t.as(owner, { url: `${api}/profiles` })).body.data[0].id;
  // Whoever processes a call locks the budget, where there is one.
  await post(`/billing/budget/${owner.orgId}`, { budgetLimit: 10_000 }, 'PATCH');
});
afterAll(() => t.close());

const post = (path: string, payload: object, method: 'POST' | 'PATCH' = 'POST') =>
  t.as(owner, { method, url: `${api}${path}`, payload });
const remove = (path: string) => t.as(owner, { method: 'DELETE', url: `${api}${path}` });

type Finished = { id: string; recordId: string };

async function projectWithCalls(name: string): Promise<{ projectId: string; analyses: Finished[] }> {
  const projectId: string = (await post('/projects', { name })).body.data.id;
  for (let count = 0; count < calls; count += 1) await addCall(projectId);
  const analyses = await eventually(async () => {
    const { body } = await t.as(owner, { url: `${api}/analyses?projectId=${projectId}&pageSize=100` });
    const found: Finished[] = body.data;
    return found.length === calls ? found : undefined;
  });
  return { projectId, analyses };
}

async function addCall(projectId: string): Promise<void> {
  const id = newRecordId();
  await t.deps.services.db.withOrg(owner.orgId, (tx) =>
    createRecord(tx, { id, projectId, source: 'upload' }, suppliedTranscript(id)),
  );
}

function countDeadlocks(): Promise<number> {
  return asAdmin(t.deps.config.DATABASE_URL ?? '', async (sql) => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql<{ deadlocks: number }[]>`
      select deadlocks::int from pg_stat_database where datname = current_database()`;
    return row?.deadlocks ?? 0;
  });
}

it('a project is deleted while its calls are analysed again, taken and judged, and nobody waits for each other', async () => {
  for (let round = 1; round <= rounds; round += 1) {
    const { projectId, analyses } = await projectWithCalls(`Round ${round}`);
    const reanalyze = ({ id }: Finished) => post(`/analyses/${id}/re-analyze`, { profileId });
    const [half, rest] = [analyses.slice(0, calls / 2), analyses.slice(calls / 2)];
    const alert = (await post('/alerts', { name: 'Low', condition, actions: ['webhook'] })).body.data;
    // These are being published while the others are ordered.
    const before = await Promise.all(half.map(reanalyze));
    expect(before.map(({ status }) => status)).toEqual(half.map(() => 202));
    const after = rest.map(reanalyze);
    const notes = rest.map(({ id }) => post(`/analyses/${id}/annotations`, { text: 'Well done.' }));
    const ingests = rest.map(({ id }) =>
      post('/records/ingest', { externalId: id, projectId, recordingUrl: 'https://calls.example/a.wav' }),
    );
    const alerts = rest.map(() => post(`/alerts/${alert.id}`, { projectId }, 'PATCH'));
    const removals = half.slice(0, 4).map(({ recordId }) => remove(`/records/${recordId}`));
    const deletion = await remove(`/projects/${projectId}?force=true`);
    expect(deletion.status).toBe(204);
    const others = await Promise.all([...after, ...notes, ...ingests, ...alerts, ...removals]);
    expect(others.map(({ status }) => status).filter((status) => ![200, 201, 202, 204, 404].includes(status))).toEqual(
      [],
    );
    expect((await t.as(owner, { url: `${api}/records?projectId=${projectId}` })).body.meta.total).toBe(0);
  }
  expect(await countDeadlocks()).toBe(0);
});
