import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { suppliedTranscript } from './support/calls.ts';
import { eventually, log } from './support/hosts.ts';

const programs = ['ffmpeg', 'flite', 'pocketsphinx_batch'];
const missing = programs.filter((program) => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
});
if (missing.length > 0) process.stdout.write(`Recordings are not heard in tests: ${missing.join(', ')} missing.\n`);

let service: TestApp;
let org: TestMember;

beforeAll(async () => {
  service = await createTestApp({ env: { LOG_LEVEL: log.level } });
  org = await service.createOrg();
});
afterAll(async () => {
  await service.close();
});

/** A record of a recording that no check has looked at. */
async function addRecording(bytes: Buffer | null, contentType: string): Promise<string> {
  const id = newRecordId();
  const storageKey = `${org.orgId}/${id}`;
  const { db, storage } = service.deps.services;
  if (bytes) await storage.put(storageKey, Readable.from([bytes]));
  await db.withOrg(org.orgId, (tx) =>
    createRecord(
      tx,
      { id, projectId: org.projectId, source: 'upload', storageKey, fileContentType: contentType },
      null,
    ),
  );
  return id;
}

async function ended(id: string) {
  return eventually(async () => {
    const { body } = await service.as(org, { method: 'GET', url: `/api/v1/records/${id}` });
    return ['completed', 'failed'].includes(body.data.status) ? body.data : undefined;
  }, 60_000);
}

function speak(text: string): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'earshot-voice-'));
  try {
    const file = path.join(folder, 'voice.wav');
    execFileSync('flite', ['-voice', 'slt', '-t', text, '-o', file]);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.runIf(missing.length === 0)('a recording without a transcript', () => {
  it('is heard, scored and published', async () => {
    const id = await addRecording(speak('thank you for calling. how can I help you today?'), 'audio/wav');
    const record = await ended(id);
    expect(record).toMatchObject({ status: 'completed', failure: null });
    expect(record.duration).toBeGreaterThanOrEqual(2);
    const { body } = await service.as(org, { method: 'GET', url: `/api/v1/records/${id}/transcript` });
    expect(body.data).toMatchObject({ source: 'speech-to-text' });
    expect(body.data.text).toContain('help you');
  }, 70_000);

  it.each([
    ['noise under the name of MP3', Buffer.alloc(20_000, 'noise'), 'audio/mpeg'],
    ['nothing at all', Buffer.alloc(0), 'audio/wav'],
  ])('fails at once with a reason when it is %s, while others go on', async (_name, bytes, type) => {
    const poison = await addRecording(bytes, type);
    const good = newRecordId();
    await service.deps.services.db.withOrg(org.orgId, (tx) =>
      createRecord(tx, { id: good, projectId: org.projectId, source: 'upload' }, suppliedTranscript(good)),
    );
    expect((await ended(good)).status).toBe('completed');
    const { status, failure, stage } = await ended(poison);
    expect({ status, stage }).toEqual({ status: 'failed', stage: null });
    expect(failure.code).toMatch(/^AUDIO_/);
    expect(failure.retryable).toBe(false);
  });

  it('fails with a reason when the storage has it no more', async () => {
    const id = await addRecording(null, 'audio/wav');
    expect((await ended(id)).failure).toMatchObject({ code: 'RECORDING_GONE', retryable: false });
  });

  it('ends quietly when its record is deleted while it is heard', async () => {
    const id = await addRecording(
      speak('this is a long sentence about nothing in particular. '.repeat(2)),
      'audio/wav',
    );
    await eventually(async () => {
      const { body } = await service.as(org, { method: 'GET', url: `/api/v1/records/${id}` });
      return body.data.stage === 'transcribing' || undefined;
    });
    expect((await service.as(org, { method: 'DELETE', url: `/api/v1/records/${id}` })).status).toBe(204);
    const { system } = service.deps.connections;
    await eventually(async () => {
      const rows = await system`select from engine_runs where status = 'running'`;
      return rows.length === 0 || undefined;
    }, 60_000);
    const failed = await system`
      select from engine_runs where status = 'failed' and event->'data'->>'recordId' = ${id}`;
    expect(failed).toHaveLength(0);
    expect(await service.deps.services.storage.stat(`${org.orgId}/${id}`)).toBeNull();
  }, 70_000);
});
