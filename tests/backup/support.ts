import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { backUp, type BackupResult } from '../../src/backup/backup.ts';
import { openBackup } from '../../src/backup/opened-backup.ts';
import { restore, type Restored } from '../../src/backup/restore.ts';
import { openSink } from '../../src/backup/sink.ts';
import type { Header } from '../../src/backup/manifest.ts';
import { toTarEntry, tarEnd, type Entry } from '../../src/backup/tar.ts';
import { readBackup } from '../../src/backup/source.ts';
import { createLogger } from '../../src/lib/logger.ts';
import type { ObjectStorage } from '../../src/providers/object-storage/interface.ts';
import { createLocalStorage } from '../../src/providers/object-storage/local.ts';
import { formBytes, formType, makeAudio } from '../api/upload-support.ts';
import { callVtt } from '../pipeline/support/calls.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { operations, requestOf, surfacesOf, unknownIds } from '../security/operations.ts';
import { createResources } from '../security/resources.ts';

type Target = { databaseUrl: string; storage: ObjectStorage };
type EmptyTarget = Target & { keepKey?: (key: string) => Promise<void> };

export async function backUpTo(to: string, { databaseUrl, storage }: Target): Promise<BackupResult> {
  const at = new Date();
  const sink = await openSink(to, at);
  return backUp({ databaseUrl, storage, key: null, sink, at, onProgress: () => {} });
}

export async function restoreFrom(from: string, { databaseUrl, storage, keepKey }: EmptyTarget): Promise<Restored> {
  const backup = await openBackup(from);
  const log = createLogger('silent');
  return restore({ backup, databaseUrl, storage, keepKey, log, onProgress: () => {} });
}

export function partsOf(t: TestApp): Target {
  return { databaseUrl: t.deps.config.DATABASE_URL ?? '', storage: t.deps.services.storage };
}

/** The same backup with other pieces. Null leaves one out. */
export async function rewrite(from: string, change: (entry: Entry) => Entry | null): Promise<Buffer> {
  const buffers: Buffer[] = [];
  for await (const entry of readBackup(from)) {
    const changed = change(entry);
    if (changed) buffers.push(...toTarEntry(changed, new Date()));
  }
  return Buffer.concat([...buffers, tarEnd]);
}

export function withHeader(change: Partial<Header>) {
  return (entry: Entry): Entry => {
    if (entry.name !== 'header.json') return entry;
    const header = JSON.parse(entry.bytes.toString()) as Header;
    return { ...entry, bytes: Buffer.from(JSON.stringify({ ...header, ...change })) };
  };
}

/** Every operation that programs have, each on resources of its own; gives those whose answer is another than it should be. */
export async function failingOperations(t: TestApp, owner: TestMember): Promise<string[]> {
  const failing: string[] = [];
  const kept = await createResources(t, owner);
  for (const operation of operations.filter((one) => surfacesOf(one).includes('rest'))) {
    const isReading = requestOf(operation, 'rest', kept).method === 'GET';
    const ids = isReading ? kept : await createResources(t, owner);
    const { status, body } = await t.as(owner, requestOf(operation, 'rest', { ...unknownIds(), ...ids }));
    if (status !== operation.own) failing.push(`${operation.rest}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
  }
  return failing;
}

/** A service with a call in it that has been scored, and a backup of it. */
export type Source = {
  t: TestApp;
  owner: TestMember;
  recordId: string;
  folder: string;
  file: string;
  /** Of a further call, once it has been scored. */
  upload(): Promise<string>;
  emptyStorage(): Promise<ObjectStorage>;
  close(): Promise<void>;
};

export async function startSource(): Promise<Source> {
  const folder = await mkdtemp(path.join(tmpdir(), 'earshot-backup-'));
  const file = path.join(folder, 'whole.tar');
  const t = await createTestApp();
  const owner = await t.createOrg();

  async function upload(): Promise<string> {
    const payload = formBytes([
      { name: 'projectId', content: owner.projectId },
      { name: 'transcript', content: callVtt },
      { name: 'file', fileName: 'call.mp3', content: await makeAudio('mp3', '-ar 8000 -b:a 8k') },
    ]);
    const headers = { 'content-type': formType };
    const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/upload', headers, payload });
    const url = `/api/v1/records/${body.data.id}`;
    await eventually(async () => (await t.as(owner, { url })).body.data.status === 'completed');
    return body.data.id;
  }

  const recordId = await upload();
  await backUpTo(file, partsOf(t));
  return {
    t,
    owner,
    recordId,
    folder,
    file,
    upload,
    emptyStorage: async () => createLocalStorage({ directory: await mkdtemp(path.join(folder, 'objects-')) }),
    async close() {
      await t.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A digest of the rows of each table. */
export async function contentOf(url: string): Promise<Record<string, string>> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql`
      select count(*) || ' ' || coalesce(md5(string_agg(r::text, '|' order by r::text)), '') as digest from ${sql(name)} r`;
    content[name] = row?.['digest'];
  }
  await sql.end();
  return content;
}

export type Refusal = { error: string | null; tables: string[]; objects: string[] };

/** What a restore into an empty service says, and what is there afterwards. */
export async function attempt(source: Source, bytes: Buffer): Promise<Refusal> {
  const from = path.join(source.folder, `${randomBytes(4).toString('hex')}.tar`);
  await writeFile(from, bytes);
  await using database = await createTestDatabase({ isEmpty: true });
  const storage = await source.emptyStorage();
  const error = await restoreFrom(from, { databaseUrl: database.url, storage }).then(() => null, String);
  const objects: string[] = [];
  for await (const { key } of storage.list()) objects.push(key);
  return { error, tables: Object.keys(await contentOf(database.url)), objects };
}
