import type { Role } from '../../src/model/role.ts';
import type { Operation } from './operations.ts';

const everyone: readonly Role[] = ['owner', 'admin', 'supervisor', 'reviewer', 'agent'];
const managers: readonly Role[] = ['owner', 'admin'];

/** What processing costs, and search. Every organization but the selected one is refused in the same words. */
export const billingOperations: Operation[] = [
  {
    name: 'search',
    rest: 'GET /search',
    rpc: 'search.query',
    roles: everyone,
    input: ({ projectId }) => ({ q: 'hello', projectId }),
    own: 200,
    missing: 200,
  },
  {
    name: 'read the usage of the month',
    rest: 'GET /billing/summary/{orgId}',
    rpc: 'billing.summary',
    roles: managers,
    input: ({ orgId }) => ({ orgId }),
    own: 200,
    missing: 403,
  },
  {
    name: 'read usage',
    rest: 'GET /billing/usage/{orgId}',
    rpc: 'billing.usage',
    roles: managers,
    input: ({ orgId }) => ({ orgId, groupBy: 'project' }),
    own: 200,
    missing: 403,
  },
  {
    name: 'list credits',
    rest: 'GET /billing/credits/{orgId}',
    rpc: 'billing.credits',
    roles: managers,
    input: ({ orgId }) => ({ orgId }),
    own: 200,
    missing: 403,
  },
  { name: 'read the prices', rpc: 'billing.prices', roles: managers, input: () => ({}), own: 200 },
  {
    name: 'change the budget',
    rest: 'PATCH /billing/budget/{orgId}',
    rpc: 'billing.updateBudget',
    roles: ['owner'],
    input: ({ orgId }) => ({ orgId, budgetLimit: null }),
    own: 200,
    missing: 403,
  },
];
