import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Role } from '../../model/role.ts';
import { byId, projectOfRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import {
  alerts,
  invites,
  mailKeys,
  mailRefusals,
  mailSends,
  memberships,
  orgs,
  projects,
  records,
  users,
  webhooks,
} from '../../db/schema/index.ts';

/** Verified addresses of members with these roles, in the order in which they joined. */
export async function selectAddresses(tx: OrgTx, roles: Role[]): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, tx.orgId), inArray(memberships.role, roles), users.emailVerified))
    .orderBy(asc(memberships.createdAt), asc(memberships.userId));
  return rows.map(({ email }) => email);
}

export async function selectOrgName(tx: OrgTx): Promise<string> {
  const [row] = await tx.select({ name: orgs.name }).from(orgs).where(eq(orgs.id, tx.orgId));
  return row?.name ?? '';
}

/** Undefined once the rule or the call has been deleted. */
export async function selectAlertRecipients(tx: OrgTx, { alertId, recordId }: { alertId: string; recordId: string }) {
  const [row] = await tx
    .select({ recipients: alerts.recipients, projectName: projects.name })
    .from(alerts)
    .innerJoin(records, and(eq(records.orgId, alerts.orgId), eq(records.id, recordId)))
    .innerJoin(projects, projectOfRecord)
    .where(byId(tx, alerts, alertId));
  return row;
}

/** Undefined once it was accepted or withdrawn, or has expired. */
export async function selectOpenInvite(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({
      email: invites.email,
      role: invites.role,
      expiresAt: invites.expiresAt,
      inviterName: sql<string | null>`(select u.name from ${users} u where u.id = invites.invited_by)`,
    })
    .from(invites)
    .where(and(byId(tx, invites, id), gt(invites.expiresAt, sql`now()`)));
  return row;
}

/** Undefined once it was enabled again or deleted. */
export async function selectDisabledWebhook(tx: OrgTx, id: string) {
  const { url, description, disabledReason } = webhooks;
  const [row] = await tx
    .select({ url, description, disabledReason })
    .from(webhooks)
    .where(and(byId(tx, webhooks, id), eq(webhooks.enabled, false)));
  return row;
}

export async function selectMailKey(tx: OrgTx): Promise<Buffer | undefined> {
  const [row] = await tx.select({ key: mailKeys.key }).from(mailKeys).where(eq(mailKeys.orgId, tx.orgId));
  return row?.key;
}

/** Keeps an existing key. */
export async function insertMailKey(tx: OrgTx, key: Buffer): Promise<void> {
  await tx.insert(mailKeys).values({ orgId: tx.orgId, key }).onConflictDoNothing();
}

/** The recipients who have unsubscribed from alerts. */
export async function selectRefusals(tx: OrgTx, recipients: string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ recipient: mailRefusals.recipient })
    .from(mailRefusals)
    .where(and(eq(mailRefusals.orgId, tx.orgId), inArray(mailRefusals.recipient, recipients)));
  return new Set(rows.map(({ recipient }) => recipient));
}

export async function insertRefusal(tx: OrgTx, recipient: string): Promise<void> {
  await tx.insert(mailRefusals).values({ orgId: tx.orgId, recipient }).onConflictDoNothing();
}

export async function deleteRefusal(tx: OrgTx, recipient: string): Promise<void> {
  await tx.delete(mailRefusals).where(and(eq(mailRefusals.orgId, tx.orgId), eq(mailRefusals.recipient, recipient)));
}

type SendKey = { orderId: string; recipient: string };

/** False if a server has accepted the mail, or another run is sending it. */
export async function claimSend(
  tx: OrgTx,
  { orderId, recipient, runId, claimMs }: SendKey & { runId: string; claimMs: number },
): Promise<boolean> {
  const claimedUntil = sql`now() + make_interval(secs => ${claimMs / 1000})`;
  const { count } = await tx
    .insert(mailSends)
    .values({ orgId: tx.orgId, orderId, recipient, runId, claimedUntil })
    .onConflictDoUpdate({
      target: [mailSends.orgId, mailSends.orderId, mailSends.recipient],
      set: { runId, claimedUntil },
      setWhere: sql`${mailSends.acceptedAt} is null and (${mailSends.runId} = ${runId} or ${mailSends.claimedUntil} < now())`,
    });
  return count > 0;
}

export async function isSendAccepted(tx: OrgTx, key: SendKey): Promise<boolean> {
  const rows = await tx
    .select({ runId: mailSends.runId })
    .from(mailSends)
    .where(and(isSend(tx, key), isNotNull(mailSends.acceptedAt)));
  return rows.length > 0;
}

export async function markAccepted(tx: OrgTx, key: SendKey): Promise<void> {
  await tx
    .update(mailSends)
    .set({ acceptedAt: sql`now()` })
    .where(isSend(tx, key));
}

function isSend(tx: OrgTx, { orderId, recipient }: SendKey) {
  return and(eq(mailSends.orgId, tx.orgId), eq(mailSends.orderId, orderId), eq(mailSends.recipient, recipient));
}
