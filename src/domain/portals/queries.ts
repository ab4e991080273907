import { and, eq, type SQL } from 'drizzle-orm';
import { equals, inPeriod, paged, withoutCase } from '../../db/listing.ts';
import { byId } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { crmCalls, portals, sessions } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';
import type { GivenPeriod } from '../../lib/timestamp.ts';

export type PortalRow = typeof portals.$inferSelect;
export type NewPortal = Omit<typeof portals.$inferInsert, 'orgId'>;
export type CrmCallRow = typeof crmCalls.$inferSelect;
export type CrmCallFilter = GivenPeriod & {
  portalId?: string | undefined;
  status?: CrmCallRow['status'] | undefined;
};
export type PortalFilter = GivenPeriod & {
  projectId?: string | undefined;
  status?: PortalRow['status'] | undefined;
};

const sortColumns = { createdAt: portals.createdAt, updatedAt: portals.updatedAt, domain: withoutCase(portals.domain) };

/** A page, and how many there are in all. */
export function selectPortals(tx: OrgTx, input: PortalFilter & ListRequest<keyof typeof sortColumns>) {
  const { projectId, status } = input;
  const where = and(
    eq(portals.orgId, tx.orgId),
    equals(portals.projectId, projectId),
    equals(portals.status, status),
    inPeriod(portals.createdAt, input),
  );
  const query = tx.select().from(portals).$dynamic();
  return [
    paged(query, { where, page: input, sorting: { by: sortColumns[input.sort], id: portals.id } }),
    tx.$count(portals, where),
  ] as const;
}

export async function selectPortal(tx: OrgTx, id: string): Promise<PortalRow | undefined> {
  const [row] = await tx
    .select()
    .from(portals)
    .where(byId(tx, portals, id));
  return row;
}

export async function selectPortalByMember(tx: OrgTx, memberId: string): Promise<PortalRow | undefined> {
  const [row] = await tx.select().from(portals).where(isPortal(tx, memberId));
  return row;
}

/** Null if the portal is linked already, by whatever organization. */
export async function insertPortal(tx: OrgTx, portal: NewPortal): Promise<PortalRow | null> {
  const [row] = await tx
    .insert(portals)
    .values({ ...portal, orgId: tx.orgId })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export async function savePortal(
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
  const { count } = await tx.delete(portals).where(isPortal(tx, memberId));
  return count > 0;
}

/** Unlinking a portal ends the sessions in its frames. */
export async function deletePortalSessions(tx: OrgTx, portalOrigin: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.orgId, tx.orgId), eq(sessions.portalOrigin, portalOrigin)));
}

/** A page, and how many there are in all. */
export function selectCrmCalls(tx: OrgTx, input: CrmCallFilter & ListRequest<'createdAt'>) {
  const { portalId, status } = input;
  const where = and(
    eq(crmCalls.orgId, tx.orgId),
    equals(crmCalls.portalId, portalId),
    equals(crmCalls.status, status),
    inPeriod(crmCalls.createdAt, input),
  );
  const query = tx.select().from(crmCalls).$dynamic();
  const sorting = { by: crmCalls.createdAt, id: crmCalls.callId };
  return [paged(query, { where, page: input, sorting }), tx.$count(crmCalls, where)] as const;
}

function isPortal(tx: OrgTx, memberId: string): SQL | undefined {
  return and(eq(portals.orgId, tx.orgId), eq(portals.memberId, memberId));
}
