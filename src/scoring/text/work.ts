import { TooExpensiveError } from '../../lib/too-expensive.ts';

/** Longer transcripts are refused: nobody speaks this much in a day. */
export const WORDS_MAX = 200_000;

/** Remaining steps of a scoring. Counted, not timed, so that the same call always ends the same way. */
export type Work = { left: number };

/** Throws `TooExpensiveError` if no steps are left. */
export function spend(work: Work, steps: number): void {
  work.left -= steps;
  if (work.left < 0) throw new TooExpensiveError('steps');
}
