import { and, eq, isNull, ne, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { OrgTx } from '../../db/scope.ts';
import { apiTokens, firstSteps, invites, memberships, records } from '../../db/schema/index.ts';
import type { FirstStepKey } from './schemas.ts';

export type Settled = Pick<typeof firstSteps.$inferSelect, 'confirmed' | 'skipped' | 'dismissedAt'>;

const none: Settled = { confirmed: [], skipped: [], dismissedAt: null };

export async function selectSettled(tx: OrgTx, userId: string): Promise<Settled> {
  const [row] = await tx
    .select({ confirmed: firstSteps.confirmed, skipped: firstSteps.skipped, dismissedAt: firstSteps.dismissedAt })
    .from(firstSteps)
    .where(own(tx, userId));
  return row ?? none;
}

/** Two at once are two sums of the same row: neither is lost. */
export async function updateSettled(
  tx: OrgTx,
  userId: string,
  { key, as }: { key: FirstStepKey; as: 'confirmed' | 'skipped' | 'open' },
): Promise<void> {
  await ensureRow(tx, userId);
  const without = (column: AnyPgColumn): SQL => sql`array_remove(${column}, ${key})`;
  const added = (column: AnyPgColumn, isMeant: boolean): SQL =>
    isMeant ? sql`array_append(${without(column)}, ${key})` : without(column);
  await tx
    .update(firstSteps)
    .set({
      confirmed: added(firstSteps.confirmed, as === 'confirmed'),
      skipped: added(firstSteps.skipped, as === 'skipped'),
    })
    .where(own(tx, userId));
}

export async function updateDismissed(tx: OrgTx, userId: string, dismissedAt: Date | null): Promise<void> {
  await ensureRow(tx, userId);
  await tx.update(firstSteps).set({ dismissedAt }).where(own(tx, userId));
}

export type Existing = { call: boolean; colleague: boolean; key: boolean };

/** What tells that a step was taken, whoever took it and wherever. */
export async function selectExisting(tx: OrgTx, userId: string): Promise<Existing> {
  const [call, member, invite, key] = await Promise.all([
    exists(tx, records, and(eq(records.orgId, tx.orgId), eq(records.status, 'completed'))),
    exists(tx, memberships, and(eq(memberships.orgId, tx.orgId), ne(memberships.userId, userId))),
    exists(tx, invites, eq(invites.orgId, tx.orgId)),
    exists(
      tx,
      apiTokens,
      and(eq(apiTokens.orgId, tx.orgId), eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt)),
    ),
  ]);
  return { call, colleague: member || invite, key };
}

async function exists(tx: OrgTx, table: PgTable, where: SQL | undefined): Promise<boolean> {
  const rows = await tx
    .select({ one: sql`1` })
    .from(table)
    .where(where)
    .limit(1);
  return rows.length > 0;
}

async function ensureRow(tx: OrgTx, userId: string): Promise<void> {
  await tx.insert(firstSteps).values({ orgId: tx.orgId, userId, confirmed: [], skipped: [] }).onConflictDoNothing();
}

function own(tx: OrgTx, userId: string): SQL | undefined {
  return and(eq(firstSteps.orgId, tx.orgId), eq(firstSteps.userId, userId));
}
