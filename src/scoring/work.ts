import { TooExpensiveError } from '../lib/too-expensive.ts';

/** A transcript of more words is not taken: nobody speaks as much in a day. */
export const WORDS_MAX = 200_000;

/** How many more steps a scoring may take. Counted, not timed, so that the same call always ends alike. */
export type Work = { left: number };

/** Throws `TooExpensiveError` where no steps are left. */
export function spend(work: Work, steps: number): void {
  work.left -= steps;
  if (work.left < 0) throw new TooExpensiveError('steps');
}
