import { formerEditions } from '../db/migrations/former-editions.ts';
import { readJournal, type Migration } from '../db/migrations/journal.ts';
import { compareVersions, version } from '../lib/version.ts';
import { formatVersion, Header, headerName } from './manifest.ts';
import { readBackup } from './source.ts';
import type { Entry } from './tar.ts';

export type OpenedBackup = {
  header: Header;
  /** The migrations that made the tables of the backup. */
  migrations: Migration[];
  /** What follows the header. The caller must close it (`return`), read or not. */
  entries: AsyncGenerator<Entry>;
};

/** Reads the header of a backup. Throws if this release cannot restore it. */
export async function openBackup(from: string): Promise<OpenedBackup> {
  const entries = readBackup(from);
  try {
    const header = await readHeader(from, entries);
    return { header, migrations: await findMigrations(header), entries };
  } catch (error) {
    await entries.return(undefined);
    throw error;
  }
}

async function readHeader(from: string, entries: AsyncGenerator<Entry>): Promise<Header> {
  const first = await entries.next();
  if (first.done || first.value.name !== headerName) throw new Error(`${from} is not a backup of Earshot.`);
  const stated = JSON.parse(first.value.bytes.toString()) as { format?: unknown; version?: unknown };
  if (stated.format !== formatVersion || compareVersions(String(stated.version), version) > 0) {
    throw new Error(
      `The backup was made by Earshot ${String(stated.version)}, and this is ${version}: restore it with that release.`,
    );
  }
  return Header.parse(stated);
}

async function findMigrations(header: Header): Promise<Migration[]> {
  const journal = await readJournal();
  const successors = new Map(formerEditions.map(({ hash, tag }) => [hash, tag]));
  const found = new Set<Migration>();
  for (const { hash, tag } of header.migrations) {
    const migration = journal.find((one) => one.hash === hash || one.tag === successors.get(hash));
    if (!migration) {
      throw new Error(
        `The backup holds tables of migration ${tag} (${hash.slice(0, 12)}), which Earshot ${version} does not know: it was made by ` +
          'another state of the code.',
      );
    }
    found.add(migration);
  }
  return journal.filter((migration) => found.has(migration));
}
