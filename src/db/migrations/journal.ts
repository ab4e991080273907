import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const migrationsFolder = fileURLToPath(new URL('../../../drizzle', import.meta.url));

/** One committed migration. `hash` is what the database stores of it; `when` no longer orders anything. */
export type Migration = { tag: string; when: number; hash: string; statements: string[] };

type Journal = { entries: { tag: string; when: number }[] };

const breakpoint = '--> statement-breakpoint';

/** The migrations of this release, in the order of application. */
export async function readJournal(folder: string = migrationsFolder): Promise<Migration[]> {
  const { entries } = JSON.parse(await readFile(path.join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
  return Promise.all(
    entries.map(async ({ tag, when }) => {
      // Line endings of a checkout do not make it a different migration.
      const text = (await readFile(path.join(folder, `${tag}.sql`), 'utf8')).replaceAll('\r\n', '\n');
      return { tag, when, hash: digestOf(text), statements: text.split(breakpoint) };
    }),
  );
}

/** Identifies a state of the journal. */
export function digestOfJournal(journal: readonly Migration[]): string {
  return digestOf(journal.map(({ hash }) => hash).join('\n'));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
