import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectScoringInput } from '../../src/domain/processing/queries.ts';
import { beginProcessing, failRecord, saveTranscript } from '../../src/domain/processing/service.ts';
import { newRecordId } from '../../src/domain/records/service.ts';
import { createRecord } from '../../src/domain/intake/service.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { suppliedTranscript } from './support/calls.ts';

const api = '/api/v1';
const failure = { code: 'STORAGE_UNAVAILABLE', message: 'The storage did not answer.', retryable: true };

let t: TestApp;
let owner: TestMember;
let profileId: string;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  profileId = (await t.as(owner, { url: `${api}/projects/${owner.projectId}` })).body.data.profileId;
});
afterAll(() => t.close());

const inOrg: TestApp['deps']['services']['db']['withOrg'] = (...args) => t.deps.services.db.withOrg(...args);

async function addCall(hasTranscript = true): Promise<string> {
  const id = newRecordId();
  const record = { id, projectId: owner.projectId, source: 'upload' as const };
  await inOrg(owner.orgId, (tx) => createRecord(tx, record, hasTranscript ? suppliedTranscript(id) : null));
  return id;
}

/** Makes the next version of the profile, and gives its number. */
async function editProfile(): Promise<number> {
  const check = { key: 'own.check', title: 'Own', weight: 1, kind: 'phrase', phrases: ['hello'] };
  const payload = { categories: [{ key: 'own', title: 'Own', weight: 1, checks: [check] }] };
  return (await t.as(owner, { method: 'PATCH', url: `${api}/profiles/${profileId}`, payload })).body.data.version;
}

const begin = (recordId: string, attempt = 1) => inOrg(owner.orgId, (tx) => beginProcessing(tx, { recordId, attempt }));
const judgedBy = async (recordId: string, attempt = 1) => {
  const input = await inOrg(owner.orgId, (tx) => selectScoringInput(tx, { recordId, attempt }));
  return input && { profile: input.profile.version, transcript: input.transcript.version };
};

describe('an attempt', () => {
  it('is judged to its end by the version that it began with, also by a second run of it', async () => {
    const recordId = await addCall();
    await begin(recordId);
    const before = await judgedBy(recordId);
    const version = await editProfile();
    expect(before).toEqual({ profile: version - 1, transcript: 1 });
    expect(await judgedBy(recordId)).toEqual(before);
    await begin(recordId);
    expect(await judgedBy(recordId)).toEqual(before);
  });

  it('judges the transcript that it made, and no later one', async () => {
    const recordId = await addCall(false);
    await begin(recordId);
    expect(await judgedBy(recordId)).toBeUndefined();
    const heard = { transcript: suppliedTranscript(recordId), durationMs: 59_000, channels: 2 };
    const waveform = { durationMs: 59_000, points: 1, channels: [0], levels: Buffer.from([1]), missingMs: 0 };
    const saved = await inOrg(owner.orgId, (tx) =>
      saveTranscript(tx, { recordId, attempt: 1 }, { ...heard, waveform }),
    );
    expect(saved).toBe(true);
    await inOrg(owner.orgId, (tx) =>
      tx.execute(`insert into transcripts (org_id, record_id, version, source, channels, speakers, segments)
        select org_id, record_id, 2, source, channels, speakers, segments from transcripts where record_id = '${recordId}'`),
    );
    expect(await judgedBy(recordId)).toMatchObject({ transcript: 1 });
  });

  it('that follows a failed one begins with what is there then', async () => {
    const recordId = await addCall();
    await begin(recordId);
    const version = await editProfile();
    await inOrg(owner.orgId, (tx) => failRecord(tx, { recordId, attempt: 1 }, failure));
    const retried = await t.as(owner, { method: 'POST', url: `${api}/records/${recordId}/retry` });
    expect(retried.status).toBeLessThan(300);
    await begin(recordId, 2);
    expect(await judgedBy(recordId, 2)).toMatchObject({ profile: version });
  });
});
