import { brotliDecompressSync } from 'node:zlib';
import type { Placed } from './feature-list.ts';

/** For each place one weight a thing, in whole steps of that thing; compressed by brotli, since most are zero or small. */
export type PackedWeights = { bias: readonly number[]; steps: readonly number[]; values: string };

/** Logistic regressions side by side, as they are read. */
export type Regressions = { bias: readonly number[]; steps: readonly number[]; values: Int8Array };

export function unpackWeights({ bias, steps, values }: PackedWeights, places: number): Regressions {
  const bytes = brotliDecompressSync(Buffer.from(values, 'base64'));
  if (bytes.length !== places * steps.length)
    throw new Error('The weights do not fit what is read: run `npm run train`.');
  return { bias, steps, values: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** How likely each of the things is, by these features. */
export function sharesBy({ bias, steps, values }: Regressions, { places, values: sizes }: Placed): Float32Array {
  const things = steps.length;
  const sums = new Float32Array(things);
  for (let at = 0; at < places.length; at += 1) {
    const from = (places[at] ?? 0) * things;
    const size = sizes[at] ?? 0;
    for (let thing = 0; thing < things; thing += 1)
      sums[thing] = (sums[thing] ?? 0) + size * (values[from + thing] ?? 0);
  }
  return sums.map((sum, thing) => 1 / (1 + Math.exp(-(bias[thing] ?? 0) - sum * (steps[thing] ?? 0))));
}
