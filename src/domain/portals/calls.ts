import type { OrgTx } from '../../db/scope.ts';
import type { CrmCallFacts } from '../../providers/crm/bitrix24-calls.ts';
import { AppError } from '../../lib/errors.ts';
import { hasRoomForRecord, reserveRecord } from '../billing/metering.ts';
import type { Prices } from '../billing/prices.ts';
import { newEvent, emitEvents } from '../events/service.ts';
import * as records from '../records/service.ts';
import { holdProject } from '../projects/service.ts';
import { createRecord } from '../intake/service.ts';
import * as queries from './call-queries.ts';
import type { PortalRow } from './queries.ts';
import { recordingReference, type CallKey } from './recording-reference.ts';

/** Why a call did not become a record, as shown in the list of calls. */
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

/** Reasons that lie in the call itself. All others may be fixed, so a call that is seen again is checked again. */
const finalReasons: string[] = ['MISSED', 'TOO_SHORT', 'INFORMATION_CALL', 'NO_RECORDING'] satisfies IgnoredBecause[];

/** More than a month, as budgets start anew each month. */
const budgetPatienceMs = 40 * 86_400_000;

type Taking = Pick<PortalRow, 'id' | 'memberId' | 'projectId' | 'durationMinSeconds'>;

/** Null if the call is wanted, as far as its known data shows. */
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
 * Stores calls that a portal announced, each once, and orders the wanted ones to be fetched, in the caller's
 * transaction. Returns the new ones; a call that was ignored for a reason that may have passed counts as new.
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
  const written = await queries.upsertCalls(tx, portal, { rows, final: finalReasons });
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
    keys.map((key) => newEvent('crm.call.requested', key)),
  );
}

/** Whether the call is still wanted. */
export async function isCallWaiting(tx: OrgTx, key: CallKey): Promise<boolean> {
  return (await queries.selectCall(tx, key))?.status === 'waiting';
}

/** Leaves a call unchanged if it was taken already. */
export async function ignoreCall(tx: OrgTx, key: CallKey, reason: string): Promise<void> {
  await queries.updateWaitingCall(tx, key, { status: 'ignored', reason });
}

/** A portal announces a call only once, so one that exceeds the budget waits until there is room. */
export async function awaitBudget(tx: OrgTx, key: CallKey): Promise<void> {
  await queries.updateWaitingCall(tx, key, { reason: 'BUDGET_EXCEEDED' satisfies IgnoredBecause });
}

/**
 * Orders calls that wait for the budget, oldest first, once there is room for one. Calls that have waited too long are
 * ignored. Returns the number ordered.
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

/** The agent of the call, as far as known. */
export type CallAgent = { userId: string | null; name: string | null };

/**
 * Creates the record, like an ingest: the pipeline then asks the portal for the recording's address and fetches it. A
 * call with the same id that arrived in another way counts as this one. Null if the call is no longer wanted. Throws
 * BUDGET_EXCEEDED.
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
  // It was deleted at this moment: the next attempt sees that the portal has no project.
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
    id: records.newRecordId(),
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
