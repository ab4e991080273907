import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { readJournal } from '../../src/db/migrations/journal.ts';
import { createLogger } from '../../src/lib/logger.ts';
import type { CheckAnswer } from '../../src/model/scorecard.ts';
import { computeScores, scoreOfAnswer, scoreReviewed } from '../../src/scoring/arithmetic.ts';
import { createOldDatabase, oldIds } from '../support/old-database.ts';
import { pick, seededRandom } from '../support/random.ts';

const weights = { greeting: 15, problem: 40, manners: 30, closing: 15 };
const categories = Object.entries(weights).map(([key, weight]) => ({ key, title: key, weight, critical: false }));
const keys = Object.keys(weights);

/** What analyses of the release before held: answers, scores, and what a review made of them. */
function randomAnalysis(random: () => number) {
  const checks = keys.flatMap((category) =>
    [1, 2.5, 3].map((weight, index) => {
      const answer = pick<CheckAnswer>(random, ['pass', 'fail', 'partial', 'not_applicable', 'needs_review']);
      const key = `${category}.${String(index)}`;
      const score = scoreOfAnswer(answer);
      return { key, category, title: key, weight, critical: false, answer, score, rationale: '', evidence: [] };
    }),
  );
  const automatic = computeScores({ categories }, checks).categories;
  const reviewed = random() < 0.4;
  const changes = Object.fromEntries(
    keys.flatMap((key) => (reviewed && random() < 0.5 ? [[key, pick(random, [1, 99, null])]] : [])),
  );
  const scored = new Set(Object.keys(changes).filter((key) => changes[key] !== automatic[key]));
  return { checks, automatic, reviewed, final: { ...automatic, ...changes }, scored };
}

it('knows of calls that were scored before how much was judged, as far as their answers are stored', async () => {
  const journal = await readJournal();
  const before = journal.slice(
    0,
    journal.findIndex(({ tag }) => tag.endsWith('_judged_share')),
  );
  await using database = await createOldDatabase({
    commit: 'the release before',
    migrations: before.map(({ when, tag }) => [when, tag]),
  });
  const { sql } = database;
  const { org, project, profile } = oldIds;
  await sql`
    insert into profile_versions (org_id, profile_id, version, rubric)
    values (${org}, ${profile}, 2, ${sql.json({ categories, compliance: [] })})`;
  const random = seededRandom(47);
  const rows = Array.from({ length: 60 }, (_, index) => ({ id: String(index), ...randomAnalysis(random) }));
  for (const { id, checks, automatic, reviewed, final } of rows) {
    await sql`
      insert into records (org_id, id, project_id, status, source, agent_name, quality_score, analysis_id, reviewed)
      values (${org}, ${`rec_${id}`}, ${project}, 'completed', 'upload', ${pick(random, ['Ann', 'Ben'])}, ${pick(random, [null, 70])},
              ${`ana_${id}`}, ${reviewed})`;
    await sql`
      insert into analyses (org_id, id, record_id, project_id, version, current, status, profile_id, profile_version, profile_name,
                            engine_kind, quality_score, categories, checks, reviewed, final_quality_score, final_categories)
      values (${org}, ${`ana_${id}`}, ${`rec_${id}`}, ${project}, 1, true, 'completed', ${profile}, 2, 'First profile', 'rules', 70,
              ${sql.json(automatic)}, ${sql.json(checks)}, ${reviewed}, ${reviewed ? 70 : null}, ${reviewed ? sql.json(final) : null})`;
  }

  await migrate({ url: database.url, log: createLogger('silent') });

  const found = await sql`
    select a.id, a.judged_share, a.needs_review_count, a.final_judged_share, a.final_needs_review_count,
           r.judged_share as of_record, r.needs_review_count as left_of_record, a.shown_judged_share as shown
      from analyses a join records r on (r.org_id, r.analysis_id) = (a.org_id, a.id)`;
  const byId = new Map(found.map((row) => [String(row['id']), row]));
  for (const { id, checks, automatic, reviewed, final, scored } of rows) {
    const computed = computeScores({ categories }, checks);
    const after = scoreReviewed({ categories }, { checks, automatic, reviewed: final, scored });
    const shown = reviewed ? after : computed;
    expect({ id, ...byId.get(`ana_${id}`) }).toEqual({
      id: `ana_${id}`,
      judged_share: computed.judgedShare,
      needs_review_count: computed.needsReviewCount,
      final_judged_share: reviewed ? after.judgedShare : null,
      final_needs_review_count: reviewed ? after.needsReviewCount : null,
      of_record: shown.judgedShare,
      left_of_record: shown.needsReviewCount,
      shown: shown.judgedShare,
    });
  }
  // Its answers are not stored.
  expect(byId.get(oldIds.analysis)).toMatchObject({ judged_share: null, needs_review_count: null, of_record: null });

  const [counted] = await sql`
    select (select sum(share_sum) from record_days)::int as days, (select sum(share_count) from record_days)::int as of_days,
           (select sum(awaiting) from record_days)::int as awaiting,
           (select sum(share_sum) from overview_counts where kind = 'call' and grain = 1)::int as calls,
           (select sum(awaiting) from overview_counts where kind = 'agent' and grain = 0)::int as awaiting_agents,
           (select sum(round(judged_share * 1000)) from records)::int as all, (select count(judged_share) from records)::int as known,
           (select count(*) from records where awaits_review)::int as waiting`;
  const { all, known, waiting } = counted ?? {};
  expect(waiting).toBeGreaterThan(5);
  expect(counted).toMatchObject({ days: all, of_days: known, awaiting: waiting, calls: all, awaiting_agents: waiting });
});
