import { visibilityOf } from '../../auth/principal.ts';
import { notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import type { OrgContext } from '../context.ts';
import { requireProject } from '../records/service.ts';
import * as queries from './queries.ts';
import type {
  Alert,
  AlertEvent,
  CreateAlertInput,
  ListAlertEventsInput,
  ListAlertsInput,
  UpdateAlertInput,
} from './schemas.ts';

/** Oldest first. A membership limited to projects sees the rules of those, and the ones for all projects. */
export async function listAlerts({ db, actor }: OrgContext, input: ListAlertsInput): Promise<Page<Alert>> {
  const { projectId, enabled } = input;
  const filter = { projectId, enabled, visibility: visibilityOf(actor) };
  const [rows, total] = await db.withOrg(actor.orgId, (tx) =>
    Promise.all([queries.selectAlerts(tx, filter, input), queries.countAlerts(tx, filter)]),
  );
  return toPage(rows.map(toAlert), total, input);
}

export async function getAlert({ db, actor }: OrgContext, { id }: { id: string }): Promise<Alert> {
  const row = await db.withOrg(actor.orgId, (tx) => queries.selectAlert(tx, id, visibilityOf(actor)));
  if (!row) throw notFound('Alert');
  return toAlert(row);
}

/** Throws NOT_FOUND for an unknown project. */
export async function createAlert({ db, actor }: OrgContext, input: CreateAlertInput): Promise<Alert> {
  const { condition, ...fields } = input;
  const row = await db.withOrg(actor.orgId, async (tx) => {
    if (input.projectId !== null) await requireProject(tx, actor, input.projectId);
    return queries.insertAlert(tx, { id: newId('alert'), ...fields, ...condition });
  });
  return toAlert(row);
}

/** Changes what is given and leaves the rest; a condition is replaced as a whole. Throws NOT_FOUND. */
export async function updateAlert({ db, actor }: OrgContext, input: UpdateAlertInput): Promise<Alert> {
  const { id, condition, ...fields } = input;
  const row = await db.withOrg(actor.orgId, async (tx) => {
    if (!(await queries.selectAlert(tx, id, visibilityOf(actor)))) throw notFound('Alert');
    if (typeof input.projectId === 'string') await requireProject(tx, actor, input.projectId);
    return queries.updateAlert(tx, id, { ...fields, ...condition });
  });
  if (!row) throw notFound('Alert');
  return toAlert(row);
}

/** Takes its firings along. */
export async function deleteAlert({ db, actor }: OrgContext, { id }: { id: string }): Promise<void> {
  if (!(await db.withOrg(actor.orgId, (tx) => queries.deleteAlert(tx, id)))) throw notFound('Alert');
}

/** Newest first, on calls that the actor may see. */
export async function listAlertEvents(
  { db, actor }: OrgContext,
  input: ListAlertEventsInput,
): Promise<Page<AlertEvent>> {
  const visibility = visibilityOf(actor);
  const filter = { alertId: input.id, visibility };
  const [alert, rows, total] = await db.withOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectAlert(tx, input.id, visibility),
      queries.selectAlertEvents(tx, filter, input),
      queries.countAlertEvents(tx, filter),
    ]),
  );
  if (!alert) throw notFound('Alert');
  return toPage(rows.map(toAlertEvent), total, input);
}

function toAlert({ orgId: _orgId, field, operator, value, ...row }: queries.AlertRow): Alert {
  return { ...row, condition: { field, operator, value } };
}

function toAlertEvent({ orgId: _orgId, field, operator, threshold, ...row }: queries.AlertEventRow): AlertEvent {
  return { ...row, condition: { field, operator, value: threshold } };
}
