import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { inPeriod, paged, withoutCase } from '../../db/listing.ts';
import type { OrgTx } from '../../db/scope.ts';
import { apiTokens, memberships } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';

const columns = {
  id: apiTokens.id,
  name: apiTokens.name,
  start: apiTokens.start,
  lastFour: apiTokens.lastFour,
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
  createdAt: apiTokens.createdAt,
};

const sortColumns = {
  createdAt: apiTokens.createdAt,
  name: withoutCase(apiTokens.name),
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
};

/** A page, and how many there are in all. */
export function selectTokens(tx: OrgTx, userId: string, input: ListRequest<keyof typeof sortColumns>) {
  const where = and(liveTokensOf(tx, userId), inPeriod(apiTokens.createdAt, input));
  const query = tx.select(columns).from(apiTokens).$dynamic();
  return [
    paged(query, { where, page: input, sorting: { by: sortColumns[input.sort], id: apiTokens.id } }),
    tx.$count(apiTokens, where),
  ] as const;
}

export async function insertToken(tx: OrgTx, token: Omit<typeof apiTokens.$inferInsert, 'orgId'>) {
  const [row] = await tx
    .insert(apiTokens)
    .values({ ...token, orgId: tx.orgId })
    .returning(columns);
  return row;
}

export async function revokeToken(tx: OrgTx, userId: string, id: string): Promise<boolean> {
  const { count } = await tx
    .update(apiTokens)
    .set({ revokedAt: new Date() })
    .where(and(liveTokensOf(tx, userId), eq(apiTokens.id, id)));
  return count > 0;
}

export async function isMember(tx: OrgTx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.orgId, tx.orgId), eq(memberships.userId, userId)));
  return rows.length > 0;
}

function liveTokensOf(tx: OrgTx, userId: string): SQL | undefined {
  return and(eq(apiTokens.orgId, tx.orgId), eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt));
}
