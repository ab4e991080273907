import { sql, type SQL } from 'drizzle-orm';
import { budgetLock } from '../../db/row-locks.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, budgets, records, usageDays, usageEntries } from '../../db/schema/index.ts';
import type { Prices, TokenUse } from './prices.ts';
import { modelCostOf } from './model-cost.ts';

/** What is billed: tenths of a minute of transcription, and one analysis with its tokens. */
export type Cost = { tenths: number; prices: Prices; tokens?: TokenUse | null };

const spentThisMonth = sql`case when b.period = billing_period() then b.used else 0 end`;

/**
 * Reserves the cost unless that exceeds the limit. Check and change are one statement, so two calls cannot both slip
 * under it. The statements are sent together, the lock first, so that the others see a limit that was just set.
 */
export async function reserve(tx: OrgTx, cost: Cost) {
  const amount = amountOf(cost);
  const [, updated, [row]] = await Promise.all([
    shareBudget(tx),
    tx.execute(sql`
      update ${budgets} b set reserved = b.reserved + ${amount}, updated_at = now()
       where b.org_id = ${tx.orgId} and b.budget_limit is not null
         and ${spentThisMonth} + b.reserved + ${amount} <= b.budget_limit
      returning b.org_id`),
    tx.execute<{ amount: string; hasLimit: boolean }>(sql`
      select (${amount})::text as amount,
             exists (select from ${budgets} b where b.org_id = ${tx.orgId} and b.budget_limit is not null) as "hasLimit"`),
  ]);
  if (!row) throw new Error('The database answered nothing.');
  return { ...row, isReserved: updated.length > 0 };
}

export async function hasRoom(tx: OrgTx, cost: Cost): Promise<boolean> {
  const full = await tx.execute(sql`
    select from ${budgets} b
     where b.org_id = ${tx.orgId} and ${spentThisMonth} + b.reserved + ${amountOf(cost)} > b.budget_limit`);
  return full.length === 0;
}

export async function releaseReserved(tx: OrgTx, amount: string): Promise<void> {
  await Promise.all([
    shareBudget(tx),
    tx.execute(sql`
      update ${budgets} b set reserved = greatest(b.reserved - ${amount}::numeric, 0), updated_at = now()
       where b.org_id = ${tx.orgId} and b.budget_limit is not null`),
  ]);
}

/** The amount reserved for the records and their further analyses; null if there is none. */
export async function sumReserved(tx: OrgTx, ids: string[]): Promise<string | null> {
  const isUnfinished = sql`status in ('pending', 'processing')`;
  const among = sql`${sql.param(ids)}::text[]`;
  const [row] = await tx.execute<{ total: string | null }>(sql`
    select sum(reserved_cost)::text as total from (
      select reserved_cost from ${records} where org_id = ${tx.orgId} and id = any(${among}) and ${isUnfinished}
      union all
      select reserved_cost from ${analyses} where org_id = ${tx.orgId} and record_id = any(${among}) and ${isUnfinished}
    ) as held`);
  return row?.total ?? null;
}

export type NewUsage = Cost & {
  key: string;
  recordId: string;
  projectId: string;
  records: number;
  reservedCost: string | null;
};

export type Threshold = 80 | 100;
export type ReachedBudget = {
  period: string;
  budgetLimit: number;
  used: number;
  budgetUsedPercent: number;
  thresholds: Threshold[];
};

/**
 * In one statement: inserts the entry unless its key exists, adds it to its day, and settles the budget if there is a
 * limit. Returns the budget if this entry made it reach a threshold.
 */
export async function insertUsage(tx: OrgTx, usage: NewUsage): Promise<ReachedBudget | undefined> {
  const { key, recordId, projectId, records, tenths, prices, tokens, reservedCost } = usage;
  const d = usageDays;
  const settled = tx.execute<BudgetRow>(sql`
    with entry as (
      insert into ${usageEntries} (org_id, key, record_id, project_id, day, records, minutes, transcription_cost, analysis_cost)
      values (${tx.orgId}, ${key}, ${recordId}, ${projectId}, (now() at time zone 'UTC')::date, ${records},
              ${minutesOf(tenths)}, ${transcriptionOf({ tenths, prices })}, ${analysisOf({ prices, tokens })})
      on conflict do nothing
      returning *, transcription_cost + analysis_cost as cost
    ), added as (
      insert into ${d} as d (org_id, project_id, day, records, minutes, transcription_cost, analysis_cost)
      select org_id, project_id, day, records, minutes, transcription_cost, analysis_cost from entry
      on conflict (org_id, day, project_id) do update set
        records = d.records + excluded.records, minutes = d.minutes + excluded.minutes,
        transcription_cost = d.transcription_cost + excluded.transcription_cost,
        analysis_cost = d.analysis_cost + excluded.analysis_cost,
        updated_at = greatest(d.updated_at, excluded.updated_at)
    )
    update ${budgets} b
       set used = ${spentThisMonth} + coalesce((select cost from entry), 0), period = billing_period(), updated_at = now(),
           reserved = greatest(b.reserved - ${reservedCost ?? '0'}::numeric, 0)
     where b.org_id = ${tx.orgId} and b.budget_limit is not null
    returning ${reachedColumns(sql`coalesce((select cost from entry), 0)`)}`);
  const [, [row]] = await Promise.all([shareBudget(tx), settled]);
  return row && toReached(row);
}

