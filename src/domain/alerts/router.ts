import { z } from 'zod';
import { operationsOf, router } from '../../trpc/procedures.ts';
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

const operation = operationsOf('Alerts', examples);

export const alertsRouter = router({
  list: operation('listAlerts', {
    permission: 'alerts:read',
    route: 'GET /alerts',
    mcp: { title: 'List alert rules' },
    summary: 'List alert rules',
    description:
      'Oldest first unless sorted otherwise: those of the projects that you may see, and those for all projects.',
  })
    .input(ListAlertsInput)
    .output(AlertPage)
    .query(({ ctx, input }) => listAlerts(ctx.org, input)),

  create: operation('createAlert', {
    permission: 'alerts:write',
    route: 'POST /alerts',
    successStatus: 201,
    summary: 'Create an alert rule',
    description:
      'Held against every analysis that becomes current from now on, and again where a review changes its scores: then it fires if the review makes its condition true, not if that was true before. Fires once for a version of an analysis. A value that a call does not have meets no condition. A category has to be one of the profile of the project or, for all projects, of any profile.',
    errorResponses: { 404: 'Project not found.' },
  })
    .input(CreateAlertInput)
    .output(Alert)
    .mutation(({ ctx, input }) => createAlert(ctx.org, input)),

  get: operation('getAlert', {
    permission: 'alerts:read',
    route: 'GET /alerts/{id}',
    summary: 'Get an alert rule',
    description: 'The rule, how often it has fired and when last.',
  })
    .input(AlertParams)
    .output(Alert)
    .query(({ ctx, input }) => getAlert(ctx.org, input)),

  update: operation('updateAlert', {
    permission: 'alerts:write',
    route: 'PATCH /alerts/{id}',
    summary: 'Update an alert rule',
    description: 'Changes what is given and leaves the rest; a condition is replaced as a whole.',
  })
    .input(UpdateAlertInput)
    .output(Alert)
    .mutation(({ ctx, input }) => updateAlert(ctx.org, input)),

  delete: operation('deleteAlert', {
    permission: 'alerts:write',
    route: 'DELETE /alerts/{id}',
    successStatus: 204,
    summary: 'Delete an alert rule',
    description: 'Removes the rule and the list of its firings.',
  })
    .input(AlertParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteAlert(ctx.org, input)),

  events: operation('listAlertEvents', {
    permission: 'alerts:read',
    route: 'GET /alerts/{id}/events',
    mcp: { title: 'List the firings of an alert rule' },
    summary: 'List the firings of an alert rule',
    description: 'Newest first unless sorted otherwise, on calls that you may see.',
  })
    .input(ListAlertEventsInput)
    .output(AlertEventPage)
    .query(({ ctx, input }) => listAlertEvents(ctx.org, input)),
});
