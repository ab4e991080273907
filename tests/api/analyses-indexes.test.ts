import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { selectAnalyses } from '../../src/domain/analyses/queries.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { seedAnalysis, seedRecords } from '../support/seed.ts';

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
  const [recordId = ''] = await seedRecords(t, owner, [{}]);
  await seedAnalysis(t, owner, { recordId });
});
afterAll(() => t.close());

const sorts = [
  ['createdAt', 'asc', 'analyses_created'],
  ['createdAt', 'desc', 'analyses_created'],
  ['qualityScore', 'asc', 'analyses_score_asc'],
  ['qualityScore', 'desc', 'analyses_score_desc'],
  ['judgedShare', 'asc', 'analyses_share_asc'],
  ['judgedShare', 'desc', 'analyses_share_desc'],
] as const;
const cases = sorts.flatMap(([sort, order, index]) => [
  { sort, order, index, currentOnly: true },
  { sort, order, index, currentOnly: false },
]);

it.each(cases)('the list by $sort $order comes out of $index (current only: $currentOnly)', async (wanted) => {
  const { sort, order, index, currentOnly } = wanted;
  const plan = await t.deps.services.db.withOrg(owner.orgId, async (tx) => {
    // A few rows would be sorted whatever there is; where no index gives the order, the planner has to sort all the same.
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort', 'hashjoin', 'mergejoin']) {
      await tx.execute(sql.raw(`set local enable_${way} = off`));
    }
    const filter = { currentOnly, visibility: { projectIds: null, ownUserId: null } };
    const list = selectAnalyses(
      tx,
      { ...filter, from: undefined, to: undefined },
      { page: 1, pageSize: 20, sort, order },
    );
    const lines = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${list.getSQL()}`);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain(`using ${index} on analyses`);
  expect(plan).not.toMatch(/\bSort\b/);
});
