import { and, eq, gte, lte, sql, type SQL } from 'drizzle-orm';
import { afterPosition, operandsOf, equals, sortedBy } from '../../db/listing.ts';
import type { OrgTx } from '../../db/scope.ts';
import { budgets, creditEntries, usageDays } from '../../db/schema/index.ts';
import { pageWindow, positionOf, type ListRequest } from '../../lib/paging.ts';
import { earliestInstant, latestInstant, parsePeriod, toDay, type GivenPeriod } from '../../lib/timestamp.ts';
import { usedPercent } from './metering-queries.ts';

const cost = sql`${usageDays.transcriptionCost} + ${usageDays.analysisCost}`;

/** The current month, the limit and the balance, all at the same moment. */
export async function selectSummary(tx: OrgTx) {
  const [row] = await tx.execute<{
    period: string;
    totalRecords: number;
    totalMinutes: number;
    totalCost: number;
    budgetLimit: number | null;
    budgetUsedPercent: number;
    available: number;
    used: number;
  }>(sql`
    with days as (
      select *, transcription_cost + analysis_cost as cost from ${usageDays} where org_id = ${tx.orgId}
    ), month as (
      select coalesce(sum(records), 0) as records, coalesce(sum(minutes), 0) as minutes, coalesce(sum(cost), 0) as cost
        from days where day >= date_trunc('month', now() at time zone 'UTC')
    ), ever as (select coalesce(sum(cost), 0) as cost from days
    ), credited as (select coalesce(sum(amount), 0) as amount from ${creditEntries} where org_id = ${tx.orgId})
    select billing_period() as period, month.records::float8 as "totalRecords", month.minutes::float8 as "totalMinutes",
           month.cost::float8 as "totalCost", b.budget_limit::float8 as "budgetLimit",
           ${usedPercent(sql`month.cost`, sql`b.budget_limit`)} as "budgetUsedPercent",
           (credited.amount - ever.cost)::float8 as available, ever.cost::float8 as used
      from month, ever, credited left join ${budgets} b on b.org_id = ${tx.orgId}`);
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

export type UsageScope = {
  from: Date;
  to: Date;
  granularity: 'day' | 'month';
  groupBy?: 'project' | undefined;
  projectId?: string | undefined;
};

export function selectUsage(tx: OrgTx, scope: UsageScope) {
  const date = sql<string>`to_char(${usageDays.day}, ${sql.raw(scope.granularity === 'day' ? "'YYYY-MM-DD'" : "'YYYY-MM'")})`;
  const keys = scope.groupBy === 'project' ? [date, usageDays.projectId] : [date];
  return tx
    .select({ date, projectId: scope.groupBy === 'project' ? usageDays.projectId : sql<null>`null`, ...sums })
    .from(usageDays)
    .where(inPeriod(tx, scope))
    .groupBy(...keys)
    .orderBy(...keys);
}

export async function selectUsageTotals(tx: OrgTx, scope: UsageScope) {
  const [row] = await tx.select(sums).from(usageDays).where(inPeriod(tx, scope));
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

const sums = {
  records: total(sql`${usageDays.records}`),
  minutes: total(sql`${usageDays.minutes}`),
  transcriptionCost: total(sql`${usageDays.transcriptionCost}`),
  analysisCost: total(sql`${usageDays.analysisCost}`),
  cost: total(cost),
};

/** Summed as decimals; only the result becomes a number. */
function total(value: SQL) {
  return sql<number>`coalesce(sum(${value}), 0)::float8`;
}

function inPeriod(tx: OrgTx, { from, to, projectId }: UsageScope): SQL | undefined {
  return and(
    eq(usageDays.orgId, tx.orgId),
    gte(usageDays.day, toDay(from)),
    lte(usageDays.day, toDay(to)),
    equals(usageDays.projectId, projectId),
  );
}

export type LedgerRow = {
  /** Null for usage, which has one entry a day. */
  id: string | null;
  day: string | null;
  type: 'grant' | 'purchase' | 'usage' | 'refund' | 'expiry';
  amount: number;
  balance: number;
  description: string;
  createdAt: string;
};

const ledgerColumns = { createdAt: sql`created_at`, amount: sql`amount` };

/**
 * Balances are computed here over all older entries, listed or not, so concurrent entries cannot make them wrong. There
 * are few entries, as a day's usage is one.
 */
export async function selectLedger(tx: OrgTx, input: ListRequest<keyof typeof ledgerColumns>): Promise<LedgerRow[]> {
  const { limit, offset } = pageWindow(input);
  const after = ledgerAfter(input);
  const order = sql.join(sortedBy(ledgerColumns[input.sort], sql`key`, input.order), sql`, `);
  return tx.execute<LedgerRow>(sql`
    select id, day, type, amount::float8 as amount, balance::float8 as balance,
           description, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"
      from (select *, sum(amount) over (order by created_at, key) as balance from (${ledger(tx)}) as entries) as balances
     where ${isListed(input)} ${after && sql`and ${after}`}
     order by ${order} limit ${limit} offset ${offset}`);
}

function ledgerAfter(input: ListRequest<keyof typeof ledgerColumns>): SQL | undefined {
  const position = positionOf(input);
  const kind = input.sort === 'amount' ? 'numeric' : 'instant';
  const key = { by: ledgerColumns[input.sort], id: sql`key`, kind, order: input.order } as const;
  return position && afterPosition(key, operandsOf(position, kind));
}

/** Totals of the entries in the period, and of all entries. */
export async function selectLedgerTotals(
  tx: OrgTx,
  period: GivenPeriod = {},
): Promise<{ total: number; balance: number }> {
  const [row] = await tx.execute<{ total: number; balance: number }>(sql`
    select (count(*) filter (where ${isListed(period)}))::float8 as total, coalesce(sum(amount), 0)::float8 as balance
      from (${ledger(tx)}) as entries`);
  return row ?? { total: 0, balance: 0 };
}

function isListed(given: GivenPeriod): SQL {
  const { from = earliestInstant, to = latestInstant } = parsePeriod(given);
  return sql`created_at between ${from.toISOString()}::timestamptz and ${to.toISOString()}::timestamptz`;
}

function ledger(tx: OrgTx): SQL {
  return sql`
    select id, null as day, type, amount, description, created_at, id as key
      from ${creditEntries} where org_id = ${tx.orgId}
    union all
    select null, day::text, 'usage', -sum(${cost}), 'Usage of ' || day, max(updated_at), day::text
      from ${usageDays} where org_id = ${tx.orgId} group by day having sum(${cost}) <> 0`;
}

export async function insertCredit(
  tx: OrgTx,
  entry: Omit<typeof creditEntries.$inferInsert, 'orgId'>,
): Promise<{ createdAt: Date }> {
  const [row] = await tx
    .insert(creditEntries)
    .values({ ...entry, orgId: tx.orgId })
    .returning({ createdAt: creditEntries.createdAt });
  if (!row) throw new Error('The database answered nothing.');
  return row;
}
