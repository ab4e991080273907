import type { OrgTx } from '../../db/scope.ts';
import { AppError } from '../../lib/errors.ts';
import { reserveRecord } from '../billing/metering.ts';
import type { Prices } from '../billing/prices.ts';
import { emitEvents } from '../events/service.ts';
import { discardRecording, withoutRecording } from '../recordings/service.ts';
import type { RecordRow } from '../records/rows.ts';
import type { RecordReceipt } from '../records/schemas.ts';
import { processingRequest, toReceipt, updateRecord } from '../records/service.ts';
import { hasSuppliedTranscript } from '../transcripts/service.ts';

/**
 * Fetches the recording of a failed call from another address, and forgets the former one. The caller has locked the
 * record. Throws CONFLICT once retention has deleted the call, or BUDGET_EXCEEDED.
 */
export async function startOver(
  tx: OrgTx,
  prices: Prices,
  { row, recordingUrl }: { row: RecordRow; recordingUrl: string },
): Promise<RecordReceipt> {
  assertRetained(row);
  const reservedCost = await reserveAgain(tx, prices, row);
  await discardRecording(tx, row);
  return startAgain(tx, { ...row, reservedCost }, withoutRecording(recordingUrl));
}

/** Throws CONFLICT once retention has deleted the call. */
export function assertRetained({ contentDeletedAt }: RecordRow): void {
  if (contentDeletedAt === null) return;
  throw new AppError(
    'CONFLICT',
    'The call was deleted at the end of its retention period: there is nothing left to process.',
  );
}

/** What a further attempt may cost. Throws BUDGET_EXCEEDED. */
export async function reserveAgain(tx: OrgTx, prices: Prices, { id, durationSeconds }: RecordRow) {
  const needsTranscription = !(await hasSuppliedTranscript(tx, id));
  return reserveRecord(tx, prices, { durationSeconds, needsTranscription });
}

/** `failed → pending`, as the next attempt, in the transaction of whoever has locked the record. */
export async function startAgain(tx: OrgTx, row: RecordRow, changes: Partial<RecordRow> = {}): Promise<RecordReceipt> {
  const attempt = row.attempt + 1;
  const { reservedCost } = row;
  const unfixed = { passProfileId: null, passProfileVersion: null, passTranscriptVersion: null };
  const begun = { status: 'pending' as const, stage: null, failure: null, attempt, reservedCost };
  await updateRecord(tx, row.id, { ...begun, ...unfixed, ...changes });
  await emitEvents(tx, [processingRequest(row.id, attempt)]);
  return toReceipt({ ...row, status: 'pending' });
}
