import { WAYS } from './chain.ts';
import { fittedWeights } from './fitted-weights.ts';

/** What each feature weighs: some numbers for each, found by its row. */
export type Weights = { values: Float32Array; find: (feature: number) => number };
export type RoleWeights = { utterance: Weights; pair: Weights };

/** Weights are kept as whole numbers of 16 bits. */
export const WEIGHT_SCALE = 1000;

let read: RoleWeights | undefined;

/** Read where somebody is told apart for the first time. */
export function roleWeights(): RoleWeights {
  read ??= parseWeights(Buffer.from(fittedWeights, 'base64'));
  return read;
}

/** For each table its number of features, then those (32 bits), then their weights. All numbers are little-endian. */
function parseWeights(bytes: Buffer): RoleWeights {
  let at = 0;
  const table = (width: number): Weights => {
    const count = bytes.readUInt32LE(at);
    const features = Uint32Array.from({ length: count }, (_, index) => bytes.readUInt32LE(at + 4 + 4 * index));
    at += 4 + 4 * count;
    const values = new Float32Array(count * width);
    for (let index = 0; index < values.length; index += 1)
      values[index] = bytes.readInt16LE(at + 2 * index) / WEIGHT_SCALE;
    at += 2 * values.length;
    return { values, find: finderOf(features) };
  };
  return { utterance: table(1), pair: table(WAYS) };
}

/** The row of a feature, or -1, by open addressing: at least half of the places stay empty. */
function finderOf(features: Uint32Array): Weights['find'] {
  let size = 2;
  while (size < 2 * features.length) size *= 2;
  const places = new Uint32Array(size);
  const rows = new Int32Array(size);
  for (const [row, feature] of features.entries()) {
    let place = feature & (size - 1);
    while (places[place] !== 0) place = (place + 1) & (size - 1);
    places[place] = feature;
    rows[place] = row;
  }
  return (feature) => {
    let place = feature & (size - 1);
    for (;;) {
      const here = places[place];
      if (here === feature) return rows[place] ?? -1;
      if (here === 0) return -1;
      place = (place + 1) & (size - 1);
    }
  };
}
