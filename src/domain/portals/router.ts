import { z } from 'zod';
import { orgProcedure, router } from '../../trpc/procedures.ts';
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

const tags = ['Integrations'];
const base = '/integrations/bitrix24';

export const portalsRouter = router({
  list: orgProcedure('portals:read')
    .meta({
      examples: examples.listPortals,
      openapi: {
        method: 'GET',
        path: `${base}/portals`,
        operationId: 'listPortals',
        tags,
        summary: 'List the linked portals',
        description: 'Oldest first unless sorted otherwise, with what is taken from them and whether they give access.',
      },
    })
    .input(ListPortalsInput)
    .output(PortalPage)
    .query(({ ctx, input }) => listPortals(ctx.org, input)),

  link: orgProcedure('portals:write')
    .meta({
      successStatus: 201,
      examples: examples.linkPortal,
      openapi: {
        method: 'POST',
        path: `${base}/portals`,
        operationId: 'linkPortal',
        tags,
        summary: 'Link a portal',
        description:
          'An administrator of the portal opens the app there and is shown a code; with it, the portal sends the calls ' +
          'that begin from now on to the project, and whoever opens the app there belongs to the organization.',
        errorResponses: {
          404: 'Project not found.',
          409: 'This portal is linked already.',
          422: 'The code has expired or was used, or the portal has another domain.',
        },
      },
    })
    .input(LinkPortalInput)
    .output(Portal)
    .mutation(({ ctx, input }) => linkPortal({ ...ctx.org, installations: ctx.services.installations }, input)),

  get: orgProcedure('portals:read')
    .meta({
      examples: examples.getPortal,
      openapi: {
        method: 'GET',
        path: `${base}/portals/{id}`,
        operationId: 'getPortal',
        tags,
        summary: 'Get a portal',
        description: 'What is taken from the portal, what it is told, and whether it gives access.',
      },
    })
    .input(PortalParams)
    .output(Portal)
    .query(({ ctx, input }) => getPortal(ctx.org, input)),

  update: orgProcedure('portals:write')
    .meta({
      examples: examples.updatePortal,
      openapi: {
        method: 'PATCH',
        path: `${base}/portals/{id}`,
        operationId: 'updatePortal',
        tags,
        summary: 'Update a portal',
        description: 'Changes what is given and leaves the rest. Calls that were taken stay in their project.',
      },
    })
    .input(UpdatePortalInput)
    .output(Portal)
    .mutation(({ ctx, input }) => updatePortal(ctx.org, input)),

  unlink: orgProcedure('portals:write')
    .meta({
      successStatus: 204,
      examples: examples.unlinkPortal,
      openapi: {
        method: 'DELETE',
        path: `${base}/portals/{id}`,
        operationId: 'unlinkPortal',
        tags,
        summary: 'Unlink a portal',
        description:
          'No further calls are taken, nothing is written back, and its people are signed out of its frames.',
      },
    })
    .input(PortalParams)
    .output(z.void())
    .mutation(({ ctx, input }) => unlinkPortal({ ...ctx.org, installations: ctx.services.installations }, input)),

  calls: orgProcedure('portals:read')
    .meta({
      examples: examples.listCrmCalls,
      openapi: {
        method: 'GET',
        path: `${base}/calls`,
        operationId: 'listCrmCalls',
        tags,
        summary: 'List the calls of portals',
        description:
          'Newest first unless sorted otherwise: every call that a portal told of, and why the ones that are no records were ignored.',
      },
    })
    .input(ListCrmCallsInput)
    .output(CrmCallPage)
    .query(({ ctx, input }) => listCrmCalls(ctx.org, input)),
});
