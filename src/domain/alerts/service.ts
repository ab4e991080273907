import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { hasChanges } from '../../lib/changes.ts';
import { notFound, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { nearestName } from '../../lib/nearest-name.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import type { OrgContext } from '../context.ts';
import { requireProject } from '../projects/service.ts';
import { categoryOf, isImpossibleShare, type AlertCondition } from './condition.ts';
import * as queries from './queries.ts';
import type {
  Alert,
  AlertEvent,
  CreateAlertInput,
  ListAlertEventsInput,
  ListAlertsInput,
  UpdateAlertInput,
} from './schemas.ts';

export { evaluateAlerts } from './evaluate.ts';

/** Oldest first by default. A membership limited to projects sees their rules and those for all projects. */
export async function listAlerts({ db, actor }: OrgContext, input: ListAlertsInput): Promise<Page<Alert>> {
  const [rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all(queries.selectAlerts(tx, { ...input, visibility: visibilityOf(actor) })),
  );
  return toPage(rows.map(toAlert), total, input);
}

export async function getAlert({ db, actor }: OrgContext, { id }: { id: string }): Promise<Alert> {
  const row = await db.findInOrg(actor.orgId, (tx) => queries.selectAlert(tx, id, visibilityOf(actor)));
  if (!row) throw notFound('Alert');
  return toAlert(row);
}

/** Throws NOT_FOUND for an unknown project, VALIDATION_ERROR for a category that no call can have. */
export async function createAlert({ db, actor }: OrgContext, input: CreateAlertInput): Promise<Alert> {
  const { name, projectId, condition, actions, recipients, enabled, severity, cooldownSeconds } = input;
  requirePossible(condition);
  const { field, operator, value } = condition;
  const looks = { name, actions, recipients, enabled, severity, cooldownSeconds };
  const row = await db.withOrg(actor.orgId, async (tx) => {
    if (projectId !== null) await requireProject(tx, actor, projectId);
    await requireCategory(tx, { field, projectId, path: 'condition.field' });
    return queries.insertAlert(tx, { id: newId('alert'), projectId, field, operator, value, ...looks });
  });
  return toAlert(row);
}

/**
 * Changes the given fields; a condition is replaced as a whole. Throws NOT_FOUND, or VALIDATION_ERROR if the rule would
 * then have a category that no call can have.
 */
export async function updateAlert({ db, actor }: OrgContext, input: UpdateAlertInput): Promise<Alert> {
  const { id, name, projectId, condition, actions, recipients, enabled, severity, cooldownSeconds } = input;
  if (condition) requirePossible(condition);
  const { field, operator, value } = condition ?? {};
  const looks = { name, actions, recipients, enabled, severity, cooldownSeconds };
  const changes = { projectId, field, operator, value, ...looks };
  const row = await db.withOrg(actor.orgId, async (tx) => {
    const visibility = visibilityOf(actor);
    if (typeof projectId === 'string' && (await queries.selectAlert(tx, id, visibility))) {
      await requireProject(tx, actor, projectId);
    }
    const present = await queries.lockAlert(tx, id, visibility);
    if (!present || !hasChanges(changes)) return present;
    if (condition !== undefined || projectId !== undefined) {
      const path = condition ? 'condition.field' : 'projectId';
      const scope = projectId === undefined ? present.projectId : projectId;
      await requireCategory(tx, { field: field ?? present.field, projectId: scope, path });
    }
    return queries.updateAlert(tx, id, changes);
  });
  if (!row) throw notFound('Alert');
  return toAlert(row);
}

/** Rules of older releases may have such values; they stay as they are. */
function requirePossible(condition: AlertCondition): void {
  if (!isImpossibleShare(condition)) return;
  throw validationError('condition.value', `\`${condition.field}\` is a number from 0 to 1: 0.6 for 60 %.`);
}

type Watched = { field: string; projectId: string | null; path: string };

/** A rule on a category that none of its profiles has would never fire, and nobody would know why. */
async function requireCategory(tx: OrgTx, { field, projectId, path }: Watched): Promise<void> {
  const key = categoryOf(field);
  if (key === null) return;
  const known = await queries.selectCategories(tx, projectId);
  if (known.includes(key)) return;
  const whose = projectId === null ? 'No profile of the organization' : 'The profile of the project';
  const nearest = nearestName(key, known);
  const hint = nearest === undefined ? `Expected one of ${known.join(', ')}.` : `Did you mean \`${nearest}\`?`;
  throw validationError(path, `${whose} has${projectId === null ? ' the' : ' no'} category \`${key}\`. ${hint}`);
}

/** Deletes its firings too. */
export async function deleteAlert({ db, actor }: OrgContext, { id }: { id: string }): Promise<void> {
  if (!(await db.withOrg(actor.orgId, (tx) => queries.deleteAlert(tx, id)))) throw notFound('Alert');
}

/** Firings on calls that the actor may see, newest first by default. */
export async function listAlertEvents(
  { db, actor }: OrgContext,
  input: ListAlertEventsInput,
): Promise<Page<AlertEvent>> {
  const visibility = visibilityOf(actor);
  const [alert, rows, total] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectAlert(tx, input.id, visibility),
      ...queries.selectAlertEvents(tx, { ...input, alertId: input.id, visibility }),
    ]),
  );
  if (!alert) throw notFound('Alert');
  const keys = rows.map(({ id, triggeredAt }) => ({ id, triggeredAt, createdAt: triggeredAt }));
  return toPage(rows.map(toAlertEvent), total, input, keys);
}

function toAlert({ orgId: _orgId, field, operator, value, ...row }: queries.AlertRow): Alert {
  return { ...row, condition: { field, operator, value } };
}

function toAlertEvent({ orgId: _orgId, field, operator, threshold, ...row }: queries.AlertEventRow): AlertEvent {
  return { ...row, condition: { field, operator, value: threshold } };
}
