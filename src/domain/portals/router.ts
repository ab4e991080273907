import { z } from 'zod';
import { operationsOf, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import {
  CrmCallPage,
  LinkPortalInput,
  ListCrmCallsInput,
  ListPortalsInput,
  Portal,
  PortalPage,
  PortalParams,
  UpdatePortalInput,
} from './schemas.ts';
import { getPortal, linkPortal, listCrmCalls, listPortals, unlinkPortal, updatePortal } from './service.ts';

const operation = operationsOf('Integrations', examples);
const base = '/integrations/bitrix24';

export const portalsRouter = router({
  list: operation('listPortals', {
    permission: 'portals:read',
    route: `GET ${base}/portals`,
    summary: 'List the linked portals',
    description: 'Oldest first unless sorted otherwise, with what is taken from them and whether they give access.',
  })
    .input(ListPortalsInput)
    .output(PortalPage)
    .query(({ ctx, input }) => listPortals(ctx.org, input)),

  link: operation('linkPortal', {
    permission: 'portals:write',
    route: `POST ${base}/portals`,
    successStatus: 201,
    summary: 'Link a portal',
    description:
      'An administrator of the portal opens the app there and is shown a code; with it, the portal sends the calls ' +
      'that begin from now on to the project, and whoever opens the app there belongs to the organization.',
    errorResponses: {
      404: 'Project not found.',
      409: 'This portal is linked already.',
      422: 'The code has expired or was used, or the portal has another domain.',
    },
  })
    .input(LinkPortalInput)
    .output(Portal)
    .mutation(({ ctx, input }) => linkPortal({ ...ctx.org, installations: ctx.services.installations }, input)),

  get: operation('getPortal', {
    permission: 'portals:read',
    route: `GET ${base}/portals/{id}`,
    summary: 'Get a portal',
    description: 'What is taken from the portal, what it is told, and whether it gives access.',
  })
    .input(PortalParams)
    .output(Portal)
    .query(({ ctx, input }) => getPortal(ctx.org, input)),

  update: operation('updatePortal', {
    permission: 'portals:write',
    route: `PATCH ${base}/portals/{id}`,
    summary: 'Update a portal',
    description: 'Changes what is given and leaves the rest. Calls that were taken stay in their project.',
  })
    .input(UpdatePortalInput)
    .output(Portal)
    .mutation(({ ctx, input }) => updatePortal(ctx.org, input)),

  unlink: operation('unlinkPortal', {
    permission: 'portals:write',
    route: `DELETE ${base}/portals/{id}`,
    successStatus: 204,
    summary: 'Unlink a portal',
    description: 'No further calls are taken, nothing is written back, and its people are signed out of its frames.',
  })
    .input(PortalParams)
    .output(z.void())
    .mutation(({ ctx, input }) => unlinkPortal({ ...ctx.org, installations: ctx.services.installations }, input)),

  calls: operation('listCrmCalls', {
    permission: 'portals:read',
    route: `GET ${base}/calls`,
    summary: 'List the calls of portals',
    description:
      'Newest first unless sorted otherwise: every call that a portal told of, and why the ones that are no records were ignored.',
  })
    .input(ListCrmCallsInput)
    .output(CrmCallPage)
    .query(({ ctx, input }) => listCrmCalls(ctx.org, input)),
});
