import type { Sql } from 'postgres';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { readJournal } from '../../src/db/migrations/journal.ts';
import { Rubric } from '../../src/model/rubric.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { runCron, stopClock } from '../pipeline/support/run-cron.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp } from '../support/app.ts';
import { createOldDatabase, oldIds, type OldJournal } from '../support/old-database.ts';

const log = createLogger('silent');
const { org, user, project, profile } = oldIds;
const otherOrg = 'org_01kzw2m0f6e3m8jy2f0h5v7c9z';
/** When the re-analyses were asked for, and what came before and after. */
const [before, earlier, askedAt, later] = [10, 11, 12, 13].map((hour) => `2026-11-21T${hour}:00:00Z`);

type Submission = { at: string | undefined; kind?: 'submitted' | 'disputed' };
type Case = {
  what: string;
  status: 'pending' | 'processing' | 'completed';
  reviews: Submission[];
  /** What the re-analysis may replace, and what comes of it. */
  replaces: number | null;
  ends: { status: string; code: string | null };
};

const published = { status: 'completed', code: null };
const refused = { status: 'failed', code: 'REVIEWED_MEANWHILE' };

const cases: Case[] = [
  { what: 'nobody has reviewed', status: 'pending', reviews: [], replaces: null, ends: published },
  { what: 'was reviewed before', status: 'pending', reviews: [{ at: earlier }], replaces: 1, ends: published },
  {
    what: 'was reviewed twice before, and disputed',
    status: 'processing',
    reviews: [{ at: before }, { at: earlier }, { at: earlier, kind: 'disputed' }],
    replaces: 2,
    ends: published,
  },
  { what: 'was reviewed at that moment', status: 'pending', reviews: [{ at: askedAt }], replaces: 1, ends: published },
  { what: 'was reviewed since', status: 'processing', reviews: [{ at: later }], replaces: null, ends: refused },
  {
    what: 'was reviewed before, and again since',
    status: 'processing',
    reviews: [{ at: earlier }, { at: later }],
    replaces: 1,
    ends: refused,
  },
  // What has ended is left as it is.
  {
    what: 'was analysed again long ago',
    status: 'completed',
    reviews: [{ at: before }],
    replaces: null,
    ends: published,
  },
];

/** The database as the release before the migration left it. */
async function journalUpTo(tag: string): Promise<OldJournal> {
  const journal = await readJournal();
  const last = journal.findIndex((migration) => migration.tag === tag);
  expect(last).toBeGreaterThan(0);
  return { commit: tag, migrations: journal.slice(0, last + 1).map(({ when, tag: file }) => [when, file]) };
}

const idOf = (kind: 'rec' | 'ana' | 'rev' | 'new', n: number, inOrg = org): string =>
  `${kind === 'new' ? 'ana' : kind}_01kzw2m0f6e3m8jy2f0h5v${kind === 'new' ? 'd' : '8'}${inOrg === org ? 'c' : 'z'}0${n}`;

/** A call of each case: completed, reviewed, and with a re-analysis that was asked for. */
async function addCalls(sql: Sql, inOrg: string): Promise<void> {
  for (const [n, { status, reviews }] of cases.entries()) {
    const [record, first, again] = [idOf('rec', n, inOrg), idOf('ana', n, inOrg), idOf('new', n, inOrg)];
    await sql`
      insert into records (org_id, id, project_id, status, source, duration_seconds, quality_score, compliance_status, created_at)
      values (${inOrg}, ${record}, ${project}, 'completed', 'upload', 60, 80, 'passed', ${before ?? ''})`;
    await sql`
      insert into transcripts (org_id, record_id, version, source, channels, speakers, segments)
      select ${inOrg}, ${record}, version, source, channels, speakers, segments from transcripts
       where org_id = ${org} and record_id = ${oldIds.records.completed}`;
    const isOver = status === 'completed';
    for (const [id, version] of [
      [first, 1],
      [again, 2],
    ] as const) {
      const isNew = version === 2;
      await sql`
        insert into analyses (org_id, id, record_id, project_id, version, current, status, profile_id, profile_version, profile_name,
                              engine_kind, transcript_version, quality_score, compliance_status, categories, created_at, updated_at)
        values (${inOrg}, ${id}, ${record}, ${project}, ${version}, ${isNew === isOver}, ${isNew ? status : 'completed'},
                ${profile}, 1, 'First profile', 'rules', 1, ${isNew && !isOver ? null : 80}, ${isNew && !isOver ? null : 'passed'},
                ${sql.json({ greeting: 80 })}, ${(isNew ? askedAt : before) ?? ''}, ${askedAt ?? ''})`;
    }
    await sql`update records set analysis_id = ${isOver ? again : first} where org_id = ${inOrg} and id = ${record}`;
    await addReviews(sql, { inOrg, n, analysis: isOver ? again : first, reviews });
  }
}

