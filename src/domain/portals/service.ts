import { hasChanges } from '../../lib/changes.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page } from '../../lib/paging.ts';
import type { OrgTx } from '../../db/scope.ts';
import type { OrgContext } from '../context.ts';
import { newEvent, emitEvents } from '../events/service.ts';
import { requireProject } from '../projects/service.ts';
import { removePortal } from './remove-portal.ts';
import type { Installations } from './installations.ts';
import * as queries from './queries.ts';
import type {
  CrmCall,
  LinkPortalInput,
  ListCrmCallsInput,
  ListPortalsInput,
  Portal,
  UpdatePortalInput,
} from './schemas.ts';

export { selectOrgsWithPortals, selectPortalMember, selectPortalsToReconcile } from './installation-queries.ts';
export { savePortal, selectPortalByMember, type PortalRow } from './queries.ts';
export { createCrmAccess, type CrmAccess } from './access.ts';
export { resealTokens } from './credentials.ts';
export { createEventReceiver, type PortalEvent, type ReceiveEvent } from './events.ts';
export { createInstallations, type GivenInstallation, type Installations, type LinkOffer } from './installations.ts';
export { originOf } from './origin.ts';
export {
  announceCalls,
  awaitBudget,
  type CallAgent,
  ignoreCall,
  type IgnoredBecause,
  isCallWaiting,
  reasonToIgnore,
  resumeCalls,
  takeCall,
} from './calls.ts';
export { parseRecordingReference } from './recording-reference.ts';
export {
  abandonReports,
  beginReport,
  endReport,
  planReport,
  readUtterances,
  type ReportKind,
  type ReportPlan,
} from './reports.ts';

type PortalContext = OrgContext & { installations: Installations };

/** Oldest first by default. */
export async function listPortals({ db, actor }: OrgContext, input: ListPortalsInput): Promise<Page<Portal>> {
  const [rows, total] = await db.readOrg(actor.orgId, (tx) => Promise.all(queries.selectPortals(tx, input)));
  return toPage(rows.map(toPortal), total, input);
}

export async function getPortal({ db, actor }: OrgContext, { id }: { id: string }): Promise<Portal> {
  const row = await db.findInOrg(actor.orgId, (tx) => queries.selectPortal(tx, id));
  if (!row) throw notFound('Portal');
  return toPortal(row);
}

/**
 * Links a portal with the code that its administrator was shown: both sides must agree. Throws NOT_FOUND for the
 * project, UNPROCESSABLE for a wrong code, CONFLICT if the portal is linked already.
 */
export async function linkPortal(context: PortalContext, input: LinkPortalInput): Promise<Portal> {
  const { db, actor, installations } = context;
  const { domain, code, projectId } = input;
  await db.withOrg(actor.orgId, (tx) => requireProject(tx, actor, projectId));
  const memberId = await installations.findByCode({ domain, code });
  if (memberId === undefined) throw badCode();
  const row = await db.withOrg(actor.orgId, async (tx) => {
    await requireProject(tx, actor, projectId);
    const given = { id: newId('portal'), memberId, domain, projectId, ...toColumns(input.settings) };
    const portal = await queries.insertPortal(tx, given);
    if (!portal) throw new AppError('CONFLICT', 'This portal is linked already.');
    await requestReconciliation(tx, memberId);
    return portal;
  });
  await db.afterCommit(async () => void (await installations.spendCode(memberId, code)));
  return toPortal(row);
}

/** Changes the given fields. Throws NOT_FOUND, for the project as well. */
export async function updatePortal({ db, actor }: OrgContext, input: UpdatePortalInput): Promise<Portal> {
  const { id, projectId, settings } = input;
  const row = await db.withOrg(actor.orgId, async (tx) => {
    const portal = await queries.selectPortal(tx, id);
    if (!portal) throw notFound('Portal');
    if (projectId !== undefined) await requireProject(tx, actor, projectId);
    // Calls from the time without a project are not taken afterwards.
    const isFirstProject = portal.projectId === null && projectId !== undefined;
    const changes = {
      ...toColumns(settings),
      ...(projectId === undefined ? {} : { projectId }),
      ...(isFirstProject ? { reconcileFrom: new Date() } : {}),
    };
    if (!hasChanges(changes)) return portal;
    if (isFirstProject) await requestReconciliation(tx, portal.memberId);
    return queries.savePortal(tx, portal.memberId, changes);
  });
  if (!row) throw notFound('Portal');
  return toPortal(row);
}

/** Signs its people out and deletes its tokens. Records stay. */
export async function unlinkPortal({ db, actor, installations }: PortalContext, { id }: { id: string }): Promise<void> {
  const memberId = await db.withOrg(actor.orgId, async (tx) => {
    const portal = await queries.selectPortal(tx, id);
    if (!portal || !(await removePortal(tx, portal))) throw notFound('Portal');
    return portal.memberId;
  });
  await db.afterCommit(() => installations.forgetTokens(memberId));
}

/** Has the pipeline reconcile the portal soon: where it sends events, and which calls it has. */
export async function requestReconciliation(tx: OrgTx, memberId: string): Promise<void> {
  await emitEvents(tx, [newEvent('crm.portal.reconcile.requested', { memberId })]);
}

export async function listCrmCalls({ db, actor }: OrgContext, input: ListCrmCallsInput): Promise<Page<CrmCall>> {
  const [rows, total] = await db.readOrg(actor.orgId, (tx) => Promise.all(queries.selectCrmCalls(tx, input)));
  const keys = rows.map(({ callId, createdAt }) => ({ id: callId, createdAt }));
  return toPage(rows.map(toCrmCall), total, input, keys);
}

function toColumns(settings: UpdatePortalInput['settings']): Partial<queries.NewPortal> {
  const { durationMinSeconds, writeBack = {} } = settings ?? {};
  return {
    ...(durationMinSeconds === undefined ? {} : { durationMinSeconds }),
    ...(writeBack.transcript === undefined ? {} : { sendsTranscript: writeBack.transcript }),
    ...(writeBack.comment === undefined ? {} : { sendsComment: writeBack.comment }),
  };
}

function toPortal(row: queries.PortalRow): Portal {
  const { id, memberId, domain, projectId, status, reconciledAt, createdAt, updatedAt } = row;
  const { durationMinSeconds, sendsTranscript: transcript, sendsComment: comment } = row;
  const suspension =
    row.suspendedReason === null || row.suspendedAt === null
      ? null
      : { reason: row.suspendedReason, since: row.suspendedAt };
  const settings = { durationMinSeconds, writeBack: { transcript, comment } };
  return { id, memberId, domain, projectId, settings, status, suspension, reconciledAt, createdAt, updatedAt };
}

function toCrmCall({ orgId: _orgId, memberId: _memberId, durationSeconds, ...row }: queries.CrmCallRow): CrmCall {
  return { ...row, duration: durationSeconds };
}

function badCode(): AppError {
  return new AppError('UNPROCESSABLE', 'The code has expired or was used, or the portal has another domain.');
}
