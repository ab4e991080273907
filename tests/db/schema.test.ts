import { readFile } from 'node:fs/promises';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import * as schema from '../../src/db/schema/index.ts';
import { readJournal } from '../../src/db/migrations/journal.ts';

type Snapshot = ReturnType<typeof generateDrizzleJson>;

/** What the newest migration leaves, as drizzle-kit wrote it down. */
async function lastSnapshot(): Promise<Snapshot> {
  const newest = (await readJournal()).at(-1)?.tag ?? '';
  const [number] = newest.split('_');
  return JSON.parse(await readFile(new URL(`../../drizzle/meta/${number}_snapshot.json`, import.meta.url), 'utf8'));
}

/** The statements that a migration would still need. */
async function missingStatements(tables: Record<string, unknown>): Promise<string[]> {
  return generateMigration(await lastSnapshot(), generateDrizzleJson(tables));
}

describe('the schema', () => {
  it('is what the migrations make', async () => {
    const missing = await missingStatements(schema);
    expect(missing, 'src/db/schema has changed: run `npm run db:generate -- --name what_it_is`').toEqual([]);
  });

  it('is told apart from one with a table more', async () => {
    const forgotten = pgTable('forgotten', { id: text().primaryKey() });
    expect(await missingStatements({ ...schema, forgotten })).toEqual([
      expect.stringContaining('CREATE TABLE "forgotten"'),
    ]);
  });
});