type Reviewed = { inOrg: string; n: number; analysis: string; reviews: Submission[] };

async function addReviews(sql: Sql, { inOrg, n, analysis, reviews }: Reviewed): Promise<void> {
  const review = idOf('rev', n, inOrg);
  const submitted = reviews.filter(({ kind = 'submitted' }) => kind === 'submitted');
  if (submitted.length === 0) return;
  await sql`
    insert into reviews (org_id, id, analysis_id, revision, status, verdict, reviewer_id, reviewer_name)
    values (${inOrg}, ${review}, ${analysis}, ${submitted.length}, 'submitted', 'approved', ${user}, 'Early')`;
  let revision = 0;
  for (const [position, { at = '', kind = 'submitted' }] of reviews.entries()) {
    revision += kind === 'submitted' ? 1 : 0;
    await sql`
      insert into review_entries (org_id, review_id, position, kind, revision, verdict, author_id, author_name, created_at)
      values (${inOrg}, ${review}, ${position + 1}, ${kind}, ${revision}, 'approved', ${user}, 'Early', ${at})`;
  }
}

/** With the same project and profile. */
async function addOtherOrg(sql: Sql): Promise<void> {
  await sql`insert into orgs (id, name) values (${otherOrg}, 'Another')`;
  await sql`insert into profiles (org_id, id, name, current_version) values (${otherOrg}, ${profile}, 'First profile', 1)`;
  await sql`
    insert into profile_versions (org_id, profile_id, version, rubric)
    select ${otherOrg}, profile_id, version, rubric from profile_versions where org_id = ${org} and profile_id = ${profile}`;
  await sql`insert into projects (org_id, id, name, profile_id) values (${otherOrg}, ${project}, 'Line', ${profile})`;
}

/** A profile as the service stores it, with every default written out. */
async function makeScorable(sql: Sql): Promise<void> {
  const [row] = await sql<{ rubric: unknown }[]>`select rubric from profile_versions where profile_id = ${profile}`;
  await sql`update profile_versions set rubric = ${sql.json(Rubric.parse(row?.rubric))} where profile_id = ${profile}`;
}

describe('re-analyses that were under way when re-analyses began to say which review they replace', () => {
  it.each([
    ['a superuser', false],
    ['a user whom policies bind', true],
  ])('may replace the review that they found, where the tables belong to %s', async (_, isOwnerBound) => {
    await using database = await createOldDatabase(await journalUpTo('0043_passes_fix_what_they_judge_by'), {
      isOwnerBound,
    });
    const { sql, url } = database;
    await addOtherOrg(sql);
    for (const inOrg of [org, otherOrg]) await addCalls(sql, inOrg);
    await migrate({ url, log });
    for (const inOrg of [org, otherOrg]) {
      const rows = await sql<{ id: string; replaces: number | null }[]>`
        select id, replaces_revision as replaces from analyses where org_id = ${inOrg} and version = 2 order by id`;
      expect(rows).toEqual(cases.map(({ replaces }, n) => ({ id: idOf('new', n, inOrg), replaces })));
    }
    expect(await sql`select id from analyses where version = 1 and replaces_revision is not null`).toEqual([]);
  });

  it('are made by the new release: published over what they found, and refused over what they did not', async () => {
    await using database = await createOldDatabase(await journalUpTo('0043_passes_fix_what_they_judge_by'));
    const { sql, url } = database;
    await makeScorable(sql);
    await addCalls(sql, org);
    const t = await createTestApp({ env: { DATABASE_URL: url, LOG_LEVEL: 'silent' } });
    try {
      await stopClock(t);
      await runCron(t, 'sweep');
      const ended = await eventually(async () => {
        const rows = await sql<{ status: string; code: string | null; isCurrent: boolean }[]>`
          select status, failure->>'code' as code, current as "isCurrent" from analyses
           where org_id = ${org} and version = 2 order by id`;
        return rows.every(({ status }) => status === 'completed' || status === 'failed') ? rows : undefined;
      });
      expect(ended).toEqual(cases.map(({ ends }) => ({ ...ends, isCurrent: ends === published })));
      const kept = await sql`
        select n.id from analyses a join reviews n on (n.org_id, n.analysis_id) = (a.org_id, a.id)
         where a.org_id = ${org} and a.version = 1 and a.current order by 1`;
      expect(kept.map(({ id }) => String(id))).toEqual(
        cases.flatMap(({ ends }, n) => (ends === refused ? [idOf('rev', n)] : [])),
      );
    } finally {
      await t.close();
    }
  });
});
