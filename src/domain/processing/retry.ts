import { AppError, notFound } from '../../lib/errors.ts';
import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { reserveRecord } from '../billing/metering.ts';
import type { BilledContext } from '../context.ts';
import { emitEvents } from '../events/service.ts';
import { conflictWith } from '../state-conflict.ts';
import type { ProcessingAttempt } from './attempt.ts';
import * as queries from '../records/service.ts';
import type { RecordRow } from '../records/rows.ts';
import { hasNewerProfile } from './queries.ts';
import { hasSuppliedTranscript } from '../transcripts/service.ts';
import type { RecordReceipt } from '../records/schemas.ts';
import { processingRequest, toReceipt } from '../records/service.ts';

/**
 * `failed → pending`. Throws NOT_FOUND, CONFLICT for a record that has not failed or that a retry cannot help, or
 * BUDGET_EXCEEDED.
 */
export async function retryRecord(
  { db, actor, prices }: BilledContext,
  { id }: { id: string },
): Promise<RecordReceipt> {
  return db.withOrg(actor.orgId, async (tx) => {
    const row = await queries.lockRecord(tx, id, visibilityOf(actor));
    if (!row) throw notFound('Record');
    if (row.status !== 'failed') throw conflictWith(row.status, `A record that is ${row.status} cannot be retried.`);
    assertRetained(row);
    await assertRetryable(tx, row);
    const needsTranscription = !(await hasSuppliedTranscript(tx, id));
    const work = { durationSeconds: row.durationSeconds, needsTranscription };
    return retryLocked(tx, { ...row, reservedCost: await reserveRecord(tx, prices, work) });
  });
}

/**
 * The same for operators, by failed attempt and regardless of the budget. False while that attempt has not ended.
 * Throws NOT_FOUND if the record was deleted, CONFLICT if it is completed or was retried since.
 */
export async function retryAttempt(tx: OrgTx, { recordId, attempt }: ProcessingAttempt): Promise<boolean> {
  const row = await queries.lockRecord(tx, recordId, { projectIds: null, ownUserId: null });
  if (!row) throw new AppError('NOT_FOUND', `The record ${recordId} was deleted: there is nothing left to retry.`);
  const name = `The record ${recordId}`;
  if (row.attempt !== attempt)
    throw new AppError('CONFLICT', `${name} has been retried since, and is ${row.status} now.`);
  if (row.status === 'completed') throw new AppError('CONFLICT', `${name} is completed: there is nothing to retry.`);
  assertRetained(row);
  if (row.status === 'failed') await retryLocked(tx, row);
  return row.status === 'failed';
}

function assertRetained({ contentDeletedAt }: RecordRow): void {
  if (contentDeletedAt === null) return;
  throw new AppError(
    'CONFLICT',
    'The call was deleted at the end of its retention period: there is nothing left to process.',
  );
}

async function assertRetryable(tx: OrgTx, row: RecordRow): Promise<void> {
  const { failure } = row;
  if (failure === null || failure.retryable) return;
  if (failure.code === 'SCORING_TOO_EXPENSIVE' && (await hasNewerProfile(tx, row))) return;
  throw new AppError('CONFLICT', `Processing this record again would not help: ${failure.message}`);
}

async function retryLocked(tx: OrgTx, row: RecordRow): Promise<RecordReceipt> {
  const attempt = row.attempt + 1;
  const { reservedCost } = row;
  const unfixed = { passProfileId: null, passProfileVersion: null, passTranscriptVersion: null };
  await queries.updateRecord(tx, row.id, {
    status: 'pending',
    stage: null,
    failure: null,
    attempt,
    reservedCost,
    ...unfixed,
  });
  await emitEvents(tx, [processingRequest(row.id, attempt)]);
  return toReceipt({ ...row, status: 'pending' });
}
