import type { OrgTx } from '../../db/scope.ts';
import type { CrmCallFacts } from '../../providers/crm/bitrix24-calls.ts';
import { AppError } from '../../lib/errors.ts';
import { hasRoomForRecord, reserveRecord } from '../billing/metering.ts';
import type { Prices } from '../billing/prices.ts';
import { emitEvents } from '../events/service.ts';
import * as records from '../records/service.ts';
import { holdProject } from '../projects/service.ts';
import { newRecordId } from '../records/service.ts';
import { createRecord } from '../intake/service.ts';
import * as queries from './call-queries.ts';
import type { PortalRow } from './queries.ts';
import type { CallKey } from './recording-reference.ts';
import { recordingReference } from './recording-reference.ts';

/** Why a call is no record, in the words that the list of calls shows. */
export type IgnoredBecause =
  | 'MISSED'
  | 'TOO_SHORT'
  | 'INFORMATION_CALL'
  | 'NO_RECORDING'
  | 'NO_PROJECT'
  | 'BUDGET_EXCEEDED'
  | 'PORTAL_UNLINKED'
  | 'PORTAL_SUSPENDED'
  | 'CRM_UNAVAILABLE';

/** What says something of the call itself. All else may be mended: when the call is seen again, it is looked at again. */
const final: string[] = ['MISSED', 'TOO_SHORT', 'INFORMATION_CALL', 'NO_RECORDING'] satisfies IgnoredBecause[];

/** Longer than a month, at whose end every budget begins anew. */
const budgetPatienceMs = 40 * 86_400_000;

type Taking = Pick<PortalRow, 'id' | 'memberId' | 'projectId' | 'durationMinSeconds'>;

/** Null for a call that is wanted, as far as can be told from what is known of it. */
export function reasonToIgnore(
  { kind, isConnected, durationSeconds }: CrmCallFacts,
  portal: Pick<Taking, 'projectId' | 'durationMinSeconds'>,
): IgnoredBecause | null {
  if (portal.projectId === null) return 'NO_PROJECT';
  if (kind === 'information') return 'INFORMATION_CALL';
  if (isConnected === false) return 'MISSED';
  return durationSeconds !== null && durationSeconds < portal.durationMinSeconds ? 'TOO_SHORT' : null;
}

export type Announced = { callId: string; outcome: 'accepted' | 'ignored'; reason: string | null };

/**
 * Writes down calls that a portal told of, each once, and orders the wanted ones to be fetched, in the caller's
 * transaction. Gives those that are new; one that was ignored for a reason that may have gone counts as new.
 */
export async function announceCalls(
  tx: OrgTx,
  portal: Taking,
  { calls, announcedBy }: { calls: CrmCallFacts[]; announcedBy: 'event' | 'reconciliation' },
): Promise<Announced[]> {
  // A statement cannot write the same row twice.
  const unique = [...new Map(calls.map((facts) => [facts.callId, facts])).values()];
  const rows = unique.map((facts) => {
    const { callId, startedAt, durationSeconds } = facts;
    const reason = reasonToIgnore(facts, portal);
    const status = reason === null ? ('waiting' as const) : ('ignored' as const);
    return { callId, startedAt, durationSeconds, status, reason, announcedBy };
  });
  const written = await queries.upsertCalls(tx, portal, { rows, final });
  const wanted = written.filter(({ status }) => status === 'waiting');
  await requestCalls(
    tx,
    wanted.map(({ callId }) => ({ memberId: portal.memberId, callId })),
  );
  return written.map(({ callId, status, reason }) => ({
    callId,
    outcome: status === 'waiting' ? 'accepted' : 'ignored',
    reason,
  }));
}

async function requestCalls(tx: OrgTx, keys: CallKey[]): Promise<void> {
  await emitEvents(
    tx,
    keys.map((data) => ({ type: 'crm.call.requested' as const, data })),
  );
}

/** Whether somebody still waits for the call. */
export async function isCallWaiting(tx: OrgTx, key: CallKey): Promise<boolean> {
  return (await queries.selectCall(tx, key))?.status === 'waiting';
}

