import { hasChanges } from '../../lib/changes.ts';
import { AppError, notFound, notNow, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import { emitEvents } from '../events/service.ts';
import type { OrgContext, OutboundContext, SealingContext } from '../context.ts';
import { refuseEndpoint } from './endpoint-url.ts';
import { addDeliveries, deliveriesOf, deliveryRequest } from '../events/fan-out.ts';
import * as queries from './queries.ts';
import {
  testEvent,
  type CreateWebhookInput,
  type DeliveryPayload,
  type ListDeliveriesInput,
  type ListWebhooksInput,
  type UpdateWebhookInput,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from './schemas.ts';
import { type WebhookEvent } from '../events/payloads.ts';
import { liveSecrets, openableSecrets, sealSecrets } from './sealing.ts';
import { newSecret } from './signature.ts';

export { selectTask, type Round, type Task } from './delivering-queries.ts';
export {
  type Attempted,
  awaitKey,
  isVoid,
  type Progress,
  reannounceDelivery,
  recordAttempt,
  refuseDisabled,
} from './delivering.ts';
export { refuseEndpoint } from './endpoint-url.ts';
export { keyDelayMs } from './schedule.ts';
export { openSecrets, resealWebhook } from './sealing.ts';
export { signatureHeaders } from './signature.ts';

const webhooksMax = 500;
const overlapMs = 24 * 3_600_000;
const oldSecretsMax = 4;

/** Oldest first by default. */
export async function listWebhooks({ db, actor }: OrgContext, input: ListWebhooksInput): Promise<Page<Webhook>> {
  const [rows, total] = await db.readOrg(actor.orgId, (tx) => Promise.all(queries.selectWebhooks(tx, input)));
  return toPage(rows.map(toWebhook), total, input);
}

export async function getWebhook({ db, actor }: OrgContext, { id }: { id: string }): Promise<Webhook> {
  const row = await db.findInOrg(actor.orgId, (tx) => queries.selectWebhook(tx, id));
  if (!row) throw notFound('Webhook');
  return toWebhook(row);
}

/** Throws VALIDATION_ERROR for an address that may not be called, CONFLICT if the limit of webhooks is reached. */
export async function createWebhook(
  { db, actor, outbound, secrets }: OutboundContext & SealingContext,
  input: CreateWebhookInput,
): Promise<WebhookWithSecret> {
  const { url, events, description, enabled } = input;
  requireEndpoint(url, outbound);
  const id = newId('webhook');
  const secret = newSecret();
  const row = await db.withOrg(actor.orgId, async (tx) => {
    if ((await queries.countWebhooks(tx)) >= webhooksMax) {
      throw new AppError('CONFLICT', `An organization has at most ${webhooksMax} webhooks.`);
    }
    const sealed = sealSecrets(secrets, id, [{ secret, expiresAt: null }]);
    return queries.insertWebhook(tx, { id, url, events, description, enabled, ...sealed });
  });
  return { ...toWebhook(row), secret };
}

/** Changes the given fields. Enabling clears the reason why it was disabled. Throws NOT_FOUND. */
export async function updateWebhook(
  { db, actor, outbound }: OutboundContext,
  { id, url, events, description, enabled }: UpdateWebhookInput,
): Promise<Webhook> {
  if (url !== undefined) requireEndpoint(url, outbound);
  const changes = { url, events, description, enabled };
  const reason = enabled === undefined ? {} : { disabledReason: null, disabledAt: null };
  const row = await db.withOrg(actor.orgId, (tx) =>
    hasChanges(changes) ? queries.updateWebhook(tx, id, { ...changes, ...reason }) : queries.selectWebhook(tx, id),
  );
  if (!row) throw notFound('Webhook');
  return toWebhook(row);
}

/** Deletes its deliveries too, including pending ones. */
export async function deleteWebhook({ db, actor }: OrgContext, { id }: { id: string }): Promise<void> {
  if (!(await db.withOrg(actor.orgId, (tx) => queries.deleteWebhook(tx, id)))) throw notFound('Webhook');
}

/**
 * Creates a new secret; previous ones keep signing for 24 hours. Throws NOT_FOUND, CONFLICT if too many of them still
 * sign.
 */
export async function rotateSecret(
  { db, actor, secrets }: SealingContext,
  { id }: { id: string },
): Promise<WebhookWithSecret> {
  const secret = newSecret();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + overlapMs).toISOString();
  const row = await db.withOrg(actor.orgId, async (tx) => {
    const webhook = await queries.lockWebhook(tx, id);
    if (!webhook) throw notFound('Webhook');
    // Secrets that no key opens cannot sign: a new secret repairs such a webhook.
    const live = openableSecrets(secrets, webhook, now) ?? [];
    const old = live.map((each) => ({ ...each, expiresAt: each.expiresAt ?? expiresAt }));
    if (old.length > oldSecretsMax) {
      const firstEndMs = Math.min(...old.map((each) => new Date(each.expiresAt).getTime()));
      const message = `${oldSecretsMax} replaced secrets still sign. Wait until one has expired.`;
      throw notNow(message, Math.ceil((firstEndMs - now.getTime()) / 1000));
    }
    return queries.updateWebhook(tx, id, sealSecrets(secrets, id, [{ secret, expiresAt: null }, ...old]));
  });
  if (!row) throw notFound('Webhook');
  return { ...toWebhook(row), secret };
}

/** Sends `webhook.test` once, even to a disabled endpoint. Throws NOT_FOUND. */
export async function testWebhook({ db, actor }: OrgContext, { id }: { id: string }): Promise<WebhookDelivery> {
  const event = { id: newId('event'), type: testEvent, data: { webhookId: id }, at: new Date() };
  const row = await db.withOrg(actor.orgId, async (tx) => {
    if (!(await queries.lockWebhook(tx, id))) throw notFound('Webhook');
    const [delivery] = deliveriesOf(event, [id]);
    if (!delivery) throw new Error('An event makes one delivery for an endpoint.');
    await addDeliveries(tx, [delivery]);
    return queries.selectDelivery(tx, delivery.id);
  });
  if (!row) throw notFound('Webhook');
  return toDelivery(row);
}

/** Newest first by default. Throws NOT_FOUND. */
export async function listDeliveries(
  { db, actor }: OrgContext,
  input: ListDeliveriesInput,
): Promise<Page<WebhookDelivery>> {
  const [webhook, rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectWebhook(tx, input.id),
      ...queries.selectDeliveries(tx, { ...input, webhookId: input.id }),
    ]),
  );
  if (!webhook) throw notFound('Webhook');
  return toPage(rows.map(toDelivery), total, input);
}

