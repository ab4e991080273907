import { and, asc, eq, lt, sql, type SQL } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { crmCalls } from '../../db/schema/index.ts';
import type { CallKey } from './recording-reference.ts';
import type { CrmCallRow } from './queries.ts';

type NewCall = Pick<CrmCallRow, 'callId' | 'startedAt' | 'durationSeconds' | 'status' | 'reason' | 'announcedBy'>;

/** Returns the rows that were written: new ones, and those that had been ignored for a reason that is not `final`. */
export async function upsertCalls(
  tx: OrgTx,
  portal: { id: string; memberId: string },
  { rows, final }: { rows: NewCall[]; final: string[] },
): Promise<Pick<CrmCallRow, 'callId' | 'status' | 'reason'>[]> {
  if (rows.length === 0) return [];
  return tx
    .insert(crmCalls)
    .values(rows.map((row) => ({ ...row, orgId: tx.orgId, memberId: portal.memberId, portalId: portal.id })))
    .onConflictDoUpdate({
      target: [crmCalls.orgId, crmCalls.memberId, crmCalls.callId],
      set: {
        status: sql`excluded.status`,
        reason: sql`excluded.reason`,
        portalId: sql`excluded.portal_id`,
        startedAt: sql`coalesce(excluded.started_at, ${crmCalls.startedAt})`,
        durationSeconds: sql`coalesce(excluded.duration_seconds, ${crmCalls.durationSeconds})`,
        updatedAt: new Date(),
      },
      setWhere: and(
        eq(crmCalls.status, 'ignored'),
        sql`${crmCalls.reason} <> all(${sql.param(final)}::text[])`,
        sql`${crmCalls.reason} is distinct from excluded.reason`,
      ),
    })
    .returning({ callId: crmCalls.callId, status: crmCalls.status, reason: crmCalls.reason });
}

export async function selectCall(tx: OrgTx, key: CallKey): Promise<CrmCallRow | undefined> {
  const [row] = await tx.select().from(crmCalls).where(isCall(tx, key));
  return row;
}

export async function lockCall(tx: OrgTx, key: CallKey): Promise<CrmCallRow | undefined> {
  const [row] = await tx.select().from(crmCalls).where(isCall(tx, key)).for('update');
  return row;
}

export async function updateWaitingCall(
  tx: OrgTx,
  key: CallKey,
  changes: Partial<Pick<CrmCallRow, 'status' | 'reason' | 'recordId' | 'durationSeconds'>>,
): Promise<void> {
  await tx
    .update(crmCalls)
    .set({ ...changes, updatedAt: new Date() })
    .where(and(isCall(tx, key), eq(crmCalls.status, 'waiting')));
}

const awaitsBudget = sql`${crmCalls.status} = 'waiting' and ${crmCalls.reason} = 'BUDGET_EXCEEDED'`;

/** Locks calls that wait for the budget, oldest first; skips those locked by others. */
export async function lockCallsAwaitingBudget(tx: OrgTx, limit: number): Promise<CrmCallRow[]> {
  return tx
    .select()
    .from(crmCalls)
    .where(and(eq(crmCalls.orgId, tx.orgId), awaitsBudget))
    .orderBy(asc(crmCalls.createdAt), asc(crmCalls.callId))
    .limit(limit)
    .for('no key update', { skipLocked: true });
}

/** Those that have waited since then for a budget that never came. */
export async function ignoreCallsAwaitingBudget(tx: OrgTx, { since }: { since: Date }): Promise<void> {
  await tx
    .update(crmCalls)
    .set({ status: 'ignored', updatedAt: new Date() })
    .where(and(eq(crmCalls.orgId, tx.orgId), awaitsBudget, lt(crmCalls.createdAt, since)));
}

/** Those of a portal that was unlinked. */
export async function ignoreCallsOfUnlinked(tx: OrgTx, memberId: string): Promise<void> {
  await tx
    .update(crmCalls)
    .set({ status: 'ignored', reason: 'PORTAL_UNLINKED', updatedAt: new Date() })
    .where(and(eq(crmCalls.orgId, tx.orgId), eq(crmCalls.memberId, memberId), awaitsBudget));
}

function isCall(tx: OrgTx, { memberId, callId }: CallKey): SQL | undefined {
  return and(eq(crmCalls.orgId, tx.orgId), eq(crmCalls.memberId, memberId), eq(crmCalls.callId, callId));
}
