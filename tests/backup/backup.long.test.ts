import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKeyToBeKept } from '../../src/backup/keys.ts';
import { openBackup } from '../../src/backup/opened-backup.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { startS3Server } from '../support/s3-server.ts';
import {
  attempt,
  backUpTo,
  contentOf,
  failingOperations,
  partsOf,
  restoreFrom,
  rewrite,
  type Source,
  startSource,
  withHeader,
} from './support.ts';

let source: Source;
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  source = await startSource();
  ({ t, owner } = source);
});
afterAll(() => source.close());

const heard = async ({ app }: TestApp) => {
  const response = await app.inject({ url: `/api/v1/records/${source.recordId}/audio`, headers: owner.headers });
  return { status: response.statusCode, sha256: createHash('sha256').update(response.rawPayload).digest('hex') };
};

describe('a restored service', () => {
  it('does everything that a service does, in another database and in a bucket instead of files', async () => {
    await using database = await createTestDatabase({ isEmpty: true });
    const s3 = await startS3Server();
    const { accessKeyId, secretAccessKey } = s3.keys;
    const env = { STORAGE_URL: s3.url, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
    const empty = await createTestApp({ env, runPipeline: false });
    await restoreFrom(source.file, { databaseUrl: database.url, storage: empty.deps.services.storage });
    await empty.close();
    const restored = await createTestApp({ env: { ...env, DATABASE_URL: database.url }, runPipeline: false });
    try {
      expect(await heard(restored)).toEqual({ ...(await heard(t)), status: 200 });
      const path = `/api/v1/records/${source.recordId}/transcript`;
      expect((await restored.as(owner, { url: path })).body).toEqual((await t.as(owner, { url: path })).body);
      expect(await failingOperations(restored, owner)).toEqual([]);
    } finally {
      await restored.close();
      await s3.close();
    }
  });
});

describe('a backup', () => {
  it('holds recordings that are deleted meanwhile, and lets them go afterwards', async () => {
    const deleted = await source.upload();
    const { storage } = t.deps.services;
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const waiting = {
      ...storage,
      open: async (key: string) => {
        reached.resolve();
        await goOn.promise;
        return storage.open(key);
      },
    };
    const during = path.join(source.folder, 'during.tar');
    const backup = backUpTo(during, { ...partsOf(t), storage: waiting });
    await reached.promise;
    const remove = { method: 'DELETE' as const, url: `/api/v1/records/${deleted}` };
    expect((await t.as(owner, remove)).status).toBe(204);
    const runs = () => t.deps.connections.system<{ stepId: string }[]>`
      select w.step_id as "stepId" from engine_waits w join engine_runs r on r.id = w.run_id
       where r.function_id like '%delete-objects' and w.kind = 'sleep'`;
    // The order to remove the recording was looked at, and put off.
    await eventually(async () => (await runs()).length === 1);
    await expect(backUpTo(path.join(source.folder, 'second.tar'), partsOf(t))).rejects.toThrow('Another backup');
    goOn.resolve();
    expect((await backup).missing).toEqual([]);
    await t.deps.connections.system`update engine_waits set wake_at = now() where kind = 'sleep'`;
    await eventually(async () => (await storage.stat(`${owner.orgId}/${deleted}`)) === null);
    await using database = await createTestDatabase({ isEmpty: true });
    const restored = await restoreFrom(during, { databaseUrl: database.url, storage: await source.emptyStorage() });
    expect(restored.objects.count).toBe(2);
  });

  it('is not written over anything, nor left in halves', async () => {
    await expect(backUpTo(source.file, partsOf(t))).rejects.toThrow('exists already');
    await expect(backUpTo(source.folder, partsOf(t))).rejects.toThrow('exists already');
    const broken = { ...t.deps.services.storage, open: () => Promise.reject(new Error('The storage is away.')) };
    const half = path.join(await mkdtemp(path.join(source.folder, 'half-')), 'half.tar');
    await expect(backUpTo(half, { ...partsOf(t), storage: broken })).rejects.toThrow('The storage is away.');
    expect(await readdir(path.dirname(half))).toEqual([]);
  });
});

describe('what cannot be restored is refused, and leaves nothing', () => {
  it.each([
    { what: 'no backup', bytes: async () => Buffer.alloc(2048, 'x'), says: 'This is not a tar archive' },
    {
      what: 'one that is cut off',
      bytes: async () => (await readFile(source.file)).subarray(0, -4096),
      says: 'the backup was cut off',
    },
    {
      what: 'one of a newer release',
      bytes: () => rewrite(source.file, withHeader({ version: '9.0.0' })),
      says: 'was made by Earshot 9.0.0, and this is',
    },
    {
      what: 'one of unknown migrations',
      bytes: () => rewrite(source.file, withHeader({ migrations: [{ tag: '0099_future', hash: 'f'.repeat(64) }] })),
      says: 'tables of migration 0099_future (ffffffffffff)',
    },
  ])('$what', async ({ bytes, says }) => {
    const refusal = await attempt(source, await bytes());
    expect(refusal).toEqual({ error: expect.stringContaining(says), tables: [], objects: [] });
  });

  it('into a database or a storage that is not empty, and touches neither', async () => {
    const before = await contentOf(partsOf(t).databaseUrl);
    const taken = restoreFrom(source.file, { ...partsOf(t), storage: await source.emptyStorage() });
    await expect(taken).rejects.toThrow('The database is not empty: it has the table');
    expect(await contentOf(partsOf(t).databaseUrl)).toEqual(before);
    await using database = await createTestDatabase({ isEmpty: true });
    const full = restoreFrom(source.file, { databaseUrl: database.url, storage: t.deps.services.storage });
    await expect(full).rejects.toThrow('The storage is not empty: it contains org_');
    expect((await heard(t)).status).toBe(200);
  });

  it('without the key that secrets were sealed with', async () => {
    const { header } = await openBackup(source.file);
    const sealed = { ...header, sealedBy: ['aaaaaaaa'], ownKey: null };
    const none = { configured: null, own: null };
    expect(() => isKeyToBeKept(sealed, none)).toThrow('it was the SECRETS_KEY of the service');
    expect(() => isKeyToBeKept(sealed, { ...none, configured: ['bbbbbbbb'] })).toThrow(
      'which SECRETS_KEY does not contain',
    );
    expect(isKeyToBeKept(sealed, { ...none, configured: ['bbbbbbbb', 'aaaaaaaa'] })).toBe(false);
    const own = { ...sealed, ownKey: 'aaaaaaaa' };
    expect(isKeyToBeKept(own, none)).toBe(true);
    expect(isKeyToBeKept(own, { ...none, own: 'aaaaaaaa' })).toBe(false);
    expect(() => isKeyToBeKept(own, { ...none, own: 'bbbbbbbb' })).toThrow('differs from the key in the backup');
    expect(() => isKeyToBeKept(own, { ...none, configured: ['bbbbbbbb'] })).toThrow(
      'what secrets.key.0000 in the backup holds',
    );
  });
});
