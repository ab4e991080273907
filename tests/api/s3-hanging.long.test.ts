import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { startS3Server, type S3Server } from '../support/s3-server.ts';
import { formBytes, formType, wavHeader } from './upload-support.ts';

const wav = Buffer.concat([wavHeader(200_044), randomBytes(200_000)]);
const operations = ['PutObject', 'GetObject', 'HeadObject', 'DeleteObject'] as const;

let server: S3Server;
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  server = await startS3Server();
  const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = server.keys;
  const env = { STORAGE_URL: server.url, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, LOG_LEVEL: 'silent' };
  t = await createTestApp({ runPipeline: false, env });
  owner = await t.createOrg();
});
afterAll(async () => {
  await t.close();
  await server.close();
});

type Timed = { status: number; retryAfter: number; tookMs: number; id: string };

async function timed(asking: ReturnType<TestApp['as']>): Promise<Timed> {
  const from = performance.now();
  const { status, headers, body } = await asking;
  return { status, retryAfter: Number(headers['retry-after']), tookMs: performance.now() - from, id: body?.data?.id };
}

function upload(): Promise<Timed> {
  const parts = [
    { name: 'file', content: wav, fileName: 'call.wav' },
    { name: 'projectId', content: owner.projectId },
  ];
  const request = { method: 'POST' as const, headers: { 'content-type': formType }, payload: formBytes(parts) };
  return timed(t.as(owner, { ...request, url: '/api/v1/records/upload' }));
}

const listen = (id: string) => timed(t.as(owner, { url: `/api/v1/records/${id}/audio` }));
const ready = () => t.app.inject({ url: '/health/ready' });
const uploads = async () =>
  (await t.deps.connections.system<{ count: number }[]>`select count(*)::int as count from uploads`)[0]?.count;

/** The storage that nobody asked first took 40 to 130 seconds, and every one after it as well. */
const soonMs = 20_000;
const atOnceMs = 1_500;

it(
  'a storage that accepts and never answers is 503 soon, then at once, until it is back',
  { timeout: 90_000 },
  async () => {
    const { id } = await upload();
    for (const operation of operations) server.fail({ operation, how: 'hang', times: Infinity });
    const [uploaded, heard] = await Promise.all([upload(), listen(id)]);
    expect([uploaded.status, heard.status]).toEqual([503, 503]);
    expect(Math.max(uploaded.tookMs, heard.tookMs)).toBeLessThan(soonMs);
    expect((await ready()).statusCode).toBe(503);
    // What was given up may still arrive in the storage, so its trace stays; what was never begun has none.
    expect(await uploads()).toBe(1);
    for (const answer of [await upload(), await listen(id)]) {
      expect(answer).toMatchObject({ status: 503, retryAfter: expect.any(Number) });
      expect(answer.retryAfter).toBeGreaterThan(0);
      expect(answer.tookMs).toBeLessThan(atOnceMs);
    }
    expect(await uploads()).toBe(1);

    server.mend();
    await expect.poll(async () => (await ready()).statusCode, { timeout: 45_000 }).toBe(200);
    expect((await upload()).status).toBe(201);
    expect((await listen(id)).status).toBe(200);
  },
);
