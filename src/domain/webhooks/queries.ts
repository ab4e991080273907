import { and, eq, type SQL } from 'drizzle-orm';
import { inPeriod, paged, withoutCase } from '../../db/listing.ts';
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

export function selectWebhooks(tx: OrgTx, input: ListRequest<keyof typeof sortColumns>): Promise<WebhookRow[]> {
  const query = tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.orgId, tx.orgId), inPeriod(webhooks.createdAt, input)))
    .$dynamic();
  return paged(query, input, { by: sortColumns[input.sort], id: webhooks.id });
}

export function countWebhooks(tx: OrgTx, period: GivenPeriod = {}): Promise<number> {
  return tx.$count(webhooks, and(eq(webhooks.orgId, tx.orgId), inPeriod(webhooks.createdAt, period)));
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

export function selectDeliveries(
  tx: OrgTx,
  filter: DeliveryFilter,
  page: ListRequest<'createdAt'>,
): Promise<DeliveryRow[]> {
  const query = tx.select(deliveryColumns).from(webhookDeliveries).where(deliveriesOf(tx, filter)).$dynamic();
  return paged(query, page, { by: webhookDeliveries.createdAt, id: webhookDeliveries.id });
}

export function countDeliveries(tx: OrgTx, filter: DeliveryFilter): Promise<number> {
  return tx.$count(webhookDeliveries, deliveriesOf(tx, filter));
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

function deliveriesOf(tx: OrgTx, { webhookId, status, ...period }: DeliveryFilter): SQL | undefined {
  return and(
    eq(webhookDeliveries.orgId, tx.orgId),
    eq(webhookDeliveries.webhookId, webhookId),
    status === undefined ? undefined : eq(webhookDeliveries.status, status),
    inPeriod(webhookDeliveries.createdAt, period),
  );
}
