import { AppError } from '../../lib/errors.ts';
import { TooExpensiveError } from '../../lib/too-expensive.ts';
import type { HeavyContext } from '../context.ts';
import type { HeavyTasks } from '../heavy-work.ts';
import type { KeptTranscript } from './kept-transcript.ts';

/**
 * Reads a transcript that came with a call. Throws VALIDATION_ERROR with the line or path of a mistake, and
 * PAYLOAD_TOO_LARGE if it is too long.
 */
export async function supplyTranscript(
  { actor, heavyWork }: HeavyContext,
  input: Parameters<HeavyTasks['readTranscript']>[0],
): Promise<KeptTranscript> {
  try {
    return await heavyWork.run('readTranscript', input, { orgId: actor.orgId, isAwaited: true });
  } catch (error) {
    if (!(error instanceof TooExpensiveError)) throw error;
    const message = 'The transcript takes too much work to read.';
    throw new AppError('PAYLOAD_TOO_LARGE', message, { details: [{ path: 'transcript', message }], cause: error });
  }
}
