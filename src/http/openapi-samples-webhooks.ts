import type { Webhook, WebhookDelivery, WebhookWithSecret } from '../domain/webhooks/schemas.ts';
import { ids, type Json } from './openapi-samples.ts';

export const webhook: Json<Webhook> = {
  id: ids.webhook,
  url: 'https://hooks.example.com/earshot',
  events: ['record.completed', 'record.failed'],
  description: 'Scores into the data warehouse',
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  oldSecretsExpireAt: null,
  createdAt: '2026-03-01T16:50:31.402Z',
  updatedAt: '2026-03-01T16:50:31.402Z',
};

export const newWebhook: Json<WebhookWithSecret> = {
  ...webhook,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwTx8tDcVkLnM=',
};

export const rotatedWebhook: Json<WebhookWithSecret> = {
  ...webhook,
  oldSecretsExpireAt: '2026-03-03T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDkVXDLvxQ3ks=',
};

const deliveryId = 'dlv_01m7ysd48genfrajfc7t3w9zqh';

/** Refused once, and taken five seconds later. */
export const delivery: Json<WebhookDelivery> = {
  id: deliveryId,
  webhookId: ids.webhook,
  eventId: 'evt_01m7ysd48genfrajfd2y6b0xma',
  eventType: 'record.completed',
  status: 'succeeded',
  responseStatus: 204,
  attempts: [
    {
      number: 1,
      startedAt: '2026-03-02T09:15:41.420Z',
      durationMs: 112,
      responseStatus: 503,
      responseBody: 'Down for maintenance',
      error: 'The endpoint answered 503.',
    },
    {
      number: 2,
      startedAt: '2026-03-02T09:15:46.731Z',
      durationMs: 64,
      responseStatus: 204,
      responseBody: '',
      error: null,
    },
  ],
  nextAttemptAt: null,
  createdAt: '2026-03-02T09:15:41.377Z',
};

export const pendingDelivery: Json<WebhookDelivery> = {
  ...delivery,
  status: 'pending',
  responseStatus: null,
  attempts: [],
  nextAttemptAt: delivery.createdAt,
};
