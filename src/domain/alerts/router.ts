import { z } from 'zod';
import { orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import {
  Alert,
  AlertEventPage,
  AlertPage,
  AlertParams,
  CreateAlertInput,
  ListAlertEventsInput,
  ListAlertsInput,
  UpdateAlertInput,
} from './schemas.ts';
import { createAlert, deleteAlert, getAlert, listAlertEvents, listAlerts, updateAlert } from './service.ts';

const tags = ['Alerts'];

export const alertsRouter = router({
  list: orgProcedure('alerts:read')
    .meta({
      examples: examples.listAlerts,
      openapi: {
        method: 'GET',
        path: '/alerts',
        operationId: 'listAlerts',
        tags,
        summary: 'List alert rules',
        description:
          'Oldest first unless sorted otherwise: those of the projects that you may see, and those for all projects.',
      },
    })
    .input(ListAlertsInput)
    .output(AlertPage)
    .query(({ ctx, input }) => listAlerts(ctx.org, input)),

  create: orgProcedure('alerts:write')
    .meta({
      successStatus: 201,
      examples: examples.createAlert,
      openapi: {
        method: 'POST',
        path: '/alerts',
        operationId: 'createAlert',
        tags,
        summary: 'Create an alert rule',
        description:
          'Held against every analysis that becomes current from now on, and again where a review changes its scores: then it fires if the review makes its condition true, not if that was true before. Fires once for a version of an analysis. A value that a call does not have meets no condition. A category has to be one of the profile of the project or, for all projects, of any profile.',
        errorResponses: { 404: 'Project not found.' },
      },
    })
    .input(CreateAlertInput)
    .output(Alert)
    .mutation(({ ctx, input }) => createAlert(ctx.org, input)),

  get: orgProcedure('alerts:read')
    .meta({
      examples: examples.getAlert,
      openapi: {
        method: 'GET',
        path: '/alerts/{id}',
        operationId: 'getAlert',
        tags,
        summary: 'Get an alert rule',
        description: 'The rule, how often it has fired and when last.',
      },
    })
    .input(AlertParams)
    .output(Alert)
    .query(({ ctx, input }) => getAlert(ctx.org, input)),

  update: orgProcedure('alerts:write')
    .meta({
      examples: examples.updateAlert,
      openapi: {
        method: 'PATCH',
        path: '/alerts/{id}',
        operationId: 'updateAlert',
        tags,
        summary: 'Update an alert rule',
        description: 'Changes what is given and leaves the rest; a condition is replaced as a whole.',
      },
    })
    .input(UpdateAlertInput)
    .output(Alert)
    .mutation(({ ctx, input }) => updateAlert(ctx.org, input)),

  delete: orgProcedure('alerts:write')
    .meta({
      successStatus: 204,
      examples: examples.deleteAlert,
      openapi: {
        method: 'DELETE',
        path: '/alerts/{id}',
        operationId: 'deleteAlert',
        tags,
        summary: 'Delete an alert rule',
        description: 'Removes the rule and the list of its firings.',
      },
    })
    .input(AlertParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteAlert(ctx.org, input)),

  events: orgProcedure('alerts:read')
    .meta({
      examples: examples.listAlertEvents,
      openapi: {
        method: 'GET',
        path: '/alerts/{id}/events',
        operationId: 'listAlertEvents',
        tags,
        summary: 'List the firings of an alert rule',
        description: 'Newest first unless sorted otherwise, on calls that you may see.',
      },
    })
    .input(ListAlertEventsInput)
    .output(AlertEventPage)
    .query(({ ctx, input }) => listAlertEvents(ctx.org, input)),
});
