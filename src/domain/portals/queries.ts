import { and, asc, count, desc, eq, type SQL } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { crmCalls, portals, sessions } from '../../db/schema/index.ts';
import { pageWindow, type PageRequest } from '../../lib/paging.ts';

export type PortalRow = typeof portals.$inferSelect;
export type NewPortal = Omit<typeof portals.$inferInsert, 'orgId'>;
export type CrmCallRow = typeof crmCalls.$inferSelect;
export type CrmCallFilter = { portalId?: string | undefined; status?: CrmCallRow['status'] | undefined };

export function selectPortals(tx: OrgTx, page: PageRequest): Promise<PortalRow[]> {
  const { limit, offset } = pageWindow(page);
  return tx
    .select()
    .from(portals)
    .where(eq(portals.orgId, tx.orgId))
    .orderBy(asc(portals.createdAt), asc(portals.id))
    .limit(limit)
    .offset(offset);
}

export async function countPortals(tx: OrgTx): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(portals).where(eq(portals.orgId, tx.orgId));
  return row?.total ?? 0;
}

export async function selectPortal(tx: OrgTx, id: string): Promise<PortalRow | undefined> {
  const [row] = await tx
    .select()
    .from(portals)
    .where(and(eq(portals.orgId, tx.orgId), eq(portals.id, id)));
  return row;
}

export async function selectPortalByMember(tx: OrgTx, memberId: string): Promise<PortalRow | undefined> {
  const [row] = await tx.select().from(portals).where(isPortal(tx, memberId));
  return row;
}

/** Null when somebody has linked the portal, whoever it is. */
export async function insertPortal(tx: OrgTx, portal: NewPortal): Promise<PortalRow | null> {
  const [row] = await tx
    .insert(portals)
    .values({ ...portal, orgId: tx.orgId })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export async function updatePortal(
  tx: OrgTx,
  memberId: string,
  changes: Partial<NewPortal>,
): Promise<PortalRow | undefined> {
  const [row] = await tx
    .update(portals)
    .set({ ...changes, updatedAt: new Date() })
    .where(isPortal(tx, memberId))
    .returning();
  return row;
}

export async function deletePortal(tx: OrgTx, memberId: string): Promise<boolean> {
  const rows = await tx.delete(portals).where(isPortal(tx, memberId)).returning({ id: portals.id });
  return rows.length > 0;
}

/** Sessions inside frames of the portal end with its link. */
export async function deletePortalSessions(tx: OrgTx, portalOrigin: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.orgId, tx.orgId), eq(sessions.portalOrigin, portalOrigin)));
}

/** Newest first. */
export function selectCrmCalls(tx: OrgTx, filter: CrmCallFilter, page: PageRequest): Promise<CrmCallRow[]> {
  const { limit, offset } = pageWindow(page);
  return tx
    .select()
    .from(crmCalls)
    .where(callConditions(tx, filter))
    .orderBy(desc(crmCalls.createdAt), desc(crmCalls.callId))
    .limit(limit)
    .offset(offset);
}

export async function countCrmCalls(tx: OrgTx, filter: CrmCallFilter): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(crmCalls).where(callConditions(tx, filter));
  return row?.total ?? 0;
}

function isPortal(tx: OrgTx, memberId: string): SQL | undefined {
  return and(eq(portals.orgId, tx.orgId), eq(portals.memberId, memberId));
}

function callConditions(tx: OrgTx, { portalId, status }: CrmCallFilter): SQL | undefined {
  return and(
    eq(crmCalls.orgId, tx.orgId),
    portalId === undefined ? undefined : eq(crmCalls.portalId, portalId),
    status === undefined ? undefined : eq(crmCalls.status, status),
  );
}
