import { and, count, eq, type SQL } from 'drizzle-orm';
import { inPeriod, sortedBy, withoutCase } from '../../db/listing.ts';
import type { OrgTx } from '../../db/scope.ts';
import { webhookDeliveries, webhooks } from '../../db/schema/index.ts';
import { pageWindow, type ListRequest } from '../../lib/paging.ts';
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

export function selectWebhooks(tx: OrgTx, input: ListRequest<keyof typeof sortColumns>): Promise<WebhookRow[]> {
  const { limit, offset } = pageWindow(input);
  return tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.orgId, tx.orgId), inPeriod(webhooks.createdAt, input)))
    .orderBy(...sortedBy(sortColumns[input.sort], webhooks.id, input.order))
    .limit(limit)
    .offset(offset);
}

export async function countWebhooks(tx: OrgTx, period: GivenPeriod = {}): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(webhooks)
    .where(and(eq(webhooks.orgId, tx.orgId), inPeriod(webhooks.createdAt, period)));
  return row?.total ?? 0;
}

export async function selectWebhook(tx: OrgTx, id: string): Promise<WebhookRow | undefined> {
  const [row] = await tx.select().from(webhooks).where(isWebhook(tx, id));
  return row;
}

/** Locked until the end of the transaction, so that checks still hold then. */
export async function lockWebhook(tx: OrgTx, id: string): Promise<WebhookRow | undefined> {
  const [row] = await tx.select().from(webhooks).where(isWebhook(tx, id)).for('no key update');
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
    .where(isWebhook(tx, id))
    .returning();
  return row;
}

/** Leaves `updatedAt` alone, as nothing visible changes. */
export async function updateSecrets(
  tx: OrgTx,
  id: string,
  sealed: Pick<WebhookRow, 'secrets' | 'sealedBy'>,
): Promise<void> {
  await tx.update(webhooks).set(sealed).where(isWebhook(tx, id));
}

export async function deleteWebhook(tx: OrgTx, id: string): Promise<boolean> {
  const rows = await tx.delete(webhooks).where(isWebhook(tx, id)).returning({ id: webhooks.id });
  return rows.length > 0;
}

export function selectDeliveries(
  tx: OrgTx,
  filter: DeliveryFilter,
  page: ListRequest<'createdAt'>,
): Promise<DeliveryRow[]> {
  const { limit, offset } = pageWindow(page);
  return tx
    .select(deliveryColumns)
    .from(webhookDeliveries)
    .where(deliveriesOf(tx, filter))
    .orderBy(...sortedBy(webhookDeliveries.createdAt, webhookDeliveries.id, page.order))
    .limit(limit)
    .offset(offset);
}

export async function countDeliveries(tx: OrgTx, filter: DeliveryFilter): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(webhookDeliveries).where(deliveriesOf(tx, filter));
  return row?.total ?? 0;
}

export async function selectDelivery(tx: OrgTx, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx.select(deliveryColumns).from(webhookDeliveries).where(isDelivery(tx, id));
  return row;
}

export async function selectPayload(tx: OrgTx, id: string): Promise<string | undefined> {
  const [row] = await tx.select({ body: webhookDeliveries.body }).from(webhookDeliveries).where(isDelivery(tx, id));
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
    .where(isDelivery(tx, id))
    .returning({ ...deliveryColumns, recordId: deliveredRecordId });
  return row;
}

function isWebhook(tx: OrgTx, id: string): SQL | undefined {
  return and(eq(webhooks.orgId, tx.orgId), eq(webhooks.id, id));
}

function isDelivery(tx: OrgTx, id: string): SQL | undefined {
  return and(eq(webhookDeliveries.orgId, tx.orgId), eq(webhookDeliveries.id, id));
}

function deliveriesOf(tx: OrgTx, { webhookId, status, ...period }: DeliveryFilter): SQL | undefined {
  return and(
    eq(webhookDeliveries.orgId, tx.orgId),
    eq(webhookDeliveries.webhookId, webhookId),
    status === undefined ? undefined : eq(webhookDeliveries.status, status),
    inPeriod(webhookDeliveries.createdAt, period),
  );
}
