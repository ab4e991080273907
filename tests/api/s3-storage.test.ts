import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callVtt } from '../pipeline/support/calls.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startS3Server, type S3Server } from '../support/s3-server.ts';
import { formBytes, formType, wavHeader } from './upload-support.ts';

const wav = Buffer.concat([wavHeader(6_000_000), randomBytes(6_000_000 - 44)]);

let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());

function settings(more: Record<string, string> = {}): Record<string, string> {
  const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = server.keys;
  return { STORAGE_URL: server.url, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...more };
}

async function upload(t: TestApp, owner: TestMember): Promise<string> {
  const payload = formBytes([
    { name: 'file', content: wav, fileName: 'call.wav', type: 'audio/wav' },
    { name: 'projectId', content: owner.projectId },
    { name: 'transcript', content: callVtt },
  ]);
  const { status, body } = await t.as(owner, {
    method: 'POST',
    url: '/api/v1/records/upload',
    headers: { 'content-type': formType },
    payload,
  });
  expect(status).toBe(201);
  return body.data.id;
}

function completed(t: TestApp, owner: TestMember, id: string): Promise<string> {
  return eventually(async () => {
    const { body } = await t.as(owner, { url: `/api/v1/records/${id}` });
    return body.data.status === 'completed' || body.data.status === 'failed' ? body.data.status : undefined;
  });
}

describe('recordings in S3', () => {
  let t: TestApp;
  let owner: TestMember;

  beforeAll(async () => {
    t = await createTestApp({ env: settings() });
    owner = await t.createOrg();
  });
  afterAll(() => t.close());

  it('are stored, processed, played by range and deleted', async () => {
    const id = await upload(t, owner);
    expect([...server.objects.keys()]).toEqual([`calls/${owner.orgId}/${id}`]);
    expect(await completed(t, owner, id)).toBe('completed');

    const url = `/api/v1/records/${id}/audio`;
    const part = await t.app.inject({ url, headers: { ...owner.headers, range: 'bytes=1000-1999' } });
    expect(part.statusCode).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 1000-1999/${wav.length}`);
    expect(part.rawPayload.equals(wav.subarray(1000, 2000))).toBe(true);
    const whole = await fetch(`${await t.listen()}${url}`, { headers: owner.headers });
    expect(Buffer.from(await whole.arrayBuffer()).equals(wav)).toBe(true);

    expect((await t.as(owner, { method: 'DELETE', url: `/api/v1/records/${id}` })).status).toBe(204);
    await eventually(() => ![...server.objects.keys()].some((key) => key.includes(id)) || undefined);
  });

  it('are no longer taken while the storage is away, and the health check says so', async () => {
    server.fail({ operation: 'PutObject', how: 'slowDown', times: 99 });
    const { status, body } = await t.as(owner, { url: '/api/v1/health' });
    expect([status, body.data.checks.storage]).toEqual([503, 'down']);
  });
});

describe('playback by addresses of the storage', () => {
  let t: TestApp;
  let owner: TestMember;

  beforeAll(async () => {
    await server.close();
    server = await startS3Server();
    t = await createTestApp({ env: settings({ S3_PRESIGNED_PLAYBACK: '1' }), runPipeline: false });
    owner = await t.createOrg();
  });
  afterAll(() => t.close());

  it('sends players there, once they have been let in here', async () => {
    const id = await upload(t, owner);
    const url = `/api/v1/records/${id}/audio`;
    const answer = await t.as(owner, { url });
    expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'no-store']);
    expect(answer.headers).not.toHaveProperty('content-disposition');
    const played = await fetch(String(answer.headers['location']), { headers: { range: 'bytes=44-99' } });
    expect(played.status).toBe(206);
    expect(played.headers.get('content-type')).toBe('audio/wav');
    expect(Buffer.from(await played.arrayBuffer()).equals(wav.subarray(44, 100))).toBe(true);

    const input = encodeURIComponent(JSON.stringify({ json: { id } }));
    const playback = await t.as(owner, { url: `/api/trpc/records.playback?input=${input}` });
    const media = await t.app.inject({ url: playback.body.result.data.json.url });
    expect([media.statusCode, media.headers['cache-control']]).toEqual([302, 'no-store']);
    expect(media.headers['referrer-policy']).toBe('no-referrer');
    expect((await fetch(String(media.headers['location']))).status).toBe(200);

    const stranger = await t.createOrg();
    expect((await t.as(stranger, { url })).status).toBe(404);
    expect((await t.app.inject({ url })).statusCode).toBe(401);
    const head = await t.as(owner, { method: 'HEAD', url });
    expect([head.status, head.headers['content-length']]).toEqual([200, String(wav.length)]);
    const beyond = await t.as(owner, { url, headers: { range: `bytes=${wav.length}-` } });
    expect(beyond.status).toBe(416);
  });
});
