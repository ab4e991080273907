import { and, eq } from 'drizzle-orm';
import { equals, inPeriod, paged, withoutCase } from '../../db/listing.ts';
import { byId } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { webhookDeliveries, webhooks } from '../../db/schema/index.ts';
import type { ListRequest } from '../../lib/paging.ts';
import type { GivenPeriod } from '../../lib/timestamp.ts';
import { deliveredRecordId } from '../events/fan-out.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
export type NewWebhook = Omit<typeof webhooks.$inferInsert, 'orgId'>;
export type DeliveryRow = Omit<typeof webhookDeliveries.$inferSelect, 'orgId' | 'body' | 'requestId' | 'tries'>;
export type DeliveryFilter = GivenPeriod & { webhookId: string; status?: DeliveryRow['status'] | undefined };

const deliveryColumns = {
  id: webhookDeliveries.id,
  webhookId: webhookDeliveries.webhookId,
  eventId: webhookDeliveries.eventId,
  eventType: webhookDeliveries.eventType,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  createdAt: webhookDeliveries.createdAt,
};

const sortColumns = { createdAt: webhooks.createdAt, updatedAt: webhooks.updatedAt, url: withoutCase(webhooks.url) };

/** A page, and how many there are in all. */
export function selectWebhooks(tx: OrgTx, input: ListRequest<keyof typeof sortColumns>) {
  const where = and(eq(webhooks.orgId, tx.orgId), inPeriod(webhooks.createdAt, input));
  const query = tx.select().from(webhooks).$dynamic();
  return [
    paged(query, { where, page: input, sorting: { by: sortColumns[input.sort], id: webhooks.id } }),
    tx.$count(webhooks, where),
  ] as const;
}

export function countWebhooks(tx: OrgTx): Promise<number> {
  return tx.$count(webhooks, eq(webhooks.orgId, tx.orgId));
}

export async function selectWebhook(tx: OrgTx, id: string): Promise<WebhookRow | undefined> {
  const [row] = await tx
    .select()
    .from(webhooks)
    .where(byId(tx, webhooks, id));
  return row;
}

/** Locked until the end of the transaction, so that checks still hold then. */
export async function lockWebhook(tx: OrgTx, id: string): Promise<WebhookRow | undefined> {
  const [row] = await tx
    .select()
    .from(webhooks)
    .where(byId(tx, webhooks, id))
    .for('no key update');
  return row;
}

export async function insertWebhook(tx: OrgTx, webhook: NewWebhook): Promise<WebhookRow> {
  const [row] = await tx
    .insert(webhooks)
    .values({ ...webhook, orgId: tx.orgId })
    .returning();
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

export async function updateWebhook(
  tx: OrgTx,
  id: string,
  changes: { [Field in keyof NewWebhook]?: NewWebhook[Field] | undefined },
): Promise<WebhookRow | undefined> {
  const [row] = await tx
    .update(webhooks)
    .set({ ...changes, updatedAt: new Date() })
    .where(byId(tx, webhooks, id))
    .returning();
  return row;
}

/** Leaves `updatedAt` alone, as nothing visible changes. */
export async function updateSecrets(
  tx: OrgTx,
  id: string,
  sealed: Pick<WebhookRow, 'secrets' | 'sealedBy'>,
): Promise<void> {
  await tx
    .update(webhooks)
    .set(sealed)
    .where(byId(tx, webhooks, id));
}

export async function deleteWebhook(tx: OrgTx, id: string): Promise<boolean> {
  const { count } = await tx.delete(webhooks).where(byId(tx, webhooks, id));
  return count > 0;
}

/** A page, and how many there are in all. */
export function selectDeliveries(tx: OrgTx, input: DeliveryFilter & ListRequest<'createdAt'>) {
  const { webhookId, status } = input;
  const where = and(
    eq(webhookDeliveries.orgId, tx.orgId),
    eq(webhookDeliveries.webhookId, webhookId),
    equals(webhookDeliveries.status, status),
    inPeriod(webhookDeliveries.createdAt, input),
  );
  const query = tx.select(deliveryColumns).from(webhookDeliveries).$dynamic();
  const sorting = { by: webhookDeliveries.createdAt, id: webhookDeliveries.id };
  return [paged(query, { where, page: input, sorting }), tx.$count(webhookDeliveries, where)] as const;
}

export async function selectDelivery(tx: OrgTx, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx
    .select(deliveryColumns)
    .from(webhookDeliveries)
    .where(byId(tx, webhookDeliveries, id));
  return row;
}

export async function selectPayload(tx: OrgTx, id: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ body: webhookDeliveries.body })
    .from(webhookDeliveries)
    .where(byId(tx, webhookDeliveries, id));
  return row?.body;
}

/** Starts another round of attempts. Runs of the previous one become void. */
export async function restartDelivery(
  tx: OrgTx,
  id: string,
  { requestId, at }: { requestId: string; at: Date },
): Promise<(DeliveryRow & { recordId: string | null }) | undefined> {
  const [row] = await tx
    .update(webhookDeliveries)
    .set({ status: 'pending', tries: 0, requestId, nextAttemptAt: at })
    .where(byId(tx, webhookDeliveries, id))
    .returning({ ...deliveryColumns, recordId: deliveredRecordId });
  return row;
}
