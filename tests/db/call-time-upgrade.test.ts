import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { readJournal } from '../../src/db/migrations/journal.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { createOldDatabase, oldIds } from '../support/old-database.ts';
import { pick, seededRandom } from '../support/random.ts';

it('counts calls of an earlier release on the day they took place', async () => {
  const journal = await readJournal();
  const before = journal.slice(
    0,
    journal.findIndex(({ tag }) => tag.endsWith('_call_time')),
  );
  await using database = await createOldDatabase({
    commit: 'the release before',
    migrations: before.map(({ when, tag }) => [when, tag]),
  });
  const { sql } = database;
  const { org, project, profile } = oldIds;
  const random = seededRandom(49);
  const hour = 3_600_000;
  const first = Date.parse('2026-02-01T00:00:00Z');
  for (let index = 0; index < 80; index += 1) {
    const createdAt = new Date(first + Math.floor(random() * 200) * hour);
    const startedAt = pick(random, [null, new Date(createdAt.getTime() - Math.floor(random() * 900) * hour)]);
    const status = pick(random, ['completed', 'completed', 'failed', 'pending']);
    const [id, analysis] = [`rec_${index}`, status === 'completed' ? `ana_${index}` : null];
    await sql`
      insert into records (org_id, id, project_id, status, source, agent_name, quality_score, duration_seconds, analysis_id, started_at,
                           created_at)
      values (${org}, ${id}, ${project}, ${status}, 'upload', ${pick(random, ['Ann', null])}, ${pick(random, [null, 70])}, 60,
              ${analysis}, ${startedAt}, ${createdAt})`;
    if (analysis === null) continue;
    await sql`
      insert into analyses (org_id, id, record_id, project_id, version, current, status, profile_id, profile_version, profile_name,
                            engine_kind, quality_score, categories)
      values (${org}, ${analysis}, ${id}, ${project}, 1, true, 'completed', ${profile}, 1, 'First profile', 'rules', 70,
              ${sql.json({ greeting: 70 })})`;
  }

  await migrate({ url: database.url, log: createLogger('silent') });

  const differing = await sql`
    select id from records where call_at is distinct from coalesce(started_at, created_at)
    union all
    select a.id from analyses a join records r on (r.org_id, r.id) = (a.org_id, a.record_id) where a.record_created_at <> r.call_at`;
  expect(differing).toEqual([]);
  const days = await sql`
    select (call_at at time zone 'UTC')::date::text as day, count(*)::int as calls, count(*) filter (where status = 'failed')::int as failed
      from records group by 1 order by 1`;
  const counted = await sql`
    select day::text, sum(pending + processing + completed + failed)::int as calls, sum(failed)::int as failed
      from record_days group by 1 order by 1`;
  expect(counted).toEqual(days);
  expect(days.length).toBeGreaterThan(20);
  const trend = await sql`
    select (at at time zone 'UTC')::date::text as day, sum(calls)::int as calls, sum(failed)::int as failed
      from overview_counts where grain = 1 and kind = 'call' group by 1 order by 1`;
  expect(trend).toEqual(days);
  const [ofAnalyses] = await sql`
    select (select sum(score_sum) from overview_counts where grain = 0 and kind = 'category')::int as sum,
           (select count(*) from analyses where current and categories is not null and categories::text like '%greeting%')::int as known`;
  expect(ofAnalyses?.['sum']).toBeGreaterThan(0);

  // Whoever counts from now on adds to the same days.
  await sql`update records set started_at = '2025-12-24T12:00:00Z' where id = 'rec_3'`;
  const moved =
    await sql`select sum(pending + processing + completed + failed)::int as calls from record_days where day = '2025-12-24'`;
  expect(moved).toEqual([{ calls: 1 }]);
});
