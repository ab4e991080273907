import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { formBytes, formType, leftovers, wavHeader } from '../api/upload-support.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

const disk = await mountSmallDisk(160);
afterAll(() => disk?.remove());

/** A transcript that finds no room in the pages that are there. */
function longTranscript(): object {
  const segments = Array.from({ length: 2_000 }, (_, index) => ({
    speaker: index % 2 === 0 ? 'agent' : 'customer',
    startMs: index * 1_000,
    endMs: index * 1_000 + 900,
    text: randomBytes(120).toString('hex'),
  }));
  return { segments };
}

describe.skipIf(!disk)('a full disk', () => {
  const { path: folder, fill, free } = disk as SmallDisk;

  describe('of the database', () => {
    let server: EmbeddedPostgres;
    let t: TestApp;
    let owner: TestMember;

    beforeAll(async () => {
      server = await startEmbeddedPostgres({ dataDir: folder, log: createLogger('silent'), fsync: false });
      t = await createTestApp({ runPipeline: false, env: { DATABASE_URL: server.url, LOG_LEVEL: 'silent' } });
      owner = await t.createOrg();
    });
    afterAll(async () => {
      await free();
      await t.close();
      await server.stop();
    });

    const ingest = () =>
      t.as(owner, {
        method: 'POST',
        url: '/api/v1/records/ingest',
        headers: { 'idempotency-key': 'the same' },
        payload: {
          externalId: 'long',
          projectId: owner.projectId,
          recordingUrl: 'https://calls.example/1.wav',
          transcript,
        },
      });
    const transcript = longTranscript();
    const health = async () => (await t.as(owner, { url: '/api/v1/health' })).body.data.checks.database;

    it('is 503 with Retry-After for what is new, and nothing for what is read', async () => {
      expect(await health()).toBe('ok');
      await fill();
      const refused = await ingest();
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await t.as(owner, { url: '/api/v1/records' })).body.meta.total).toBe(0);
    });

    it('is told by the health check, while the process may still be asked', async () => {
      expect(await health()).toBe('down');
      expect((await t.app.inject({ url: '/health/ready' })).statusCode).toBe(200);
    });

    it('passes by itself', async () => {
      await free();
      await expect.poll(health).toBe('ok');
      expect((await ingest()).status).toBe(202);
    });
  });

  describe('of the recordings', () => {
    let t: TestApp;
    let owner: TestMember;

    beforeAll(async () => {
      t = await createTestApp({ runPipeline: false, env: { DATA_DIR: folder, LOG_LEVEL: 'silent' } });
      owner = await t.createOrg();
    });
    afterAll(async () => {
      await free();
      await t.close();
    });

    const upload = () => {
      const bytes = Buffer.concat([wavHeader(4_000_044), randomBytes(4_000_000)]);
      return t.as(owner, {
        method: 'POST',
        url: '/api/v1/records/upload',
        headers: { 'content-type': formType },
        payload: formBytes([
          { name: 'projectId', content: owner.projectId },
          { name: 'file', fileName: 'call.wav', content: bytes },
          { name: 'metadata', content: JSON.stringify({ externalId: randomUUID() }) },
        ]),
      });
    };
    const health = async () => (await t.as(owner, { url: '/api/v1/health' })).body.data.checks.storage;

    it('is 503 with Retry-After, leaves nothing behind and keeps what is there', async () => {
      const first = await upload();
      expect(first.status).toBe(201);
      const before = await leftovers({ ...t, dataDir: folder });
      await fill();
      const refused = await upload();
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(await leftovers({ ...t, dataDir: folder })).toEqual(before);
      expect(await health()).toBe('down');
      expect((await t.as(owner, { url: `/api/v1/records/${first.body.data.id}/audio` })).status).toBe(200);
      await free();
      await expect.poll(health).toBe('ok');
      expect((await upload()).status).toBe(201);
    });
  });
});
