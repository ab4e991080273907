import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually, hurry } from './support/hosts.ts';

let database: TestDatabase;
let dataDir: string;
let t: TestApp;
let member: TestMember;

const start = () => createTestApp({ env: { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'silent' } });

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-publication-'));
  t = await start();
  member = await t.createOrg();
});
afterEach(async () => {
  await t.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A call that was scored, and then the database refused its analysis. */
async function addUnpublished(): Promise<string> {
  await asAdmin(database.url, (sql) => sql`alter table analyses add constraint none_today check (false) not valid`);
  const id = newRecordId();
  await t.deps.services.db.withOrg(member.orgId, (tx) =>
    createRecord(tx, { id, projectId: member.projectId, source: 'upload' }, suppliedTranscript(id)),
  );
  const { system } = t.deps.connections;
  await eventually(async () => (await system`select from engine_queue where attempt = 1`).length === 1 || undefined);
  const steps = await system`select name from engine_steps order by position`;
  expect(steps.map(({ name }) => name)).toEqual(['begin', 'score']);
  return id;
}

async function published(id: string) {
  await asAdmin(database.url, (sql) => sql`alter table analyses drop constraint none_today`);
  const { system } = t.deps.connections;
  await hurry(system);
  const { analysisId } = await eventually(async () => {
    const { body } = await t.as(member, { url: `/api/v1/records/${id}` });
    return body.data.status === 'completed' ? body.data : undefined;
  });
  return (await t.as(member, { url: `/api/v1/analyses/${analysisId}` })).body.data;
}

describe('a publication that fails', () => {
  it('is tried again alone: the call is not scored a second time', async () => {
    const run = vi.spyOn(t.deps.services.heavyWork, 'run');
    const scorings = () => run.mock.calls.filter(([task]) => task === 'score').length;
    const id = await addUnpublished();
    expect(await published(id)).toMatchObject({ version: 1, current: true });
    expect(scorings()).toBe(1);
  });

  it('publishes nothing that was scored before the project began to redact', async () => {
    const run = vi.spyOn(t.deps.services.heavyWork, 'run');
    const id = await addUnpublished();
    const url = `/api/v1/projects/${member.projectId}`;
    await t.as(member, { method: 'PATCH', url, payload: { settings: { redactPii: true } } });
    await published(id);
    expect(run.mock.calls.map(([task]) => task)).toEqual(['score', 'redactStored', 'score']);
    const { body } = await t.as(member, { url: `/api/v1/records/${id}/transcript` });
    expect(body.data.redactions).not.toBeNull();
  });

  it('is taken over by another process, which scores the call alike', async () => {
    const id = await addUnpublished();
    await t.close();
    t = await start();
    const { checks, qualityScore } = await published(id);
    expect(qualityScore).toBeGreaterThan(60);
    expect(checks.filter(({ evidence }: { evidence: object[] }) => evidence.length > 0).length).toBeGreaterThan(2);
  });
});
