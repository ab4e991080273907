import { AppError } from '../lib/errors.ts';

export function goneWithRetention(content: 'recording' | 'transcript'): AppError {
  return new AppError('NOT_FOUND', `The ${content} was deleted at the end of its retention period.`);
}