/** The body that is sent. Throws NOT_FOUND. */
export async function getPayload({ db, actor }: OrgContext, { id }: { id: string }): Promise<DeliveryPayload> {
  const body = await db.findInOrg(actor.orgId, (tx) => queries.selectPayload(tx, id));
  if (body === undefined) throw notFound('Delivery');
  return { id, body };
}

/**
 * Sends the same event again, at once and with the full schedule. Throws NOT_FOUND, CONFLICT for a disabled endpoint.
 */
export async function redeliver({ db, actor }: OrgContext, { id }: { id: string }): Promise<WebhookDelivery> {
  const row = await db.withOrg(actor.orgId, async (tx) => {
    const delivery = await queries.selectDelivery(tx, id);
    const webhook = delivery && (await queries.selectWebhook(tx, delivery.webhookId));
    if (!delivery || !webhook) throw notFound('Delivery');
    if (!webhook.enabled && delivery.eventType !== testEvent) {
      throw new AppError('CONFLICT', 'The webhook is disabled. Enable it first.');
    }
    const requestId = newId('event');
    const restarted = await queries.restartDelivery(tx, id, { requestId, at: new Date() });
    if (!restarted) return undefined;
    const { recordId, ...row } = restarted;
    await emitEvents(tx, [deliveryRequest({ ...row, requestId, recordId })]);
    return row;
  });
  if (!row) throw notFound('Delivery');
  return toDelivery(row);
}

function requireEndpoint(url: string, guard: OutboundContext['outbound']): void {
  const refusal = refuseEndpoint(url, guard);
  if (refusal) throw validationError('url', refusal);
}

function toWebhook({ orgId: _orgId, sealedBy: _sealedBy, secrets, events, ...row }: queries.WebhookRow): Webhook {
  const ends = liveSecrets(secrets, new Date()).flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]));
  const last = ends.toSorted().at(-1);
  return { ...row, events: events as WebhookEvent[], oldSecretsExpireAt: last === undefined ? null : new Date(last) };
}

function toDelivery({ attempts, ...row }: queries.DeliveryRow): WebhookDelivery {
  return {
    ...row,
    responseStatus: attempts.at(-1)?.responseStatus ?? null,
    attempts: attempts.map(({ startedAt, ...attempt }) => ({ ...attempt, startedAt: new Date(startedAt) })),
  };
}
