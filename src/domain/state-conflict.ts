import { AppError, notNow } from '../lib/errors.ts';
import type { Failure, RecordStatus } from '../model/record.ts';

/** CONFLICT with the state of a record or analysis; it passes if that is still being worked on. */
export function conflictWith(status: RecordStatus, message: string): AppError {
  return status === 'pending' || status === 'processing' ? notNow(message) : new AppError('CONFLICT', message);
}

type Unfinished = { status: RecordStatus; failure: Failure | null };

/** CONFLICT for what processing has not made: not yet, or never, and then why. */
export function notMade(what: 'transcript' | 'recording', { status, failure }: Unfinished): AppError {
  if (status !== 'failed') return conflictWith(status, `The ${what} is not ready yet.`);
  const { code, message, retryable } = failure ?? { code: 'UNKNOWN', message: 'No reason is known.', retryable: true };
  const helps = retryable ? 'Retry it.' : 'Retrying it helps only with another recording.';
  return new AppError('CONFLICT', `There is no ${what}, because processing failed: ${message}`, {
    details: [{ path: 'failure', message: `${code}. ${helps}` }],
  });
}
