import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedEveryTable } from '../security/rls-seed.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeOwner } from '../support/old-database.ts';
import {
  attempt,
  backUpTo,
  contentOf,
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

describe('a backup', () => {
  it('has every row of every table as it was, whoever owns the tables', async () => {
    const seeded = await createTestApp({ runPipeline: false });
    await seedEveryTable(seeded, await seeded.createOrg());
    await seedEveryTable(seeded, await seeded.createOrg());
    await using first = await createTestDatabase({ isEmpty: true });
    await using second = await createTestDatabase({ isEmpty: true });
    const admin = postgres(first.url, { max: 1, onnotice: () => {} });
    const bound = await makeOwner(admin, first);
    await admin.end();
    const before = await contentOf(partsOf(seeded).databaseUrl);
    await backUpTo(path.join(source.folder, 'by-superuser.tar'), partsOf(seeded));
    // Read into a database whose owner policies bind, and written down by that owner again.
    await restoreFrom(path.join(source.folder, 'by-superuser.tar'), {
      databaseUrl: bound.url,
      storage: await source.emptyStorage(),
    });
    await backUpTo(path.join(source.folder, 'by-owner.tar'), {
      databaseUrl: bound.url,
      storage: await source.emptyStorage(),
    });
    await restoreFrom(path.join(source.folder, 'by-owner.tar'), {
      databaseUrl: second.url,
      storage: await source.emptyStorage(),
    });
    await seeded.close();
    expect(await contentOf(first.url)).toEqual(before);
    expect(await contentOf(second.url)).toEqual(before);
    await first.drop();
    await bound.drop();
  });
  it('is a folder as well, and stays whole where a file is unpacked with tar', async () => {
    const unpacked = await mkdtemp(path.join(source.folder, 'unpacked-'));
    await promisify(execFile)('tar', ['--extract', `--file=${source.file}`, `--directory=${unpacked}`]);
    const direct = path.join(source.folder, 'as-folder');
    await backUpTo(direct, partsOf(t));
    expect((await readdir(direct, { recursive: true })).sort()).toEqual(
      (await readdir(unpacked, { recursive: true })).sort(),
    );
    for (const from of [unpacked, direct]) {
      await using database = await createTestDatabase({ isEmpty: true });
      const restored = await restoreFrom(from, { databaseUrl: database.url, storage: await source.emptyStorage() });
      expect(restored.objects.count).toBe(1);
    }
  });

  it('keeps long recordings, in parts', async () => {
    const storage = await source.emptyStorage();
    const bytes = randomBytes(20_000_001);
    await storage.put(
      `${owner.orgId}/long`,
      (async function* () {
        yield bytes;
      })(),
    );
    await using origin = await createTestDatabase();
    const sql = postgres(origin.url, { max: 1, onnotice: () => {} });
    await sql`insert into orgs (id, name) values (${owner.orgId}, 'Long')`;
    await sql`insert into profiles (org_id, id, name, current_version) values (${owner.orgId}, 'p', 'P', 1)`;
    await sql`insert into projects (org_id, id, name, profile_id) values (${owner.orgId}, 'prj', 'Line', 'p')`;
    await sql`
      insert into records (org_id, id, project_id, source, storage_key) values
        (${owner.orgId}, 'long', 'prj', 'upload', ${`${owner.orgId}/long`}), (${owner.orgId}, 'lost', 'prj', 'upload', ${`${owner.orgId}/lost`})`;
    await sql.end();
    const long = path.join(source.folder, 'long.tar');
    const result = await backUpTo(long, { databaseUrl: origin.url, storage });
    expect(result).toMatchObject({ objects: { count: 1, sizeBytes: bytes.length }, missing: [`${owner.orgId}/lost`] });
    await using database = await createTestDatabase({ isEmpty: true });
    const target = await source.emptyStorage();
    const restored = await restoreFrom(long, { databaseUrl: database.url, storage: target });
    expect(restored.missing).toEqual([`${owner.orgId}/lost`]);
    const read = await target.read(`${owner.orgId}/long`, { start: 0, end: bytes.length - 1 });
    expect(read.equals(bytes)).toBe(true);
  });
});

describe('a backup that is damaged is refused, and leaves nothing', () => {
  const without = (end: string) => () => rewrite(source.file, (entry) => (entry.name.endsWith(end) ? null : entry));

  it.each([
    { what: 'another archive', bytes: without('header.json'), says: 'is not a backup of Earshot' },
    { what: 'one without its end', bytes: without('manifest.json'), says: 'manifest is missing' },
    {
      what: 'one of another format',
      bytes: () => rewrite(source.file, withHeader({ format: 2 })),
      says: 'with that release',
    },
    { what: 'one that lacks a table', bytes: without('-transcripts.0000'), says: 'rows of transcripts are missing' },
    {
      what: 'one that lacks what others refer to',
      bytes: without('-projects.0000'),
      says: 'cannot be restored: they refer to rows that the backup lacks',
    },
    {
      what: 'one with another recording',
      bytes: () =>
        rewrite(source.file, (entry) =>
          entry.name.startsWith('objects/') ? { ...entry, bytes: Buffer.from('x') } : entry,
        ),
      says: 'checksum does not match',
    },
  ])('$what', async ({ bytes, says }) => {
    const refusal = await attempt(source, await bytes());
    expect(refusal).toEqual({ error: expect.stringContaining(says), tables: [], objects: [] });
  });
});
