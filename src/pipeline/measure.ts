import type { Sql } from 'postgres';
import { Gauge } from '@prometheus-io/client';
import type { Config } from '../config/config.ts';
import { answeredInTime } from '../db/deadline.ts';
import { appId } from './client.ts';
import { liveInstances } from './engine/store-claims.ts';
import { readOpenOrders } from './outbox-status.ts';

const gauges = {
  outboxWaiting: new Gauge({
    name: 'earshot_outbox_waiting',
    help: 'Events that wait to be handed to the pipeline. Of the whole database, as all that follows.',
  }),
  outboxAge: new Gauge({
    name: 'earshot_outbox_oldest_seconds',
    help: 'Age of the oldest event that waits; 0 where none does.',
  }),
  openOrders: new Gauge({
    name: 'earshot_orders_open',
    help: 'Orders that were handed to the pipeline and are not done, by the event that ordered them.',
    labelNames: ['type'],
  }),
  openOrdersAge: new Gauge({
    name: 'earshot_orders_open_oldest_seconds',
    help: 'Age of the oldest of them.',
    labelNames: ['type'],
  }),
  queue: new Gauge({
    name: 'earshot_pipeline_queue',
    help: 'Items of the embedded engine by function and state: due, delayed (for a retry), leased (being worked on).',
    labelNames: ['function', 'state'],
  }),
  queueAge: new Gauge({
    name: 'earshot_pipeline_queue_oldest_seconds',
    help: 'How long the oldest due item has been waiting.',
    labelNames: ['function'],
  }),
  // With a label, so that this metric, and alerts on it, do not exist if an Inngest server calls the workers.
  workers: new Gauge({
    name: 'earshot_pipeline_workers',
    help: 'Processes that run the embedded engine.',
    labelNames: ['engine'],
  }),
  records: new Gauge({
    name: 'earshot_records_unfinished',
    help: 'Records that are neither completed nor failed.',
    labelNames: ['status'],
  }),
  budgets: new Gauge({
    name: 'earshot_budgets',
    help: 'Budgets with a limit: all of them, those at 80 per cent or more, those that are used up.',
    labelNames: ['state'],
  }),
};

/** Maximum rate of queries, however many scrapers and instances there are. */
const validMs = 5_000;

export type QueueRow = {
  functionId: string;
  due: number;
  delayed: number;
  leased: number;
  oldestSeconds: number | null;
};
type StatusRow = { status: string; count: number };
type Totals = {
  waiting: number;
  outboxSeconds: number;
  workers: number;
  budgets: number;
  budgetsWarned: number;
  budgetsExceeded: number;
};

/** Updates the metrics that come from the database. Rejects while it is down: then they are unknown. */
export function createMeasure(system: Sql, engine: Config['PIPELINE_ENGINE']): () => Promise<void> {
  let latest: { at: number; done: Promise<void> } | undefined;
  return () => {
    if (latest && Date.now() - latest.at < validMs) return latest.done;
    latest = { at: Date.now(), done: measure(system, engine) };
    return latest.done;
  };
}

async function measure(system: Sql, engine: Config['PIPELINE_ENGINE']): Promise<void> {
  const [[totals], queue, records, orders] = await answeredInTime(() =>
    Promise.all([readTotals(system), readQueue(system), readRecords(system), readOpenOrders(system)]),
  );
  if (!totals) throw new Error('The database answered nothing.');
  gauges.outboxWaiting.set(totals.waiting);
  gauges.outboxAge.set(totals.outboxSeconds);
  gauges.workers.reset();
  if (engine === 'embedded') gauges.workers.set({ engine }, totals.workers);
  gauges.budgets.set({ state: 'limited' }, totals.budgets);
  gauges.budgets.set({ state: 'warned' }, totals.budgetsWarned);
  gauges.budgets.set({ state: 'exceeded' }, totals.budgetsExceeded);
  gauges.queue.reset();
  gauges.queueAge.reset();
  for (const { functionId, due, delayed, leased, oldestSeconds } of queue) {
    gauges.queue.set({ function: functionId, state: 'due' }, due);
    gauges.queue.set({ function: functionId, state: 'delayed' }, delayed);
    gauges.queue.set({ function: functionId, state: 'leased' }, leased);
    gauges.queueAge.set({ function: functionId }, oldestSeconds ?? 0);
  }
  gauges.openOrders.reset();
  gauges.openOrdersAge.reset();
  for (const { type, open, oldestAt } of orders) {
    gauges.openOrders.set({ type }, open);
    gauges.openOrdersAge.set({ type }, Math.max(0, Date.now() - oldestAt.getTime()) / 1000);
  }
  for (const status of ['pending', 'processing']) gauges.records.set({ status }, 0);
  for (const { status, count } of records) gauges.records.set({ status }, count);
}

function readTotals(sql: Sql) {
  // Usage only counts for its own month.
  const isThisMonth = sql`period = to_char(now() at time zone 'UTC', 'YYYY-MM')`;
  const usedPart = sql`((case when ${isThisMonth} then used else 0 end) + reserved) >= budget_limit`;
  return sql<Totals[]>`
    select (select count(*)::int from outbox where dispatched_at is null) as waiting,
           coalesce((select extract(epoch from now() - created_at) from outbox
                      where dispatched_at is null order by id limit 1), 0)::float8 as "outboxSeconds",
           (select count(distinct i.*)::int from (${liveInstances(sql)}) i) as workers,
           b.budgets, b.warned as "budgetsWarned", b.exceeded as "budgetsExceeded"
      from (select count(*)::int as budgets,
                   (count(*) filter (where ${usedPart} * 0.8))::int as warned,
                   (count(*) filter (where ${usedPart}))::int as exceeded
              from budgets where budget_limit is not null) b`;
}

/** Items of the embedded engine by function name, as in the code. */
export async function readQueue(sql: Sql): Promise<QueueRow[]> {
  const rows = await sql<QueueRow[]>`
    select function_id as "functionId",
           (count(*) filter (where owner is null and available_at <= now()))::int as due,
           (count(*) filter (where owner is null and available_at > now()))::int as delayed,
           (count(*) filter (where owner is not null))::int as leased,
           extract(epoch from now() - min(available_at) filter (where owner is null and available_at <= now()))::float8
             as "oldestSeconds"
      from engine_queue group by function_id`;
  return rows.map((row) => ({ ...row, functionId: row.functionId.replace(`${appId}-`, '') }));
}

function readRecords(sql: Sql) {
  return sql<StatusRow[]>`
    select status, count(*)::int as count from records where status in ('pending', 'processing') group by status`;
}
