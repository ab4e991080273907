import { violatedUniqueIndex } from '../db/failures.ts';
import { AppError } from '../lib/errors.ts';

/** For work that stores a name. Throws CONFLICT with this message if the unique index finds the name taken. */
export async function refusingTaken<T>(index: string, message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedUniqueIndex(error) !== index) throw error;
    throw new AppError('CONFLICT', message, { cause: error });
  }
}
