import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import postgres, { type Sql } from 'postgres';
import { inject } from 'vitest';
import { migrationsFolder } from '../../src/db/migrations/journal.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

const fixtures = new URL('../fixtures/upgrade/', import.meta.url);

/** The journal of a commit: `when` of each migration, and the file that holds it now, or held it then (`former/…`). */
export type OldJournal = { commit: string; migrations: [when: number, file: string][] };

/** Every journal that was ever committed before 0.2.0, each by the first commit that had it. */
export async function readOldJournals(): Promise<OldJournal[]> {
  return JSON.parse(await readFile(new URL('journals.json', fixtures), 'utf8')) as OldJournal[];
}

/**
 * Brings a database to the state in which the code of that commit would have left it: by drizzle's rule, which applies what is
 * dated after the newest that was applied, and nothing else.
 */
export async function migrateAsOf(url: string, { migrations }: OldJournal): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`create schema if not exists drizzle`;
    await sql`
      create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
    const [last] =
      await sql`select created_at as "createdAt" from drizzle.__drizzle_migrations order by created_at desc limit 1`;
    await sql.begin(async (tx) => {
      for (const [when, file] of migrations) {
        if (last && Number(last['createdAt']) >= when) continue;
        const text = await readMigration(file);
        for (const statement of text.split('--> statement-breakpoint')) await tx.unsafe(statement);
        const hash = createHash('sha256').update(text).digest('hex');
        await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
      }
    });
  } finally {
    await sql.end();
  }
}

function readMigration(file: string): Promise<string> {
  const isFormer = file.startsWith('former/');
  return readFile(isFormer ? new URL(`${file}.sql`, fixtures) : `${migrationsFolder}/${file}.sql`, 'utf8');
}

export type OldDatabase = TestDatabase & {
  /** A superuser's, whoever owns the tables. */
  sql: Sql;
  /** As `migrateAsOf`, as whoever owns the database. */
  migrateAsOf(journal: OldJournal): Promise<void>;
};

/**
 * A database of its own as that commit left it, with an organization and a few calls in it. Its tables belong to the
 * superuser, or to a user whom policies bind (`isOwnerBound`): the url is theirs.
 */
export async function createOldDatabase(journal: OldJournal, { isOwnerBound = false } = {}): Promise<OldDatabase> {
  const database = await createTestDatabase({ isEmpty: true });
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  const owner = isOwnerBound ? await makeOwner(sql, database) : undefined;
  const url = owner?.url ?? database.url;
  await migrateAsOf(url, journal);
  await seedOldCalls(sql);
  const drop = async () => {
    await sql.end();
    await database.drop();
    await owner?.drop();
  };
  return { ...database, url, sql, migrateAsOf: (next) => migrateAsOf(url, next), drop, [Symbol.asyncDispose]: drop };
}

/** A user who owns the database and may work as the roles of the service, and nothing else. */
export async function makeOwner(sql: Sql, database: TestDatabase): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `owner_${database.name}`;
  await sql.unsafe(`create role ${name} login password 'x'`);
  await sql.unsafe(`grant earshot_app, earshot_system, earshot_search to ${name}`);
  await sql.unsafe(`alter database ${database.name} owner to ${name}`);
  const url = new URL(database.url);
  Object.assign(url, { username: name, password: 'x' });
  return {
    url: url.href,
    async drop() {
      const server = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} });
      await server.unsafe(`drop role ${name}`);
      await server.end();
    },
  };
}

export const oldIds = {
  org: 'org_01kzw2m0f6e3m8jy2f0h5v7c9a',
  user: 'usr_01kzw2m0f6e3m8jy2f0h5v7c9a',
  project: 'prj_01kzw2m0f6e3m8jy2f0h5v7c9a',
  profile: 'prf_01kzw2m0f6e3m8jy2f0h5v7c9a',
  analysis: 'ana_01kzw2m0f6e3m8jy2f0h5v7c9a',
  token: 'tok_01kzw2m0f6e3m8jy2f0h5v7c9a',
  records: {
    completed: 'rec_01kzw2m0f6e3m8jy2f0h5v7c9a',
    failed: 'rec_01kzw2m0f6e3m8jy2f0h5v7c9b',
    pending: 'rec_01kzw2m0f6e3m8jy2f0h5v7c9c',
  },
};

export const oldCallDay = '2026-11-20';

/** By the columns of the very first tables, which every later state has too. */
async function seedOldCalls(sql: Sql): Promise<void> {
  const { org, user, project, profile, analysis, records } = oldIds;
  const at = `${oldCallDay}T10:00:00Z`;
  const rubric = {
    categories: [
      {
        key: 'greeting',
        title: 'Greeting',
        weight: 1,
        critical: false,
        checks: [
          {
            key: 'greeting.hello',
            title: 'Says hello',
            weight: 1,
            critical: false,
            kind: 'phrase',
            phrases: ['hello'],
          },
        ],
      },
    ],
    compliance: [],
  };
  await sql`insert into orgs (id, name, created_at) values (${org}, 'Early', ${at})`;
  await sql`insert into users (id, email, name, created_at) values (${user}, 'early@example.com', 'Early', ${at})`;
  await sql`insert into memberships (org_id, user_id, role) values (${org}, ${user}, 'owner')`;
  await sql`
    insert into profiles (org_id, id, name, current_version) values (${org}, ${profile}, 'First profile', 1)`;
  await sql`
    insert into profile_versions (org_id, profile_id, version, rubric) values (${org}, ${profile}, 1, ${sql.json(rubric)})`;
  await sql`insert into projects (org_id, id, name, profile_id) values (${org}, ${project}, 'Early line', ${profile})`;
  for (const [status, id] of Object.entries(records)) {
    const failure =
      status === 'failed' ? { code: 'AUDIO_UNDECODABLE', message: 'It is broken.', retryable: false } : null;
    await sql`
      insert into records (org_id, id, project_id, status, source, agent_name, duration_seconds, failure, created_at)
      values (${org}, ${id}, ${project}, ${status}, 'upload', 'Maria Lopez', 60, ${failure && sql.json(failure)}, ${at})`;
  }
  const segment = { id: 'seg_01kzw2m0f6e3m8jy2f0h5v7c9a', index: 0, speaker: 'spk_0', role: 'agent', channel: 0 };
  const segments = [{ ...segment, startMs: 0, endMs: 900, text: 'Hello from long ago.', confidence: null, words: [] }];
  await sql`
    insert into transcripts (org_id, record_id, version, source, channels, speakers, segments)
    values (${org}, ${records.completed}, 1, 'supplied', 1, ${sql.json([{ id: 'spk_0', role: 'agent', name: null }])}, ${sql.json(segments)})`;
  await sql`
    insert into analyses (org_id, id, record_id, project_id, version, current, status, profile_id, profile_version, profile_name,
                          engine_kind, transcript_version, quality_score, compliance_status, summary, categories, created_at)
    values (${org}, ${analysis}, ${records.completed}, ${project}, 1, true, 'completed', ${profile}, 1, 'First profile',
            'rules', 1, 80, 'passed', 'The agent greeted the customer.', ${sql.json({ greeting: 80 })}, ${at})`;
  await sql`
    update records set analysis_id = ${analysis}, quality_score = 80, compliance_status = 'passed'
     where org_id = ${org} and id = ${records.completed}`;
}