/**
 * Sets or removes the limit. Its usage is recomputed while nobody accepts or completes a call: they hold the same lock
 * as shared.
 */
export async function upsertBudget(tx: OrgTx, budgetLimit: string | null): Promise<ReachedBudget | undefined> {
  // Awaited, as the next statement must see what earlier lock holders committed.
  await tx.execute(sql`select pg_advisory_xact_lock(${budgetLock(tx)})`);
  const [row] = await tx.execute<BudgetRow>(sql`
    insert into ${budgets} as b (org_id, budget_limit, period, used, reserved)
    select ${tx.orgId}, ${budgetLimit}::numeric, billing_period(),
           (select coalesce(sum(transcription_cost + analysis_cost), 0) from ${usageDays}
             where org_id = ${tx.orgId} and day >= date_trunc('month', now() at time zone 'UTC')),
           (select coalesce(sum(reserved_cost), 0) from ${records}
             where org_id = ${tx.orgId} and status in ('pending', 'processing'))
           + (select coalesce(sum(reserved_cost), 0) from ${analyses}
               where org_id = ${tx.orgId} and status in ('pending', 'processing') and reserved_cost is not null)
    on conflict (org_id) do update set
      budget_limit = excluded.budget_limit, period = excluded.period, used = excluded.used,
      reserved = excluded.reserved, updated_at = now()
    returning ${reachedColumns(sql`b.used`)}`);
  return row && toReached(row);
}

type BudgetRow = {
  period: string;
  budgetLimit: number | null;
  used: number;
  budgetUsedPercent: number;
  reached80: boolean;
  reached100: boolean;
};

/** A threshold is reported by the change that crosses it: it is reached now, and was not without `added`. */
function reachedColumns(added: SQL): SQL {
  const reached = (share: string): SQL => sql`coalesce(b.used >= b.budget_limit * ${sql.raw(share)}
    and b.used - ${added} < b.budget_limit * ${sql.raw(share)}, false)`;
  return sql`b.period, b.budget_limit::float8 as "budgetLimit", b.used::float8 as used,
    ${usedPercent(sql`b.used`, sql`b.budget_limit`)} as "budgetUsedPercent",
    ${reached('0.8')} as "reached80", ${reached('1')} as "reached100"`;
}

/** 0 without a limit; 100 for a limit of 0. */
export function usedPercent(used: SQL, limit: SQL): SQL {
  return sql`case when ${limit} is null then 0 when ${limit} = 0 then 100
    else round(${used} * 100 / nullif(${limit}, 0), 2)::float8 end`;
}

function toReached({ reached80, reached100, budgetLimit, ...budget }: BudgetRow): ReachedBudget | undefined {
  if (budgetLimit === null || !(reached80 || reached100)) return undefined;
  const thresholds: Threshold[] = [...(reached80 ? [80 as const] : []), ...(reached100 ? [100 as const] : [])];
  return { ...budget, budgetLimit, thresholds };
}

/** Held by everybody who changes what counts against a limit. Holders do not wait for each other. */
function shareBudget(tx: OrgTx) {
  return tx.execute(sql`select pg_advisory_xact_lock_shared(${budgetLock(tx)})`);
}

function amountOf(cost: Cost): SQL {
  return sql`(${transcriptionOf(cost)} + ${analysisOf(cost)})`;
}

function minutesOf(tenths: number): SQL {
  return sql`(${tenths}::int / 10.0)`;
}

function transcriptionOf({ tenths, prices }: Cost): SQL {
  return sql`round(${minutesOf(tenths)} * ${prices.transcriptionPerMinute}::numeric, 4)`;
}

function analysisOf({ prices, tokens }: Omit<Cost, 'tenths'>): SQL {
  const fixed = sql`round(${prices.analysisPerRecord}::numeric, 4)`;
  return tokens ? sql`(${fixed} + ${modelCostOf(tokens, prices)})` : fixed;
}
