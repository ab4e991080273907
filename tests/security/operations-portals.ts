import type { Role } from '../../src/model/role.ts';
import type { Operation } from './operations.ts';

const managers: readonly Role[] = ['owner', 'admin'];

/** CRM portals, which their managers alone have to do with. */
export const portalOperations: Operation[] = [
  {
    name: 'list portals',
    rest: 'GET /integrations/bitrix24/portals',
    rpc: 'portals.list',
    roles: managers,
    input: () => ({}),
    own: 200,
  },
  {
    name: 'link a portal',
    rest: 'POST /integrations/bitrix24/portals',
    rpc: 'portals.link',
    roles: managers,
    input: ({ projectId }) => ({ domain: 'acme.bitrix24.com', code: 'AAAA-AAAA', projectId }),
    // Nobody was shown that code; what is missing is another matter.
    own: 422,
    missing: 404,
  },
  {
    name: 'get a portal',
    rest: 'GET /integrations/bitrix24/portals/{id}',
    rpc: 'portals.get',
    roles: managers,
    input: ({ portalId }) => ({ id: portalId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'update a portal',
    rest: 'PATCH /integrations/bitrix24/portals/{id}',
    rpc: 'portals.update',
    roles: managers,
    input: ({ portalId, projectId }) => ({ id: portalId, projectId }),
    own: 200,
    missing: 404,
  },
  {
    name: 'unlink a portal',
    rest: 'DELETE /integrations/bitrix24/portals/{id}',
    rpc: 'portals.unlink',
    roles: managers,
    input: ({ portalId }) => ({ id: portalId }),
    own: 204,
    missing: 404,
  },
  {
    name: 'list the calls of portals',
    rest: 'GET /integrations/bitrix24/calls',
    rpc: 'portals.calls',
    roles: managers,
    input: ({ portalId }) => ({ portalId }),
    own: 200,
    missing: 200,
  },
];
