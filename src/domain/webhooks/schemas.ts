import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { webhookEvents, WebhookEvent } from '../events/payloads.ts';

export const WebhookId = z
  .string()
  .meta({ description: 'Webhook id (`whk_…`).', examples: ['whk_01m7ysd48genfrajfbx0e5r2ma'] });
export const WebhookParams = z.strictObject({ id: WebhookId });

export const testEvent = 'webhook.test';

const url = z
  .url({ protocol: /^https?$/, message: 'Expected an https address' })
  .max(2048)
  .meta({
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?:',
    description:
      'Public https address. Plain http and private networks are refused unless the operator has named the host in `OUTBOUND_ALLOW`.',
    examples: ['https://hooks.example.com/earshot'],
  });
const events = z
  .array(WebhookEvent)
  .min(1)
  .max(webhookEvents.length)
  .refine((given) => new Set(given).size === given.length, 'An event is named twice')
  .meta({ uniqueItems: true, description: 'The events that are sent.', examples: [['record.completed']] });
const description = z.string().trim().max(500).nullable().meta({ description: 'For people.' });
const enabled = z.boolean().meta({ description: 'To an endpoint that is not enabled nothing is sent but tests.' });

const WebhookDisabledReason = z.enum(['failing', 'gone']).meta({ id: 'WebhookDisabledReason' });

export const Webhook = z
  .object({
    id: WebhookId,
    url: z.string(),
    events: z.array(WebhookEvent),
    description,
    enabled,
    disabledReason: WebhookDisabledReason.nullable().meta({
      description:
        'Why the service has disabled it: `failing` after the last attempt of a delivery, `gone` after an answer 410. Null where it has not.',
    }),
    disabledAt: Timestamp.nullable().meta({ description: 'When the service has disabled it.' }),
    oldSecretsExpireAt: Timestamp.nullable().meta({
      description: 'Until then, requests are signed with replaced secrets as well. Null when there are none.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

/** The only answers that ever contain the secret. */
export const WebhookWithSecret = Webhook.extend({
  secret: z.string().meta({
    description: 'Signs the requests (Standard Webhooks). Shown this once: keep it.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwTx8tDcVkLnM='],
  }),
}).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const ListWebhooksInput = listInput({ sorts: ['createdAt', 'updatedAt', 'url'], order: 'asc' }, {});
export type ListWebhooksInput = z.infer<typeof ListWebhooksInput>;
export const WebhookPage = pageOf(Webhook).meta({ id: 'WebhookPage' });

export const CreateWebhookInput = z.strictObject({
  url,
  events,
  description: description.default(null),
  enabled: enabled.default(true),
});
export type CreateWebhookInput = z.infer<typeof CreateWebhookInput>;

export const UpdateWebhookInput = z.strictObject({
  id: WebhookId,
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  enabled: enabled.optional(),
});
export type UpdateWebhookInput = z.infer<typeof UpdateWebhookInput>;

export const DeliveryId = z
  .string()
  .meta({ description: 'Delivery id (`dlv_…`).', examples: ['dlv_01m7ysd48genfrajfc7t3w9zqh'] });
export const DeliveryParams = z.strictObject({ id: DeliveryId });

/** The event as sent: a JSON text. */
export const DeliveryPayload = z.object({ id: DeliveryId, body: z.string() });
export type DeliveryPayload = z.infer<typeof DeliveryPayload>;

const DeliveryStatus = z.enum(['pending', 'succeeded', 'failed']).meta({ id: 'WebhookDeliveryStatus' });

const Attempt = z
  .object({
    number: z.int().meta({ description: 'From 1, counted on by redeliveries.' }),
    startedAt: Timestamp,
    durationMs: z.int(),
    responseStatus: z.int().nullable().meta({ description: 'Null where no answer came.' }),
    responseBody: z.string().nullable().meta({ description: 'The first 1,024 bytes of the answer.' }),
    error: z.string().nullable().meta({ description: 'Why the attempt failed; null where it succeeded.' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const WebhookDelivery = z
  .object({
    id: DeliveryId,
    webhookId: WebhookId,
    eventId: z.string().meta({ description: 'Sent as `webhook-id`: the same at every attempt (`evt_…`).' }),
    eventType: z.string(),
    status: DeliveryStatus,
    responseStatus: z.int().nullable().meta({ description: 'Of the last attempt.' }),
    attempts: z.array(Attempt).meta({ description: 'Oldest first; the last 20 where there were more.' }),
    nextAttemptAt: Timestamp.nullable().meta({ description: 'Null once the delivery has ended.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const ListDeliveriesInput = listInput(
  { sorts: ['createdAt'], order: 'desc' },
  { id: WebhookId, status: DeliveryStatus.optional().meta({ description: 'Only deliveries with this status.' }) },
);
export type ListDeliveriesInput = z.infer<typeof ListDeliveriesInput>;
export const WebhookDeliveryPage = pageOf(WebhookDelivery).meta({ id: 'WebhookDeliveryPage' });
