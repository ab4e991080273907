import { AppError, notNow } from '../lib/errors.ts';

/** CONFLICT with the state of a record or an analysis, which passes for as long as that is worked on. */
export function conflictWith(status: 'pending' | 'processing' | 'completed' | 'failed', message: string): AppError {
  return status === 'pending' || status === 'processing' ? notNow(message) : new AppError('CONFLICT', message);
}