/** Leaves a call that was taken as it is. */
export async function ignoreCall(tx: OrgTx, key: CallKey, reason: string): Promise<void> {
  await queries.updateWaitingCall(tx, key, { status: 'ignored', reason });
}

/** A portal tells of a call once, so one that the budget has no room for waits until it has. */
export async function awaitBudget(tx: OrgTx, key: CallKey): Promise<void> {
  await queries.updateWaitingCall(tx, key, { reason: 'BUDGET_EXCEEDED' satisfies IgnoredBecause });
}

/**
 * Orders calls that wait for the budget, the oldest first, once there is room for one; those that have waited for too
 * long are ignored. Gives the number ordered.
 */
export async function resumeCalls(tx: OrgTx, prices: Prices, limit: number): Promise<number> {
  await queries.ignoreCallsAwaitingBudget(tx, { since: new Date(Date.now() - budgetPatienceMs) });
  const calls = await queries.lockCallsAwaitingBudget(tx, limit);
  const [oldest] = calls;
  if (!oldest) return 0;
  const { durationSeconds } = oldest;
  if (!(await hasRoomForRecord(tx, prices, { durationSeconds, needsTranscription: true }))) return 0;
  for (const call of calls) await queries.updateWaitingCall(tx, call, { reason: null });
  await requestCalls(
    tx,
    calls.map(({ memberId, callId }) => ({ memberId, callId })),
  );
  return calls.length;
}

/** Whose call it was, as far as is known. */
export type CallAgent = { userId: string | null; name: string | null };

/**
 * Makes the record, as an ingest does: the pipeline fetches the recording, whose address it asks the portal for at that
 * moment. A call with the same id that came in otherwise is taken for this one. Null where nobody waits for it any more.
 * Throws BUDGET_EXCEEDED.
 */
export async function takeCall(
  tx: OrgTx,
  { projectId, memberId }: { projectId: string; memberId: string },
  { facts, agent, prices }: { facts: CrmCallFacts; agent: CallAgent; prices: Prices },
): Promise<{ recordId: string } | null> {
  const { callId, durationSeconds } = facts;
  const key = { memberId, callId };
  const call = await queries.lockCall(tx, key);
  if (call?.status !== 'waiting') return null;
  // Deleted at this moment: the next look sees that the portal has none.
  if (!(await holdProject(tx, projectId))) throw new AppError('CONFLICT', 'The project was deleted.');
  const known = await records.selectByExternalId(tx, 'bitrix24', callId);
  const recordId = known?.id ?? (await addRecord(tx, { projectId, memberId, facts, agent, prices }));
  await queries.updateWaitingCall(tx, key, { status: 'taken', reason: null, recordId, durationSeconds });
  return { recordId };
}

type NewCallRecord = {
  projectId: string;
  memberId: string;
  facts: CrmCallFacts;
  agent: CallAgent;
  prices: Prices;
};

async function addRecord(tx: OrgTx, { projectId, memberId, facts, agent, prices }: NewCallRecord): Promise<string> {
  const { callId, durationSeconds, kind, phone, startedAt, crm, portalUserId } = facts;
  const reservedCost = await reserveRecord(tx, prices, { durationSeconds, needsTranscription: true });
  const record = {
    id: newRecordId(),
    projectId,
    source: 'bitrix24' as const,
    externalId: callId,
    recordingUrl: recordingReference({ memberId, callId }),
    durationSeconds,
    direction: kind === 'inbound' ? ('inbound' as const) : ('outbound' as const),
    startedAt,
    customerPhone: phone,
    agentName: agent.name,
    agentUserId: agent.userId,
    crm: crm && { ...crm, portal: memberId },
    metadata: portalUserId === null ? {} : { portalUserId },
    reservedCost,
  };
  const receipt = await createRecord(tx, record, null);
  if (!receipt) throw new AppError('CONFLICT', 'The same call came in at this moment.');
  return receipt.id;
}
