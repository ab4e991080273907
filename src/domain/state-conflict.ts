import { AppError, notNow } from '../lib/errors.ts';

/** CONFLICT with the state of a record or analysis; it passes if that is still being worked on. */
export function conflictWith(status: 'pending' | 'processing' | 'completed' | 'failed', message: string): AppError {
  return status === 'pending' || status === 'processing' ? notNow(message) : new AppError('CONFLICT', message);
}
