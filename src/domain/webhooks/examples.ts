import { type Json, nothing, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from './schemas.ts';

const webhook: Json<Webhook> = {
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

const newWebhook: Json<WebhookWithSecret> = {
  ...webhook,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwTx8tDcVkLnM=',
};

const rotatedWebhook: Json<WebhookWithSecret> = {
  ...webhook,
  oldSecretsExpireAt: '2026-03-03T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDkVXDLvxQ3ks=',
};

const deliveryId = 'dlv_01m7ysd48genfrajfc7t3w9zqh';

/** Refused once, and taken five seconds later. */
const delivery: Json<WebhookDelivery> = {
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

const pendingDelivery: Json<WebhookDelivery> = {
  ...delivery,
  status: 'pending',
  responseStatus: null,
  attempts: [],
  nextAttemptAt: delivery.createdAt,
};

export const examples = {
  listWebhooks: { responses: { 200: page('One webhook', webhook) } },
  createWebhook: {
    request: {
      completed: {
        summary: 'Calls that are done',
        value: {
          url: webhook.url,
          events: webhook.events,
          description: webhook.description,
        },
      },
    },
    responses: {
      201: { description: 'Created, with its secret.', ...one('The new webhook', newWebhook) },
    },
  },
  getWebhook: { responses: { 200: one('A webhook', webhook) } },
  updateWebhook: {
    request: {
      enable: { summary: 'Enable it again', value: { enabled: true } },
      subscribe: { summary: 'Other events', value: { events: ['analysis.completed', 'alert.triggered'] } },
    },
    responses: { 200: { description: 'The webhook as it is now.', ...one('The changed webhook', webhook) } },
  },
  deleteWebhook: { responses: { 204: nothing } },
  rotateWebhookSecret: {
    responses: {
      200: {
        description: 'Replaced. The old secret signs on for 24 hours.',
        ...one('With its new secret', rotatedWebhook),
      },
    },
  },
  testWebhook: {
    responses: {
      200: {
        description: 'Queued.',
        ...one('The delivery', { ...pendingDelivery, eventType: 'webhook.test' }),
      },
    },
  },
  listWebhookDeliveries: { responses: { 200: page('One delivery', delivery) } },
  redeliverWebhook: {
    responses: {
      200: {
        description: 'Queued.',
        ...one('The delivery', {
          ...delivery,
          status: 'pending',
          nextAttemptAt: '2026-03-02T11:00:00.000Z',
        }),
      },
    },
  },
} satisfies Record<string, OperationExamples>;
