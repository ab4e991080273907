import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { crmCalls } from '../../db/schema/index.ts';
import type { CallKey } from './calls.ts';
import type { CrmCallRow } from './queries.ts';

type NewCall = Pick<CrmCallRow, 'callId' | 'startedAt' | 'durationSeconds' | 'status' | 'reason' | 'announcedBy'>;

/** Gives the rows that were written: those that were not there, or had been ignored for a reason that is `mendable`. */
export async function upsertCalls(
  tx: OrgTx,
  portal: { id: string; memberId: string },
  { rows, mendable }: { rows: NewCall[]; mendable: string[] },
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
        sql`${crmCalls.reason} = any(${sql.param(mendable)}::text[])`,
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

function isCall(tx: OrgTx, { memberId, callId }: CallKey): SQL | undefined {
  return and(eq(crmCalls.orgId, tx.orgId), eq(crmCalls.memberId, memberId), eq(crmCalls.callId, callId));
}
