import { type Features, WIDE_PLACES } from './feature-list.ts';
import { type Regressions, sharesBy, unpackWeights } from './regressions.ts';
import { SUSPICION_WEIGHTS } from './suspicion-weights.ts';

/** What an agent may be accused of, in the order of the weights. */
export const ACCUSED = ['professionalism.respect', 'compliance.pressure', 'compliance.sensitive'] as const;
export type Accused = (typeof ACCUSED)[number];

let known: Regressions | undefined;

/** How likely what an agent says is each of these, by what is said anywhere in a call. */
export function readSuspicion({ anywhere }: Features): Float32Array {
  known ??= unpackWeights(SUSPICION_WEIGHTS, WIDE_PLACES);
  return sharesBy(known, anywhere);
}
