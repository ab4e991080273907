import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { LocalBench } from '../support/models/local-engine.ts';
import { installToneRecogniser } from '../support/models/tiny-models.ts';
import { writeTones } from '../support/models/tones.ts';
import { eventually, log } from './support/hosts.ts';

let service: TestApp;
let org: TestMember;
let bench: LocalBench;

beforeAll(async () => {
  bench = await LocalBench.open();
  service = await createTestApp({ env: { LOG_LEVEL: log.level, SPEECH_ENGINE: 'local' } });
  org = await service.createOrg();
});
afterAll(async () => {
  await service.close();
  await bench.close();
});

async function processed(): Promise<{ id: string; status: string; failure: unknown }> {
  const file = path.join(await bench.makeFolder(), 'call.wav');
  await writeTones(file, 4000, [
    { hz: 450, startMs: 500, endMs: 1000 },
    { hz: 2100, startMs: 2500, endMs: 3000 },
  ]);
  const id = newRecordId();
  const storageKey = `${org.orgId}/${id}`;
  const { db, storage } = service.deps.services;
  await storage.put(storageKey, Readable.from([await readFile(file)]));
  const record = { id, projectId: org.projectId, source: 'upload', storageKey, fileContentType: 'audio/wav' } as const;
  await db.withOrg(org.orgId, (tx) => createRecord(tx, record, null));
  return eventually(async () => {
    const { body } = await service.as(org, { method: 'GET', url: `/api/v1/records/${id}` });
    return ['completed', 'failed'].includes(body.data.status) ? body.data : undefined;
  }, 60_000);
}

describe('a recording with SPEECH_ENGINE=local', () => {
  it('fails with what to do while there is no usable model, and is heard as soon as there is', async () => {
    expect(await processed()).toMatchObject({
      status: 'failed',
      failure: { code: 'SPEECH_ENGINE_MISSING', message: expect.stringContaining('models list') },
    });
    await installToneRecogniser(path.join(service.deps.config.DATA_DIR, 'models'));
    const { id, status } = await processed();
    expect(status).toBe('completed');
    const { body } = await service.as(org, { method: 'GET', url: `/api/v1/records/${id}/transcript` });
    expect(body.data).toMatchObject({ model: 'local/tones', text: 'alpha\ndelta', language: 'en' });
  });
});
