import { nothing, one, page, type OperationExamples } from './openapi-example-parts.ts';
import * as samples from './openapi-samples-webhooks.ts';

/** Of the addresses that events are sent to. */
export const webhookExamples: Record<string, OperationExamples> = {
  listWebhooks: { responses: { 200: page('One webhook', samples.webhook) } },
  createWebhook: {
    request: {
      completed: {
        summary: 'Calls that are done',
        value: {
          url: samples.webhook.url,
          events: samples.webhook.events,
          description: samples.webhook.description,
        },
      },
    },
    responses: {
      201: { description: 'Created, with its secret.', ...one('The new webhook', samples.newWebhook) },
    },
  },
  getWebhook: { responses: { 200: one('A webhook', samples.webhook) } },
  updateWebhook: {
    request: {
      enable: { summary: 'Enable it again', value: { enabled: true } },
      subscribe: { summary: 'Other events', value: { events: ['analysis.completed', 'alert.triggered'] } },
    },
    responses: { 200: { description: 'The webhook as it is now.', ...one('The changed webhook', samples.webhook) } },
  },
  deleteWebhook: { responses: { 204: nothing } },
  rotateWebhookSecret: {
    responses: {
      200: {
        description: 'Replaced. The old secret signs on for 24 hours.',
        ...one('With its new secret', samples.rotatedWebhook),
      },
    },
  },
  testWebhook: {
    responses: {
      200: {
        description: 'Queued.',
        ...one('The delivery', { ...samples.pendingDelivery, eventType: 'webhook.test' }),
      },
    },
  },
  listWebhookDeliveries: { responses: { 200: page('One delivery', samples.delivery) } },
  redeliverWebhook: {
    responses: {
      200: {
        description: 'Queued.',
        ...one('The delivery', {
          ...samples.delivery,
          status: 'pending',
          nextAttemptAt: '2026-03-02T11:00:00.000Z',
        }),
      },
    },
  },
};
