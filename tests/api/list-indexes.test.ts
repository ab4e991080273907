import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OrgTx } from '../../src/db/scope.ts';
import { selectAlertEvents } from '../../src/domain/alerts/queries.ts';
import { selectAnnotations } from '../../src/domain/annotations/queries.ts';
import { selectCrmCalls } from '../../src/domain/portals/queries.ts';
import { selectDeliveries } from '../../src/domain/webhooks/queries.ts';
import type { Order } from '../../src/lib/paging.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';

let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  t = await createTestApp({ runPipeline: false });
  owner = await t.createOrg();
});
afterAll(() => t.close());

const period = { from: '2026-03-01', to: '2026-03-02' };
const visibility = { projectIds: null, ownUserId: null };
type Asked = readonly [page: { getSQL(): SQL }, total: unknown];

function pageIn<Sort extends string>(sort: Sort, order: Order) {
  return { page: 2, pageSize: 20, sort, order, ...period };
}

/** Lists that grow with every call: whichever way, their pages come out of an index that the period limits. */
const lists: [name: string, index: string, ask: (tx: OrgTx, order: Order) => Asked][] = [
  [
    'deliveries of a webhook',
    'webhook_deliveries_created',
    (tx, order) => selectDeliveries(tx, { webhookId: 'whk_x', ...pageIn('createdAt', order) }),
  ],
  [
    'deliveries with a status',
    'webhook_deliveries_status_created',
    (tx, order) => selectDeliveries(tx, { webhookId: 'whk_x', status: 'failed', ...pageIn('createdAt', order) }),
  ],
  [
    'firings of a rule',
    'alert_events_alert',
    (tx, order) => selectAlertEvents(tx, { alertId: 'alr_x', visibility, ...pageIn('triggeredAt', order) }),
  ],
  ['calls of portals', 'crm_calls_created', (tx, order) => selectCrmCalls(tx, pageIn('createdAt', order))],
  [
    'calls of a portal',
    'crm_calls_portal',
    (tx, order) => selectCrmCalls(tx, { portalId: 'ptl_x', ...pageIn('createdAt', order) }),
  ],
  [
    'calls with a status',
    'crm_calls_status',
    (tx, order) => selectCrmCalls(tx, { status: 'waiting', ...pageIn('createdAt', order) }),
  ],
  [
    'annotations of an analysis',
    'annotations_analysis',
    (tx, order) => selectAnnotations(tx, 'ana_x', pageIn('createdAt', order)),
  ],
];

const cases = lists.flatMap(([name, index, ask]) => [
  { name, index, ask, order: 'asc' as const },
  { name, index, ask, order: 'desc' as const },
]);

it.each(cases)('$name come out of $index, limited by a period ($order)', async ({ index, ask, order }) => {
  const plan = await t.deps.services.db.withOrg(owner.orgId, async (tx) => {
    // A few rows would be sorted whatever there is; where no index gives the order, the planner has to sort all the same.
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']) {
      await tx.execute(sql.raw(`set local enable_${way} = off`));
    }
    const [list] = ask(tx, order);
    const lines = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${list.getSQL()}`);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(new RegExp(`using ${index} on `));
  expect(plan).toMatch(/Index Cond: .*(?:created|triggered)_at >= .*(?:created|triggered)_at <= /);
  expect(plan).not.toMatch(/\bSort\b/);
});
