import { marginals, STEPS_SIZE } from './chain.ts';
import { readCall, type Heard } from './call.ts';
import { emptyCommonWords, type CommonWords } from './common-words.ts';
import { PLACES, type Features } from './feature-list.ts';
import { featuresOf } from './features.ts';
import { LABELS } from './labels.ts';
import type { PackedTagger } from './packed-tagger.ts';
import { TAGGER } from './weights.ts';

/** A linear chain over the words of a turn: each place that has weights has a row of them. */
export type Tagger = {
  common: CommonWords;
  /** A bit for each place that has weights, and how many have before each 32 of them: the number of its row. */
  has: Int32Array;
  before: Int32Array;
  /** Row `n` is `weights[rows[n] … rows[n + 1])`: the label times 256, and a byte that is its weight. */
  rows: Int32Array;
  weights: Int16Array;
  scales: Float32Array;
  /** As factors. */
  steps: Float64Array;
};

const SIZE: number = LABELS.length;
const [COMMON, FILLER] = [4, 5];

let learned: Tagger | undefined;

/** Unpacked when it is first asked for: two megabytes that only who redacts needs. */
export function learnedTagger(): Tagger {
  learned ??= unpackTagger(TAGGER);
  return learned;
}

/** What was read of each turn, for when the call is read again with some of it taken out: most turns are as they were. */
export type TurnMemory = Map<number, { features: Features; likely: Float64Array }>;

/** How likely each token of a call has each label, `SIZE` numbers a token; and which of them are common words or fillers. */
export function readLabels(
  tagger: Tagger,
  heard: Heard,
  memory: TurnMemory = new Map(),
): { likely: Float64Array; isCommon: Uint8Array } {
  const call = readCall(heard, tagger.common);
  const all = new Float64Array(heard.tokens.length * SIZE);
  for (const [turn, { from }] of call.turns.entries()) {
    const features = featuresOf(call, turn);
    const known = memory.get(turn);
    const isSame = known !== undefined && isSameTurn(known.features, features);
    const likely = isSame ? known.likely : likelyOf(tagger, features);
    if (!isSame) memory.set(turn, { features, likely });
    all.set(likely, from * SIZE);
  }
  return { likely: all, isCommon: call.families.map((family) => (family === FILLER || family === COMMON ? 1 : 0)) };
}

function isSameTurn(features: Features, other: Features): boolean {
  if (!isEqual(features.places, other.places)) return false;
  return isEqual(features.shared[0] ?? [], other.shared[0] ?? []);
}

function isEqual(places: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (places.length !== other.length) return false;
  for (let at = 0; at < places.length; at += 1) if (places[at] !== other[at]) return false;
  return true;
}

/** Exponents by which `none` is ahead of all else before steps between labels, which are worth less, can change it. */
const FAR_AHEAD = 12;

function likelyOf(tagger: Tagger, features: Features): Float64Array {
  const scores = scoresOf(tagger, features);
  return isHarmless(scores) ? noneOf(scores.length) : marginals(scores, tagger.steps);
}

function isHarmless(scores: Float32Array): boolean {
  for (let at = 0; at < scores.length; at += 1) {
    const none = at - (at % SIZE);
    if (at !== none && (scores[none] ?? 0) - (scores[at] ?? 0) < FAR_AHEAD) return false;
  }
  return true;
}

function noneOf(length: number): Float64Array {
  const likely = new Float64Array(length);
  for (let at = 0; at < length; at += SIZE) likely[at] = 1;
  return likely;
}

function scoresOf(tagger: Tagger, { places, starts, families, shared }: Features): Float32Array {
  const tokens = starts.length - 1;
  const sums = new Int32Array(tokens * SIZE);
  const common: (Int32Array | undefined)[] = [];
  for (let token = 0; token < tokens; token += 1) {
    const family = families[token] ?? 0;
    const known = common[family] ?? sumOf(tagger, shared[family] ?? []);
    common[family] = known;
    for (let label = 0; label < SIZE; label += 1) sums[token * SIZE + label] = known[label] ?? 0;
    addRows(tagger, { places, from: starts[token] ?? 0, to: starts[token + 1] ?? 0 }, { sums, own: token * SIZE });
  }
  return Float32Array.from(sums, (sum, at) => sum * (tagger.scales[at % SIZE] ?? 0));
}

function sumOf(tagger: Tagger, shared: readonly number[]): Int32Array {
  const sums = new Int32Array(SIZE);
  addRows(tagger, { places: Int32Array.from(shared), from: 0, to: shared.length }, { sums, own: 0 });
  return sums;
}

type Stretch = { places: Int32Array; from: number; to: number };

function addRows(
  { has, before, rows, weights }: Tagger,
  { places, from, to }: Stretch,
  { sums, own }: { sums: Int32Array; own: number },
): void {
  for (let at = from; at < to; at += 1) {
    const place = places[at] ?? 0;
    const bits = has[place >> 5] ?? 0;
    if (((bits >> (place & 31)) & 1) === 0) continue;
    const row = (before[place >> 5] ?? 0) + countBits(bits & ((1 << (place & 31)) - 1));
    const last = rows[row + 1] ?? 0;
    for (let index = rows[row] ?? 0; index < last; index += 1) {
      const weight = weights[index] ?? 0;
      const sum = own + (weight >> 8);
      sums[sum] = (sums[sum] ?? 0) + ((weight << 24) >> 24);
    }
  }
}

function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55_55_55_55);
  count = (count & 0x33_33_33_33) + ((count >>> 2) & 0x33_33_33_33);
  return Math.imul((count + (count >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

export function unpackTagger({ scales, steps, rows, common }: PackedTagger): Tagger {
  if (scales.length !== SIZE || steps.length !== STEPS_SIZE) {
    throw new Error('The weights do not fit the labels: run `npm run train:redaction`.');
  }
  return {
    common: unpackCommon(bytesOf(common)),
    ...unpackRows(bytesOf(rows)),
    scales: Float32Array.from(scales),
    steps: Float64Array.from(steps, (step) => Math.exp(step / 1000)),
  };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Seven bits a byte, the least first; the eighth says that more follow. */
class Numbers {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    this.#at += 1;
    return this.#bytes[this.#at - 1] ?? 0;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}

function unpackRows(bytes: Uint8Array): Pick<Tagger, 'has' | 'before' | 'rows' | 'weights'> {
  const has = new Int32Array(PLACES / 32);
  const rows: number[] = [0];
  const weights: number[] = [];
  const numbers = new Numbers(bytes);
  let place = 0;
  while (!numbers.isDone) {
    place += numbers.next();
    has[place >>> 5] = (has[place >>> 5] ?? 0) | (1 << (place & 31));
    const labels = numbers.next();
    for (let label = 0; label < SIZE; label += 1)
      if ((labels >> label) & 1) weights.push((label << 8) | numbers.byte());
    rows.push(weights.length);
  }
  const before = new Int32Array(has.length);
  for (let at = 1; at < has.length; at += 1) before[at] = (before[at - 1] ?? 0) + countBits(has[at - 1] ?? 0);
  return { has, before, rows: Int32Array.from(rows), weights: Int16Array.from(weights) };
}

function unpackCommon(bytes: Uint8Array): CommonWords {
  const common = emptyCommonWords();
  const numbers = new Numbers(bytes);
  let place = 0;
  while (!numbers.isDone) {
    const next = numbers.next();
    place += next >> 2;
    common[place] = next & 3;
  }
  return common;
}
