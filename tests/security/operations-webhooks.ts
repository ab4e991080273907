import type { Role } from '../../src/model/role.ts';
import type { Operation } from './operations.ts';

const listeners: readonly Role[] = ['owner', 'admin', 'supervisor', 'reviewer'];
const managers: readonly Role[] = ['owner', 'admin'];

/** A public address that nobody calls: the pipeline does not run beside the matrices. */
export const endpointUrl = 'https://hooks.example.com/earshot';

/** Addresses that events are sent to. */
export const webhookOperations: Operation[] = [
  { name: 'list webhooks', rest: 'GET /webhooks', rpc: 'webhooks.list', roles: listeners, input: () => ({}), own: 200 },
  {
    name: 'create a webhook',
    rest: 'POST /webhooks',
    rpc: 'webhooks.create',
    roles: managers,
    input: () => ({ url: endpointUrl, events: ['record.completed'] }),
    own: 201,
  },
  {
    name: 'get a webhook',
    rest: 'GET /webhooks/{id}',
    rpc: 'webhooks.get',
    roles: listeners,
    input: ({ webhookId }) => ({ id: webhookId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'update a webhook',
    rest: 'PATCH /webhooks/{id}',
    rpc: 'webhooks.update',
    roles: managers,
    input: ({ webhookId }) => ({ id: webhookId, enabled: true }),
    own: 200,
    missing: 404,
  },
  {
    name: 'delete a webhook',
    rest: 'DELETE /webhooks/{id}',
    rpc: 'webhooks.delete',
    roles: managers,
    input: ({ webhookId }) => ({ id: webhookId }),
    own: 204,
    missing: 404,
  },
  {
    name: 'replace the secret of a webhook',
    rest: 'POST /webhooks/{id}/rotate-secret',
    rpc: 'webhooks.rotateSecret',
    roles: managers,
    input: ({ webhookId }) => ({ id: webhookId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'test a webhook',
    rest: 'POST /webhooks/{id}/test',
    rpc: 'webhooks.test',
    roles: managers,
    input: ({ webhookId }) => ({ id: webhookId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'list the deliveries of a webhook',
    rest: 'GET /webhooks/{id}/deliveries',
    rpc: 'webhooks.deliveries',
    roles: listeners,
    input: ({ webhookId }) => ({ id: webhookId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'read what is sent',
    rpc: 'webhooks.payload',
    roles: managers,
    input: ({ deliveryId }) => ({ id: deliveryId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'send an event again',
    rest: 'POST /webhooks/deliveries/{id}/redeliver',
    rpc: 'webhooks.redeliver',
    roles: managers,
    input: ({ deliveryId }) => ({ id: deliveryId }),
    own: 200,
    missing: 404,
  },
];
