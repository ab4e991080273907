import type { OrgTx } from '../../db/scope.ts';
import { AppError } from '../../lib/errors.ts';
import { countBudgetRefusal } from '../../lib/metrics.ts';
import { newEvent, emitEvents } from '../events/service.ts';
import type { BilledContext } from '../context.ts';
import * as queries from './metering-queries.ts';
import type { Prices, TokenUse } from './prices.ts';

const secondsPerTenth = 6;
/** Assumed if the length of a recording is unknown: longer than most calls, so that the estimate errs upwards. */
const unknownDurationSeconds = 600;

export type ExpectedWork = { durationSeconds: number | null; needsTranscription: boolean };

/**
 * Reserves the expected cost of a recording in the budget, in the transaction that accepts it. Returns the amount, to
 * be stored with the record. Throws BUDGET_EXCEEDED. Takes no lock for an organization without a limit.
 */
export async function reserveRecord(tx: OrgTx, prices: Prices, work: ExpectedWork): Promise<string> {
  return reserve(tx, { prices, tenths: expectedTenths(work) });
}

/** The same for a further analysis of a record, which costs an analysis but no transcription. */
export async function reserveAnalysis(tx: OrgTx, prices: Prices): Promise<string> {
  return reserve(tx, { prices, tenths: 0 });
}

/** Checks whether the budget has room at this moment, without reserving anything. Throws BUDGET_EXCEEDED. */
export async function requireBudget({ db, actor, prices }: BilledContext): Promise<void> {
  const hasRoom = await db.withOrg(actor.orgId, (tx) => queries.hasRoom(tx, { prices, tenths: 0 }));
  if (!hasRoom) throw exceeded();
}

/** Whether there is room for such a recording at this moment. Reserves nothing. */
export async function hasRoomForRecord(tx: OrgTx, prices: Prices, work: ExpectedWork): Promise<boolean> {
  return queries.hasRoom(tx, { prices, tenths: expectedTenths(work) });
}

/** Releases the reservation of work that will not be done. Does nothing if there was none. */
export async function release(tx: OrgTx, reservedCost: string | null): Promise<void> {
  if (reservedCost !== null) await queries.releaseReserved(tx, reservedCost);
}

/**
 * The same for records that are about to be deleted, including their further analyses. The caller has locked the
 * records.
 */
export async function releaseRecords(tx: OrgTx, ids: string[]): Promise<void> {
  await release(tx, await queries.sumReserved(tx, ids));
}

export type ProcessedRecord = {
  recordId: string;
  projectId: string;
  /** As shown in the record, so that everybody can check the bill. */
  durationSeconds: number;
  /** Whether speech recognition was used; a supplied transcript costs no transcription. */
  isTranscribed: boolean;
  /** The language model's tokens for the analysis; null if none was used. */
  tokens?: TokenUse | null;
  reservedCost: string | null;
};

/** Bills a processed recording and releases its reservation. A record is billed once, however often this is called. */
export async function chargeRecord(tx: OrgTx, prices: Prices, record: ProcessedRecord): Promise<void> {
  const { recordId, durationSeconds, isTranscribed } = record;
  await charge(tx, {
    ...record,
    key: `record:${recordId}`,
    records: 1,
    tenths: toTenths(durationSeconds),
    prices: isTranscribed ? prices : { ...prices, transcriptionPerMinute: '0' },
  });
}

export type FurtherAnalysis = {
  analysisId: string;
  recordId: string;
  projectId: string;
  tokens?: TokenUse | null;
  reservedCost: string | null;
};

/** Bills a further analysis of a billed record, once per version. */
export async function chargeAnalysis(tx: OrgTx, prices: Prices, analysis: FurtherAnalysis): Promise<void> {
  await charge(tx, { ...analysis, key: `analysis:${analysis.analysisId}`, records: 0, tenths: 0, prices });
}

/** Announces once a month that the budget has reached 80 and 100 %. */
export async function announceThresholds(tx: OrgTx, budget: queries.ReachedBudget | undefined): Promise<void> {
  if (!budget) return;
  const { period, budgetLimit, used, budgetUsedPercent, thresholds } = budget;
  await emitEvents(
    tx,
    thresholds.map((threshold) => {
      const data = { orgId: tx.orgId, period, threshold, budgetLimit, totalCost: used, budgetUsedPercent };
      return newEvent('budget.threshold_reached', data, `${period}:${threshold}`);
    }),
  );
}

async function reserve(tx: OrgTx, cost: queries.Cost): Promise<string> {
  const { amount, isReserved, hasLimit } = await queries.reserve(tx, cost);
  if (hasLimit && !isReserved) throw exceeded();
  return amount;
}

async function charge(tx: OrgTx, entry: queries.NewUsage): Promise<void> {
  await announceThresholds(tx, await queries.insertUsage(tx, entry));
}

function exceeded(): AppError {
  countBudgetRefusal();
  return new AppError('BUDGET_EXCEEDED', 'The budget of this month leaves no room for further processing.');
}

function expectedTenths({ durationSeconds, needsTranscription }: ExpectedWork): number {
  return needsTranscription ? toTenths(durationSeconds ?? unknownDurationSeconds) : 0;
}

/** Tenths of a minute, rounded up; at least one. */
function toTenths(durationSeconds: number): number {
  return Math.max(1, Math.ceil(durationSeconds / secondsPerTenth));
}
