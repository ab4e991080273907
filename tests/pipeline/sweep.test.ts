import { mkdir, readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { outboxLock } from '../../src/pipeline/delivery.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { suppliedTranscript } from './support/calls.ts';
import { asAdmin, eventually } from './support/hosts.ts';
import { runCron, stopClock } from './support/run-cron.ts';

let service: TestApp;
let org: TestMember;

beforeAll(async () => {
  service = await createTestApp({ env: { LOG_LEVEL: 'silent' } });
  await stopClock(service);
  org = await service.createOrg();
});
afterAll(async () => {
  await service.close();
});

const sweep = () => runCron(service, 'sweep');

async function asOwner(work: (sql: Parameters<Parameters<typeof asAdmin>[1]>[0]) => Promise<unknown>): Promise<void> {
  await asAdmin(service.deps.config.DATABASE_URL ?? '', work);
}

/** A record whose order to be processed was lost. */
async function addForgotten(): Promise<string> {
  const id = newRecordId();
  const { db } = service.deps.services;
  await asOwner((sql) =>
    sql.begin(async (tx) => {
      // Nobody hands events on meanwhile: the look each second would.
      await tx`select pg_advisory_xact_lock(${outboxLock})`;
      await db.withOrg(org.orgId, (own) =>
        createRecord(own, { id, projectId: org.projectId, source: 'upload' }, suppliedTranscript(id)),
      );
      await tx`delete from outbox where data->>'recordId' = ${id}`;
    }),
  );
  return id;
}

async function statusOf(id: string): Promise<string> {
  return (await service.as(org, { method: 'GET', url: `/api/v1/records/${id}` })).body.data.status;
}

async function exists(key: string): Promise<boolean> {
  return (await service.deps.services.storage.stat(key)) !== null;
}

describe('the sweep', () => {
  it('sets a record going again that nobody works on, and leaves fresh ones alone', async () => {
    const old = await addForgotten();
    const fresh = await addForgotten();
    await asOwner((sql) => sql`update records set updated_at = now() - interval '10 minutes' where id = ${old}`);
    await sweep();
    await eventually(async () => (await statusOf(old)) === 'completed' || undefined);
    expect(await statusOf(fresh)).toBe('pending');
  });

  it('removes an upload that never became a record, and no other object', async () => {
    const { storage } = service.deps.services;
    const abandoned = `${org.orgId}/${newRecordId()}`;
    const receiving = `${org.orgId}/${newRecordId()}`;
    const recorded = newRecordId();
    const kept = `${org.orgId}/${recorded}`;
    for (const key of [abandoned, receiving, kept]) await storage.put(key, Readable.from([Buffer.from('sound')]));
    await service.deps.services.db.withOrg(org.orgId, (tx) =>
      createRecord(
        tx,
        { id: recorded, projectId: org.projectId, source: 'upload', storageKey: kept },
        suppliedTranscript(recorded),
      ),
    );
    await asOwner(
      (sql) => sql`insert into uploads (org_id, storage_key, created_at) values
        (${org.orgId}, ${abandoned}, now() - interval '2 hours'),
        (${org.orgId}, ${receiving}, now()),
        (${org.orgId}, ${kept}, now() - interval '2 hours')`,
    );
    await sweep();
    await eventually(async () => !(await exists(abandoned)) || undefined);
    expect(await exists(receiving)).toBe(true);
    expect(await exists(kept)).toBe(true);
  });

  it('removes work folders that a crash left behind, and none in use', async () => {
    const parent = path.join(service.dataDir, 'work');
    await mkdir(path.join(parent, 'rec_old-x'), { recursive: true });
    await mkdir(path.join(parent, 'rec_new-x'));
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(path.join(parent, 'rec_old-x'), yesterday, yesterday);
    await sweep();
    expect(await readdir(parent)).toEqual(['rec_new-x']);
  });
});
