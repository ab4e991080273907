import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { compareCatalogues, readCatalogue, readExpectedCatalogue } from '../../src/db/migrations/catalogue.ts';
import { digestOfJournal, readJournal } from '../../src/db/migrations/journal.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { version } from '../../src/lib/version.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createOldDatabase, makeOwner, readOldJournals, type OldJournal } from '../support/old-database.ts';
import { openOldService } from '../support/old-service.ts';

const log = createLogger('silent');
const whole = { missing: [], extra: [] };

/** The tags whose date is not after that of every one before it. */
function fallingTags(entries: readonly { tag: string; when: number }[]): string[] {
  return entries
    .filter(({ when }, index) => entries.slice(0, index).some((earlier) => earlier.when >= when))
    .map(({ tag }) => tag);
}

async function oldJournal(commit: string): Promise<OldJournal> {
  const found = (await readOldJournals()).find((journal) => journal.commit === commit);
  if (!found) throw new Error(`There is no journal of ${commit}.`);
  return found;
}

describe('the journal', () => {
  it('has dates that rise: release 0.1.0 and the tools of drizzle apply only what is dated after the last', async () => {
    expect(fallingTags(await readJournal())).toEqual([]);
    // It was not always so, as the search for it has to find.
    const { migrations } = await oldJournal('675caeb');
    const { migrations: next } = await oldJournal('5fc663b');
    expect(fallingTags(migrations.map(([when, tag]) => ({ when, tag })))).toEqual([]);
    const joined = [...migrations, ...next.slice(-5)].map(([when, tag]) => ({ when, tag }));
    expect(fallingTags(joined)).not.toEqual([]);
  });

  it('has the migrations of every journal that was committed before, unedited but for three', async () => {
    const hashes = new Set((await readJournal()).map(({ tag }) => tag));
    const files = new Set((await readOldJournals()).flatMap(({ migrations }) => migrations.map(([, file]) => file)));
    expect([...files].filter((file) => !hashes.has(file))).toEqual([
      'former/0001_tenancy',
      'former/0020_search_newest',
      'former/0032_crm_calls',
    ]);
  });
});

describe('the catalogue', () => {
  it('is what the migrations make: after a new one, run `npm run db:catalogue`', async () => {
    await using database = await createTestDatabase();
    const sql = postgres(database.url, { max: 1, onnotice: () => {} });
    const [expected, actual, journal] = await Promise.all([readExpectedCatalogue(), readCatalogue(sql), readJournal()]);
    await sql.end();
    expect(compareCatalogues(expected.lines, actual)).toEqual({ missing: [], extra: [] });
    expect(expected.digest).toBe(digestOfJournal(journal));
  });
});

describe('a database of an early commit', () => {
  it.each([
    { commit: '1edda00', what: 'which had passed over three migrations' },
    { commit: 'ede4f09', what: 'with a migration that was edited later, and two that were passed over' },
  ])('comes up whole from $commit, $what', async ({ commit }) => {
    await using database = await createOldDatabase(await oldJournal(commit));
    expect(await openOldService(database.url)).toEqual(whole);
  });

  it('comes up whole where newer migrations were applied before older ones', async () => {
    await using database = await createOldDatabase(await oldJournal('356f392'));
    await database.migrateAsOf(await oldJournal('ebc9b87'));
    expect(await openOldService(database.url)).toEqual(whole);
  });

  it('comes up whole where the owner of its tables is bound by policies itself', async () => {
    await using database = await createOldDatabase(await oldJournal('db8464a'), { isOwnerBound: true });
    expect(await openOldService(database.url)).toEqual(whole);
  });
});

describe('a database that this release does not fit', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = postgres(database.url, { max: 1, onnotice: () => {} });
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  const start = () => migrate({ url: database.url, log });
  const forget = () => sql`delete from drizzle.__drizzle_migrations where hash = 'of-the-future'`;
  const applyUnknown = () =>
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of-the-future', 1900000000000)`;

  it('is refused by name for a migration that nobody knows', async () => {
    await applyUnknown();
    await expect(start()).rejects.toThrow(
      `migrations that Earshot ${version} does not know: of-the-futur of 2030-03-17T17:46:40.000Z`,
    );
    await forget();
    await start();
  });

  it('is gone on with beside a newer release that allows it, and refused with its name where it does not', async () => {
    await applyUnknown();
    await sql`insert into drizzle.earshot_releases (version, works_beside) values ('9.1.0', ${version})`;
    await start();
    await sql`insert into drizzle.earshot_releases (version, works_beside) values ('9.2.0', '9.1.0')`;
    await expect(start()).rejects.toThrow('Earshot 9.2.0 has changed the database, and works beside 9.1.0 and newer');
    await sql`delete from drizzle.earshot_releases where version ^@ '9.'`;
    await forget();
  });

  it.each([
    {
      lost: 'a policy',
      statement: 'drop policy search_read on search_documents',
      says: 'policy search_read on search_documents',
    },
    {
      lost: 'a grant',
      statement: 'revoke select on search_documents from earshot_search',
      says: 'grant to earshot_search on search_documents',
    },
    { lost: 'the wall', statement: 'alter table records no force row level security', says: 'table records' },
    { lost: 'a function', statement: 'drop function search_matches', says: 'function search_matches(' },
    { lost: 'a column', statement: 'alter table webhooks drop column sealed_by', says: 'column webhooks.sealed_by' },
    {
      lost: 'a trigger',
      statement: 'alter table records disable trigger overview_record_added',
      says: 'trigger overview_record_added on records',
    },
    { lost: 'a unique index', statement: 'drop index outbox_dedupe', says: 'index outbox_dedupe on outbox' },
  ])('is refused by name where it has lost $lost', async ({ statement, says }) => {
    await using other = await createTestDatabase();
    const admin = postgres(other.url, { max: 1, onnotice: () => {} });
    await admin.unsafe(statement);
    await admin.end();
    await expect(migrate({ url: other.url, log })).rejects.toThrow(`lacks, or has otherwise: ${says}`);
  });

  it('is started on without an index that only saves time', async () => {
    await sql`drop index records_agent_name`;
    await expect(start()).resolves.toBeUndefined();
    await sql`create index records_agent_name on records (org_id, agent_name, id)`;
  });

  it('stays as it was where a migration fails, and is told which', async () => {
    await using old = await createOldDatabase(await oldJournal('8f43f81'));
    await old.sql`create table webhooks (mine text)`;
    await expect(migrate({ url: old.url, log })).rejects.toThrow(
      'Migration 0021_webhooks failed: relation "webhooks" already exists. The database is as it was',
    );
    const [row] = await old.sql`select count(*)::int as count from drizzle.__drizzle_migrations`;
    expect(row).toEqual({ count: (await oldJournal('8f43f81')).migrations.length });
  });
});

describe('an owner of the database who may not make roles', () => {
  it('is told what an administrator has to run, and can start after that', async () => {
    await using database = await createTestDatabase({ isEmpty: true });
    const admin = postgres(database.url, { max: 1, onnotice: () => {} });
    const owner = await makeOwner(admin, database);
    const name = `owner_${database.name}`;
    await admin.unsafe(`revoke earshot_search from ${name}`);
    const statement = `grant earshot_search to "${name}";`;
    await expect(migrate({ url: owner.url, log })).rejects.toThrow(
      `As an administrator of the server run: ${statement}`,
    );
    await admin.unsafe(statement);
    await migrate({ url: owner.url, log });
    await admin.end();
    await database.drop();
    await owner.drop();
  });
});
