import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { largeRubric, longVtt } from '../support/long-calls.ts';
import { silentWav } from '../pipeline/support/recording-server.ts';
import { formBytes, formType } from './upload-support.ts';

const wav = silentWav(1000);

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ env: { SCORING_SECONDS_MAX: '1', LOG_LEVEL: 'silent' } });
  owner = await t.createOrg();
});
afterAll(() => t.close());

const api = '/api/v1';

async function upload(transcript: string, projectId = owner.projectId) {
  const parts = [
    { name: 'projectId', content: projectId },
    { name: 'transcript', content: transcript },
    { name: 'file', fileName: 'call.wav', content: wav },
  ];
  const headers = { 'content-type': formType };
  return t.as(owner, { method: 'POST', url: `${api}/records/upload`, headers, payload: formBytes(parts) });
}

async function ended(id: string) {
  return eventually(async () => {
    const { body } = await t.as(owner, { url: `${api}/records/${id}` });
    return ['completed', 'failed'].includes(body.data.status) ? body.data : undefined;
  }, 60_000);
}

/** Words that nearly match, again and again: the dearest that a call and a profile can be to each other. */
const hostileCall = `WEBVTT\n\n00:00.000 --> 01:00.000\n<v Agent>${'a b '.repeat(2500)}\n`;
const hostileRubric = {
  ...largeRubric,
  categories: largeRubric.categories.map(({ checks, ...category }) => ({
    ...category,
    checks: checks.map(({ phrases, ...check }) => ({
      ...check,
      phrases: phrases.map((phrase) => `a b a b a b a b a b ${phrase.split(' ').at(-1)}`),
    })),
  })),
};

const post = (url: string, payload: object) => t.as(owner, { method: 'POST', url: `${api}${url}`, payload });

/** A project that scores by the dearest of profiles. */
async function dearProject(): Promise<{ projectId: string; profileId: string }> {
  const profile = await post('/profiles', { name: 'Everything', ...hostileRubric });
  const project = await post('/projects', { name: 'Dear', profileId: profile.body.data.id });
  return { projectId: project.body.data.id, profileId: profile.body.data.id };
}

const fewerPhrases = expect.stringContaining('fewer phrases');
const failure = { code: 'SCORING_TOO_EXPENSIVE', message: fewerPhrases, retryable: false };

it('a call that takes more than one scoring may fails for good, says why, and keeps no other one waiting', async () => {
  const { projectId, profileId } = await dearProject();
  const dear = (await upload(hostileCall, projectId)).body.data.id;
  const cheap = (await upload(hostileCall)).body.data.id;
  const completed = await ended(cheap);
  expect(completed).toMatchObject({ status: 'completed' });
  expect(await ended(dear)).toMatchObject({ status: 'failed', failure });
  const [preview, ordered] = await Promise.all([
    post(`/profiles/${profileId}/preview`, { recordId: cheap }),
    post(`/analyses/${completed.analysisId}/re-analyze`, { profileId }),
  ]);
  expect(preview).toMatchObject({ status: 422, body: { error: { code: 'UNPROCESSABLE', message: fewerPhrases } } });
  expect(ordered.status).toBe(202);
  const failed = await eventually(async () => {
    const { body } = await t.as(owner, { url: `${api}/analyses/${ordered.body.data.id}` });
    return body.data.status === 'failed' ? body.data : undefined;
  }, 60_000);
  expect(failed).toMatchObject({ failure });
  expect(await ended(cheap)).toMatchObject({ status: 'completed', analysisId: completed.analysisId });
});

it('a transcript of more words than can be scored is 413, whichever way it comes', async () => {
  const tooLong = longVtt(200_001);
  const message = 'The transcript has more than 200,000 words.';
  const refused = { status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE', message } } };
  expect(await upload(tooLong)).toMatchObject(refused);
  const transcript = { segments: [{ startMs: 0, endMs: 1000, text: 'a '.repeat(200_001) }] };
  const call = { externalId: 'x1', projectId: owner.projectId, recordingUrl: 'http://127.0.0.1:1/a.wav', transcript };
  expect(await t.as(owner, { method: 'POST', url: `${api}/records/ingest`, payload: call })).toMatchObject(refused);
  expect((await upload(longVtt(1000))).status).toBe(201);
});
