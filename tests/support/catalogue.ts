import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Catalogue, catalogueFile, readCatalogue, writeCatalogue } from '../../src/db/migrations/catalogue.ts';
import { digestOfJournal, readJournal } from '../../src/db/migrations/journal.ts';
import { createLogger } from '../../src/lib/logger.ts';

/** `npm run db:catalogue`: writes down what the migrations make, after one was added. */
const dataDir = await mkdtemp(path.join(tmpdir(), 'earshot-catalogue-'));
const log = createLogger('warn', process.stderr);
const server = await startEmbeddedPostgres({ dataDir, log, fsync: false });
try {
  // What is written down does not hold any more: nothing is to be compared with it.
  await writeFile(catalogueFile, writeCatalogue({ digest: 'being-made', lines: new Set() }));
  await migrate({ url: server.url, log });
  const lines = await readMade(server.url);
  await writeFile(catalogueFile, writeCatalogue({ digest: digestOfJournal(await readJournal()), lines }));
  process.stdout.write(`${lines.size} lines in drizzle/catalogue.txt\n`);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function readMade(url: string): Promise<Catalogue> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await readCatalogue(sql);
  } finally {
    await sql.end();
  }
}
