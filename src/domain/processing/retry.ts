import { AppError, notFound } from '../../lib/errors.ts';
import { visibilityOf } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import type { BilledContext } from '../context.ts';
import { assertRetained, reserveAgain, startAgain, startOver } from '../intake/service.ts';
import { conflictWith } from '../state-conflict.ts';
import type { ProcessingAttempt } from './attempt.ts';
import * as queries from '../records/service.ts';
import type { RecordRow } from '../records/rows.ts';
import { hasNewerProfile } from './queries.ts';
import type { RecordReceipt } from '../records/schemas.ts';
import type { RetryInput } from './schemas.ts';

/**
 * `failed → pending`, with a new address if one is given. Throws NOT_FOUND, CONFLICT for a record that has not failed or
 * that a retry cannot help, or BUDGET_EXCEEDED.
 */
export async function retryRecord(
  { db, actor, prices }: BilledContext,
  { id, recordingUrl }: RetryInput,
): Promise<RecordReceipt> {
  return db.withOrg(actor.orgId, async (tx) => {
    const row = await queries.lockRecord(tx, id, visibilityOf(actor));
    if (!row) throw notFound('Record');
    if (row.status !== 'failed') throw conflictWith(row.status, `A record that is ${row.status} cannot be retried.`);
    assertRetained(row);
    if (recordingUrl !== undefined) return startOver(tx, prices, { row, recordingUrl });
    await assertRetryable(tx, row);
    return startAgain(tx, { ...row, reservedCost: await reserveAgain(tx, prices, row) });
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
  if (row.status === 'failed') await startAgain(tx, row);
  return row.status === 'failed';
}

async function assertRetryable(tx: OrgTx, row: RecordRow): Promise<void> {
  const { failure } = row;
  if (failure === null || failure.retryable) return;
  if (failure.code === 'SCORING_TOO_EXPENSIVE' && (await hasNewerProfile(tx, row))) return;
  throw new AppError('CONFLICT', `Processing this record again would not help: ${failure.message}`, {
    details: [{ path: 'recordingUrl', message: 'Give the address of another recording to start over with that.' }],
  });
}
