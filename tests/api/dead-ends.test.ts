import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedRecords } from '../support/seed.ts';
import { leftovers, send, wavHeader } from './upload-support.ts';

const api = '/api/v1';
const failure = { code: 'FETCH_FAILED', message: 'The address answered 404.', retryable: false };
const [first, second] = ['https://recordings.example.com/1.wav', 'https://recordings.example.com/2.wav'];

let t: TestApp;
let owner: TestMember;
let baseUrl: string;
let count = 0;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  baseUrl = await t.listen();
});
afterAll(() => t.close());

const post = (url: string, payload: object = {}) => t.as(owner, { method: 'POST', url: `${api}${url}`, payload });
const ingest = (externalId: string, recordingUrl: string | undefined) =>
  post('/records/ingest', { externalId, projectId: owner.projectId, recordingUrl });
const rowOf = async (id: string) => {
  const [row] = await t.deps.connections.system`select * from records where id = ${id}`;
  return row;
};

async function failed(row: Parameters<typeof seedRecords>[2][number] = {}): Promise<string> {
  const [id = ''] = await seedRecords(t, owner, [{ status: 'failed', failure, recordingUrl: first, ...row }]);
  return id;
}

const stored = { storageKey: 'stored', fileSizeBytes: 4, fileSha256: 'ab', fileContentType: 'audio/wav', channels: 1 };

describe('a call that failed', () => {
  it('takes another address from the same call ingested again, and starts over', async () => {
    const externalId = `call-${++count}`;
    const id = await failed({ externalId, ...stored });
    expect(await ingest(externalId, first)).toMatchObject({ status: 200, body: { data: { id, status: 'failed' } } });
    const answer = await ingest(externalId, second);
    expect(answer).toMatchObject({ status: 202, body: { data: { id, status: 'pending' } } });
    expect(await rowOf(id)).toMatchObject({
      status: 'pending',
      attempt: 2,
      failure: null,
      recording_url: second,
      storage_key: null,
      file_sha256: null,
    });
    const ordered = await t.deps.connections.system`
      select type from outbox where data->>'recordId' = ${id} or data->>'storageKey' = 'stored' order by type`;
    expect(ordered.map(({ type }) => type)).toEqual(['object.delete.requested', 'record.process.requested']);
    // Under way it is left as it is.
    expect(await ingest(externalId, first)).toMatchObject({ status: 200, body: { data: { status: 'pending' } } });
    expect(await rowOf(id)).toMatchObject({ attempt: 2, recording_url: second });
  });

  it('starts over once, however many send it at once', async () => {
    const externalId = `call-${++count}`;
    const id = await failed({ externalId });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ingest(externalId, second)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 7 }, () => 200), 202]);
    expect(await rowOf(id)).toMatchObject({ attempt: 2 });
  });

  it('is retried from a new address even where the former recording was at fault, and forgets what was heard', async () => {
    const id = await failed(stored);
    await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`
        insert into transcripts (org_id, record_id, version, source, channels, speakers, segments)
        values (${owner.orgId}, ${id}, 1, 'speech-to-text', 1, '[]', '[]')`,
    );
    const refused = await post(`/records/${id}/retry`);
    expect(refused).toMatchObject({ status: 409, body: { error: { details: [{ path: 'recordingUrl' }] } } });
    const answer = await post(`/records/${id}/retry`, { recordingUrl: second });
    expect(answer).toMatchObject({ status: 200, body: { data: { id, status: 'pending' } } });
    expect(await rowOf(id)).toMatchObject({ recording_url: second, storage_key: null, attempt: 2 });
    const heard = await asAdmin(
      t.deps.config.DATABASE_URL ?? '',
      (sql) => sql`select version from transcripts where record_id = ${id}`,
    );
    expect(heard).toEqual([]);
    const wrong = await post(`/records/${await failed()}/retry`, { recordingUrl: 'ftp://a.example/1.wav' });
    expect(wrong).toMatchObject({ status: 400, body: { error: { details: [{ path: 'recordingUrl' }] } } });
  });

  it.each(['transcript', 'audio', 'captions'])('says of its %s that processing failed, and why', async (part) => {
    const answer = await t.as(owner, { url: `${api}/records/${await failed()}/${part}` });
    const what = part === 'audio' ? 'recording' : 'transcript';
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'CONFLICT',
          message: `There is no ${what}, because processing failed: The address answered 404.`,
          details: [{ path: 'failure', message: expect.stringContaining('FETCH_FAILED') }],
        },
      },
    });
    expect(answer.headers).not.toHaveProperty('retry-after');
  });

  it('is told apart from one that is under way, which says when to ask again', async () => {
    const [id = ''] = await seedRecords(t, owner, [{ status: 'processing' }]);
    for (const part of ['transcript', 'audio']) {
      const answer = await t.as(owner, { url: `${api}/records/${id}/${part}` });
      expect(answer).toMatchObject({ status: 409, headers: { 'retry-after': '5' } });
      expect(answer.body.error.message).toMatch(/is not ready yet\.$/);
    }
  });
});

describe('an external id that is uploaded again', () => {
  const wav = Buffer.concat([wavHeader(16_044), randomBytes(16_000)]);
  const other = Buffer.concat([wavHeader(16_044), randomBytes(16_000)]);
  const upload = (externalId: string, content: Buffer, member = owner, key?: string) =>
    send(baseUrl, {
      member,
      parts: [
        { name: 'projectId', content: member.projectId },
        { name: 'metadata', content: JSON.stringify({ externalId }) },
        { name: 'file', fileName: 'call.wav', content },
      ],
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });

  it('is the first record where the bytes are the same, and keeps nothing of the second', async () => {
    const externalId = `upload-${++count}`;
    const made = await upload(externalId, wav);
    expect(made.status).toBe(201);
    const before = await leftovers(t);
    for (const key of [undefined, 'again', 'again']) {
      const again = await upload(externalId, wav, owner, key);
      expect(again).toMatchObject({ status: 200, body: made.body });
      expect(again.headers.location).toBe(`${api}/records/${made.body.data.id}`);
    }
    expect(await leftovers(t)).toEqual(before);
  });

  it('is 409 that names the first where the bytes are others, and names it only to who may see it', async () => {
    const externalId = `upload-${++count}`;
    const made = await upload(externalId, wav);
    const refused = await upload(externalId, other);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(refused.body.error.message).toContain(made.body.data.id);
    const agent = await t.addMember(owner, 'agent');
    const hidden = await upload(externalId, wav, agent);
    expect(hidden).toMatchObject({ status: 409 });
    expect(JSON.stringify(hidden.body)).not.toContain(made.body.data.id);
  });

  it('counts within its project, and once among many at once', async () => {
    const externalId = `upload-${++count}`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(externalId, wav)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const { body } = await post('/projects', { name: `Another ${count}` });
    expect((await upload(externalId, other, { ...owner, projectId: body.data.id })).status).toBe(201);
  });
});
