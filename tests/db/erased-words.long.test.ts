import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { expect, it, onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';

const canary = 'canary 4929 1234 5678 9014';
/** The block of docs/redaction.md. */
const [, switching = ''] =
  /(DO \$\$[\s\S]*?\$\$;)/.exec(readFileSync(new URL('../../docs/redaction.md', import.meta.url), 'utf8')) ?? [];
const silent = { info() {}, warn() {}, error() {} };

/** The files of the database whose bytes hold the canary, by their folder. */
async function foldersWith(dataDir: string): Promise<string[]> {
  const found = new Set<string>();
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(path.join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if (bytes.includes(canary)) found.add(/pg_wal|base/.exec(entry.parentPath)?.[0] ?? entry.parentPath);
  }
  return [...found].toSorted();
}

it('leaves nothing of what was redacted in any file once the steps of docs/redaction.md are done', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-erased-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const server = await startEmbeddedPostgres({ dataDir, log: silent, fsync: false });
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  onTestFinished(async () => {
    await sql.end();
    await server.stop();
  });
  // As text is stored, but where this reads it: not compressed.
  await sql`create table transcripts (id int primary key, segments text)`;
  await sql`alter table transcripts alter column segments set storage external`;
  await sql`insert into transcripts select n, repeat(${canary} || ' ' || md5(n::text) || ' ', 60) from generate_series(1, 1000) n`;
  // Files of the log that were done with are kept for later, with what is in them.
  for (let time = 0; time < 6; time += 1) await sql`update transcripts set segments = segments || ' '`;
  await sql`checkpoint`;
  await sql`checkpoint`;
  await sql`update transcripts set segments = repeat('[card number] ' || md5(id::text) || ' ', 60)`;
  expect(await foldersWith(dataDir)).toEqual(['base', 'pg_wal']);

  await sql`alter system set wal_recycle = off`;
  await sql`select pg_reload_conf()`;
  await sql`vacuum full transcripts`;
  await sql.unsafe(switching);
  expect(await foldersWith(dataDir)).toEqual([]);
});
