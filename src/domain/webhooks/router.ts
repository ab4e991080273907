import { z } from 'zod';
import { operationsOf, orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import {
  CreateWebhookInput,
  DeliveryPayload,
  DeliveryParams,
  ListDeliveriesInput,
  ListWebhooksInput,
  UpdateWebhookInput,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookParams,
  WebhookWithSecret,
} from './schemas.ts';
import {
  createWebhook,
  deleteWebhook,
  getPayload,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from './service.ts';

const operation = operationsOf('Webhooks', examples);

export const webhooksRouter = router({
  list: operation('listWebhooks', {
    permission: 'webhooks:read',
    route: 'GET /webhooks',
    summary: 'List webhooks',
    description: 'Oldest first unless sorted otherwise. Secrets are not shown.',
  })
    .input(ListWebhooksInput)
    .output(WebhookPage)
    .query(({ ctx, input }) => listWebhooks(ctx.org, input)),

  create: operation('createWebhook', {
    permission: 'webhooks:write',
    route: 'POST /webhooks',
    successStatus: 201,
    showsSecret: true,
    summary: 'Create a webhook',
    description:
      'Events that happen from now on are sent to the address, signed as Standard Webhooks 1.0 says, with the secret that is shown this once. Every event is sent at least once and in no particular order: `webhook-id` is the same at every attempt. Only an answer 2xx within 15 seconds counts, and redirects are not followed. Otherwise it is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each up to a tenth later, and not before `Retry-After`; then the webhook is disabled and the owners are told. An answer 410 disables it at once.',
    errorResponses: { 409: 'An organization has at most 500 webhooks.' },
  })
    .input(CreateWebhookInput)
    .output(WebhookWithSecret)
    .mutation(({ ctx, input }) => createWebhook(ctx.org, input)),

  get: operation('getWebhook', {
    permission: 'webhooks:read',
    route: 'GET /webhooks/{id}',
    summary: 'Get a webhook',
    description: 'Whether it is enabled and, where the service has disabled it, why. The secret is not shown.',
  })
    .input(WebhookParams)
    .output(Webhook)
    .query(({ ctx, input }) => getWebhook(ctx.org, input)),

  update: operation('updateWebhook', {
    permission: 'webhooks:write',
    route: 'PATCH /webhooks/{id}',
    summary: 'Update a webhook',
    description:
      'Changes what is given and leaves the rest. While it is disabled nothing is sent, and deliveries whose turn comes meanwhile fail; send them again with `POST /webhooks/deliveries/{id}/redeliver`.',
  })
    .input(UpdateWebhookInput)
    .output(Webhook)
    .mutation(({ ctx, input }) => updateWebhook(ctx.org, input)),

  delete: operation('deleteWebhook', {
    permission: 'webhooks:write',
    route: 'DELETE /webhooks/{id}',
    successStatus: 204,
    summary: 'Delete a webhook',
    description: 'Removes it with its deliveries; what has not been sent yet is not sent any more.',
  })
    .input(WebhookParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteWebhook(ctx.org, input)),

  rotateSecret: operation('rotateWebhookSecret', {
    permission: 'webhooks:write',
    route: 'POST /webhooks/{id}/rotate-secret',
    showsSecret: true,
    summary: 'Replace the secret',
    description:
      'Shows the new secret this once. For 24 hours requests carry a signature with each, the new and the replaced one, so that a receiver can change over at any time.',
    errorResponses: { 409: '4 replaced secrets still sign. Wait until one has expired.' },
  })
    .input(WebhookParams)
    .output(WebhookWithSecret)
    .mutation(({ ctx, input }) => rotateSecret(ctx.org, input)),

  test: operation('testWebhook', {
    permission: 'webhooks:write',
    route: 'POST /webhooks/{id}/test',
    summary: 'Send a test event',
    description:
      'Sends `webhook.test` once, also to a webhook that is disabled or does not subscribe to it. What came of it is in the list of deliveries.',
  })
    .input(WebhookParams)
    .output(WebhookDelivery)
    .mutation(({ ctx, input }) => testWebhook(ctx.org, input)),

  deliveries: operation('listWebhookDeliveries', {
    permission: 'webhooks:read',
    route: 'GET /webhooks/{id}/deliveries',
    summary: 'List deliveries',
    description: 'Newest first unless sorted otherwise, with every attempt and what it was answered. Kept for 30 days.',
  })
    .input(ListDeliveriesInput)
    .output(WebhookDeliveryPage)
    .query(({ ctx, input }) => listDeliveries(ctx.org, input)),

  /**
   * Over tRPC only, and only for roles that configure endpoints: it contains data that other roles see masked
   * elsewhere.
   */
  payload: orgProcedure('webhooks:write')
    .input(DeliveryParams)
    .output(DeliveryPayload)
    .query(({ ctx, input }) => getPayload(ctx.org, input)),

  redeliver: operation('redeliverWebhook', {
    permission: 'webhooks:write',
    route: 'POST /webhooks/deliveries/{id}/redeliver',
    summary: 'Send an event again',
    description:
      'The same event under the same `webhook-id`, at once, and by the whole schedule where it fails. Also while the delivery is pending.',
    errorResponses: { 404: 'Delivery not found.', 409: 'The webhook is disabled. Enable it first.' },
  })
    .input(DeliveryParams)
    .output(WebhookDelivery)
    .mutation(({ ctx, input }) => redeliver(ctx.org, input)),
});
