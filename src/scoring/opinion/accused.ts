import type { Features } from './feature-list.ts';
import { PLACES } from './feature-list.ts';
import { SUSPICION_WEIGHTS } from './suspicion-weights.ts';
import { unpack, type Unpacked } from './unpack.ts';

/** What an agent may be accused of, in the order of the weights. */
export const ACCUSED = ['professionalism.respect', 'compliance.pressure', 'compliance.sensitive'] as const;
export type Accused = (typeof ACCUSED)[number];

let known: Unpacked | undefined;

/** How likely what an agent says is each of these, by what is said anywhere in a call. */
export function readSuspicion({ places, values: sizes, anywhere }: Features): Float32Array {
  known ??= unpack(SUSPICION_WEIGHTS, ACCUSED.length);
  const { scales, values } = known;
  const keys = ACCUSED.length;
  const sums = Float32Array.from(scales, (_, key) => values[PLACES * keys + key] ?? 0);
  for (let at = 0; at < anywhere; at += 1) {
    const from = (places[at] ?? 0) * keys;
    const size = sizes[at] ?? 0;
    for (let key = 0; key < keys; key += 1) sums[key] = (sums[key] ?? 0) + size * (values[from + key] ?? 0);
  }
  return sums.map((sum, key) => 1 / (1 + Math.exp(-sum * (scales[key] ?? 0))));
}
