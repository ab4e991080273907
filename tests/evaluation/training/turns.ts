import { AGENT_ACTS, CUSTOMER_ACTS } from '../../../src/scoring/opinion/acts.ts';
import { PLACES, type Features } from '../../../src/scoring/opinion/feature-list.ts';
import { COMMON_BITS, featuresOf, placeOfWord, type CommonWords } from '../../../src/scoring/opinion/features.ts';
import { createTokenReader } from '../../../src/model/text/tokens.ts';
import type { LabelledCall } from '../labelled.ts';

export type Role = 'agent' | 'customer';
export type TurnExample = { call: string; language: string; role: Role; features: Features; labels: Uint8Array };

/** What several labels are one act for: scorn of any kind, and resistance of any kind. */
const MEANT: Record<string, string> = {
  sarcasm: 'slight',
  blame: 'slight',
  insult: 'slight',
  threat: 'slight',
  complaint: 'objection',
};

/** A label that tells neither way. */
export const UNKNOWN = 2;

export const ACTS: Record<Role, readonly string[]> = { agent: AGENT_ACTS, customer: CUSTOMER_ACTS };

export function toExamples({ id, language, utterances }: LabelledCall, common: CommonWords): TurnExample[] {
  const read = createTokenReader();
  const said = utterances.flatMap(({ role, text, acts }) =>
    role === 'agent' || role === 'customer' ? [{ role, tokens: read(text), acts }] : [],
  );
  return featuresOf(said, { language, common }).map((features, index) => {
    const { role, acts } = said[index] ?? { role: 'agent' as const, acts: [] };
    const meant = new Set(acts.map((act) => MEANT[act] ?? act));
    return {
      call: id,
      language,
      role,
      features,
      labels: Uint8Array.from(ACTS[role], (act) => (meant.has(act) ? 1 : 0)),
    };
  });
}

const CALLS_MIN = 3;

/** Words that stand in three calls at least. */
export function commonWordsOf(calls: readonly LabelledCall[]): CommonWords {
  const read = createTokenReader();
  const seen = new Map<string, number>();
  for (const { utterances } of calls) {
    const words = new Set(utterances.flatMap(({ text }) => read(text).map(({ word }) => word)));
    for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1);
  }
  const bits = new Uint8Array(COMMON_BITS / 8);
  for (const [word, count] of seen) {
    if (count < CALLS_MIN) continue;
    const place = placeOfWord(word);
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  }
  return bits;
}

/** One weight an act at each place, acts side by side; the last row is the bias. */
export type TurnWeights = { acts: number; values: Float32Array };

const ROUNDS = 15;
/** An act that is told so well already teaches nothing more. */
const WRONG_MIN = 0.01;
const RATE = 0.2;
/** So much counts as seen before the first call: a word of one call gets no weight like that of a hundred. */
const SQUARES_START = 10;

/** Logistic regressions, one an act, by AdaGrad in a fixed order with a penalty on the squares of the weights. */
export function fitTurns(examples: readonly TurnExample[], role: Role, { penalty = 1e-3 } = {}): TurnWeights {
  const acts = ACTS[role].length;
  const values = new Float32Array((PLACES + 1) * acts);
  const squares = new Float32Array((PLACES + 1) * acts).fill(SQUARES_START);
  const own = examples.filter((each) => each.role === role);
  const order = shuffled(own.length);
  const slopes = new Float32Array(acts);
  const step = (at: number, slope: number): void => {
    const gradient = slope + penalty * (values[at] ?? 0);
    const square = (squares[at] ?? 0) + gradient * gradient;
    squares[at] = square;
    values[at] = (values[at] ?? 0) - (RATE * gradient) / Math.sqrt(square);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const index of order) {
      const example = own[index];
      if (!example) continue;
      const { features, labels } = example;
      const told = probabilities({ acts, values }, features);
      const wrong: number[] = [];
      for (let act = 0; act < acts; act += 1) {
        const label = labels[act] ?? 0;
        const slope = label === UNKNOWN ? 0 : (told[act] ?? 0) - label;
        slopes[act] = slope;
        if (Math.abs(slope) > WRONG_MIN) wrong.push(act);
      }
      for (let at = 0; at < features.places.length; at += 1) {
        const from = (features.places[at] ?? 0) * acts;
        const value = features.values[at] ?? 0;
        for (const act of wrong) step(from + act, (slopes[act] ?? 0) * value);
      }
      for (const act of wrong) step(PLACES * acts + act, slopes[act] ?? 0);
    }
  }
  return { acts, values };
}

export function probabilities({ acts, values }: TurnWeights, features: Features): Float32Array {
  const sums = values.slice(PLACES * acts);
  for (const [at, place] of features.places.entries()) {
    const value = features.values[at] ?? 0;
    for (let act = 0; act < acts; act += 1) sums[act] = (sums[act] ?? 0) + value * (values[place * acts + act] ?? 0);
  }
  return sums.map((sum) => 1 / (1 + Math.exp(-sum)));
}

/** The same order every time: xorshift from a fixed seed. */
function shuffled(length: number): number[] {
  const order = Array.from({ length }, (_, index) => index);
  let state = 0x9e_37_79_b9;
  for (let at = length - 1; at > 0; at -= 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const other = (state >>> 0) % (at + 1);
    [order[at], order[other]] = [order[other] ?? other, order[at] ?? at];
  }
  return order;
}
