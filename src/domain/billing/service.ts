import type { Actor } from '../../auth/principal.ts';
import type { Database, OrgTx } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { derivedId, newId } from '../../lib/ids.ts';
import { toPage } from '../../lib/paging.ts';
import type { BilledContext, OrgContext } from '../context.ts';
import { selectOrg } from '../orgs/service.ts';
import { announceThresholds } from './metering.ts';
import { upsertBudget } from './metering-queries.ts';
import * as queries from './queries.ts';
import {
  usagePeriod,
  type CreditEntry,
  type CreditPage,
  type GrantCreditsInput,
  type ListCreditsInput,
  type PriceList,
  type UpdateBudgetInput,
  type UsageInput,
  type UsageReport,
  type UsageSummary,
} from './schemas.ts';

export { requireBudget } from './metering.ts';
export { pricesOf, type Prices } from './prices.ts';

/**
 * Usage of the current month. Like all functions here, throws FORBIDDEN for an organization other than the selected
 * one.
 */
export async function getUsageSummary({ db, actor }: OrgContext, { orgId }: { orgId: string }): Promise<UsageSummary> {
  requireSelected(actor, orgId);
  return db.readOrg(orgId, findSummary);
}

/** By day or month; those without usage are omitted. */
export async function getUsage({ db, actor }: OrgContext, input: UsageInput): Promise<UsageReport> {
  const { orgId, granularity, groupBy, projectId } = input;
  requireSelected(actor, orgId);
  const period = usagePeriod(input);
  const scope = { ...period, granularity, groupBy, projectId };
  const [rows, totals] = await db.readOrg(orgId, (tx) =>
    Promise.all([queries.selectUsage(tx, scope), queries.selectUsageTotals(tx, scope)]),
  );
  const items = rows.map(({ date, projectId: project, ...usage }) => ({
    date,
    ...(project !== null && { projectId: project }),
    ...usage,
  }));
  return { orgId, period, items, totals };
}

export async function listCredits({ db, actor }: OrgContext, input: ListCreditsInput): Promise<CreditPage> {
  const { orgId } = input;
  requireSelected(actor, orgId);
  const [rows, { total, balance }] = await db.readOrg(orgId, (tx) =>
    Promise.all([queries.selectLedger(tx, input), queries.selectLedgerTotals(tx, input)]),
  );
  const entries = rows.map((row) => toEntry(orgId, row));
  const keys = rows.map(({ id, day, amount, createdAt }) => ({
    id: id ?? day,
    amount,
    createdAt: new Date(createdAt),
  }));
  const { data, meta } = toPage(entries, total, input, keys);
  return { data, meta: { ...meta, balance } };
}

/** The operator's prices. */
export function getPrices({ prices }: BilledContext): PriceList {
  return {
    transcriptionPerMinute: Number(prices.transcriptionPerMinute),
    analysisPerRecord: Number(prices.analysisPerRecord),
    inputPerMillion: Number(prices.inputPerMillion),
    outputPerMillion: Number(prices.outputPerMillion),
  };
}

/** Null removes the limit; omitted fields stay. Calls that were accepted stay accepted, whatever the new limit. */
export async function updateBudget({ db, actor }: OrgContext, input: UpdateBudgetInput): Promise<UsageSummary> {
  const { orgId, budgetLimit } = input;
  requireSelected(actor, orgId);
  if (budgetLimit === undefined) return db.readOrg(orgId, findSummary);
  return db.withOrg(orgId, async (tx) => {
    await announceThresholds(tx, await upsertBudget(tx, budgetLimit === null ? null : budgetLimit.toFixed(4)));
    return findSummary(tx);
  });
}

/** For the operator: credits are granted outside the API. An expiry subtracts its amount. Throws NOT_FOUND. */
export async function grantCredits(
  { db }: { db: Database },
  { orgId, type, amount, description }: GrantCreditsInput,
): Promise<CreditEntry> {
  return db.withOrg(orgId, async (tx) => {
    if (!(await selectOrg(tx))) throw notFound('Organization');
    const id = newId('credit');
    const signed = type === 'expiry' ? `-${amount}` : amount;
    const { createdAt } = await queries.insertCredit(tx, { id, type, amount: signed, description });
    const { balance } = await queries.selectLedgerTotals(tx);
    return { id, type, amount: Number(signed), balance, description, createdAt };
  });
}

async function findSummary(tx: OrgTx): Promise<UsageSummary> {
  const { available, used, ...summary } = await queries.selectSummary(tx);
  return { orgId: tx.orgId, ...summary, credits: { available, used } };
}

function requireSelected(actor: Actor, orgId: string): void {
  if (orgId === actor.orgId) return;
  throw new AppError('FORBIDDEN', 'The organization of the address is not the selected one.');
}

function toEntry(orgId: string, { id, day, createdAt, ...entry }: queries.LedgerRow): CreditEntry {
  return { ...entry, id: id ?? usageId(orgId, day), createdAt: new Date(createdAt) };
}

function usageId(orgId: string, day: string | null): string {
  return derivedId('credit', { at: new Date(`${day}T00:00:00.000Z`), seed: `${orgId}:usage:${day}` });
}
