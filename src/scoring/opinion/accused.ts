import type { Features } from './feature-list.ts';
import { WIDE_PLACES } from './feature-list.ts';
import type { PackedSuspicions } from './packed-acts.ts';
import { SUSPICION_WEIGHTS } from './suspicion-weights.ts';

/** What an agent may be accused of, in the order of the weights. */
export const ACCUSED = ['professionalism.respect', 'compliance.pressure', 'compliance.sensitive'] as const;
export type Accused = (typeof ACCUSED)[number];

let known: Uint8Array | undefined;

function bytesOf({ values }: PackedSuspicions): Uint8Array {
  const bytes = Buffer.from(values, 'base64');
  if (bytes.length !== (WIDE_PLACES * ACCUSED.length) / 2)
    throw new Error('The weights do not fit the accusations: run `npm run train`.');
  return bytes;
}

/** How likely what an agent says is each of these, by what is said anywhere in a call. */
export function readSuspicion({ anywhere: { places, values: sizes } }: Features): Float32Array {
  const bytes = (known ??= bytesOf(SUSPICION_WEIGHTS));
  const { bias, levels } = SUSPICION_WEIGHTS;
  return Float32Array.from(levels, (own, key) => {
    let sum = bias[key] ?? 0;
    for (let at = 0; at < places.length; at += 1) {
      const index = (places[at] ?? 0) * ACCUSED.length + key;
      sum += (sizes[at] ?? 0) * (own[((bytes[index >> 1] ?? 0) >> (4 * (index & 1))) & 15] ?? 0);
    }
    return 1 / (1 + Math.exp(-sum));
  });
}
