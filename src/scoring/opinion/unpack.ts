import { PLACES } from './feature-list.ts';
import type { PackedActs } from './packed-acts.ts';

export type Unpacked = { scales: Float32Array; values: Int8Array };

/** Weights of so many things side by side, from the letters that they are kept in. */
export function unpack({ scales, values }: PackedActs, things: number): Unpacked {
  const letters = Buffer.from(values, 'base64');
  const bytes = new Int8Array(letters.buffer, letters.byteOffset, letters.length);
  if (bytes.length !== (PLACES + 1) * things) throw new Error('The weights do not fit the acts: run `npm run train`.');
  return { scales: Float32Array.from(scales), values: bytes };
}
