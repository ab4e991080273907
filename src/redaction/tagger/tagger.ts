import { marginals, STEPS_SIZE } from './chain.ts';
import { readCall, take, type Heard, type ReadCall } from './call.ts';
import { emptyCommonWords, type CommonWords } from './common-words.ts';
import { PLACES } from './feature-list.ts';
import { LABELS, NONE } from './labels.ts';
import { maskOf } from './may-hold.ts';
import type { PackedTagger } from './packed-tagger.ts';
import { countBits, type RowTable } from './row-table.ts';
import { keysOf, nothingKept, scoresOf, type Kept, type Turn } from './scoring.ts';
import { viewOf, type TurnView } from './turn-view.ts';
import { TAGGER } from './weights.ts';

/** A linear chain over the words of a turn. */
export type Tagger = {
  common: CommonWords;
  table: RowTable;
  kept: Kept;
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
export type TurnMemory = Map<number, TurnRead>;
type TurnRead = Turn & { likely: Float64Array };

/** `isThorough` reads words that can be part of nothing as well: it finds the same. */
export type ReadingOptions = { names: boolean; memory?: TurnMemory; isThorough?: boolean };

export type LabelledCall = { call: ReadCall; likely: Float64Array; isCommon: Uint8Array };

/** How likely each token of a call has each label, `SIZE` numbers a token; and which of them are common words or fillers. */
export function readLabels(
  tagger: Tagger,
  heard: Heard,
  { names, memory = new Map(), isThorough = false }: ReadingOptions,
): LabelledCall {
  const call = readCall(heard, tagger.common);
  const all = new Float64Array(heard.tokens.length * SIZE);
  for (const [turn, { from, to }] of call.turns.entries()) {
    const view = viewOf(call, turn);
    const mask = isThorough ? new Uint8Array(to - from).fill(1) : maskOf(call, view, { names });
    if (mask) all.set(likelyOf(tagger, { call, view, mask, keys: keysOf(call, view, mask) }, memory), from * SIZE);
    else for (let at = from; at < to; at += 1) all[at * SIZE + NONE] = 1;
    take(call, turn, mask ? (at) => likeliestAt(all, at) : () => NONE);
  }
  return {
    call,
    likely: all,
    isCommon: call.families.map((family) => (family === FILLER || family === COMMON ? 1 : 0)),
  };
}

function likeliestAt(likely: Float64Array, at: number): number {
  if ((likely[at * SIZE + NONE] ?? 0) > 0.5) return NONE;
  let best = NONE;
  for (let label = 1; label < SIZE; label += 1) {
    if ((likely[at * SIZE + label] ?? 0) > (likely[at * SIZE + best] ?? 0)) best = label;
  }
  return best;
}

function likelyOf(tagger: Tagger, turn: Turn, memory: TurnMemory): Float64Array {
  const known = memory.get(turn.view.turn);
  if (known && isSame(known, turn)) return known.likely;
  const likely = likelyIn(scoresOf(tagger, turn), tagger.steps);
  memory.set(turn.view.turn, { ...turn, likely });
  return likely;
}

/** Whether all that features are made of is as it was. */
function isSame(known: Turn, { call, view, keys }: Turn): boolean {
  if (!isEqual(known.keys, keys) || !isSameView(known.view, view)) return false;
  const moved = view.from - known.view.from;
  for (let at = known.view.from; at < known.view.to; at += 1) {
    const other = at + moved;
    if (known.call.words[at] !== call.words[other] || known.call.gaps[at] !== call.gaps[other]) return false;
    if (known.call.byRules[at] !== call.byRules[other]) return false;
  }
  return true;
}

function isSameView(known: TurnView, view: TurnView): boolean {
  return (
    view.to - view.from === known.to - known.from &&
    JSON.stringify({ ...known, from: 0, to: 0 }) === JSON.stringify({ ...view, from: 0, to: 0 })
  );
}

function isEqual(numbers: Int32Array, other: Int32Array): boolean {
  if (numbers.length !== other.length) return false;
  for (let at = 0; at < numbers.length; at += 1) if (numbers[at] !== other[at]) return false;
  return true;
}

/**
 * Exponents by which `none` is ahead of all else before steps between labels can change it: these are against single words
 * of a kind, less so at one edge of a turn, and not at all in a turn of one word.
 */
const FAR_AHEAD = [3, 5.5, 8] as const;

/** Stretches that hold nothing for sure part the turn; one word of them on each side is read with the rest. */
function likelyIn(scores: Float32Array, steps: Float64Array): Float64Array {
  const likely = new Float64Array(scores.length);
  const tokens = scores.length / SIZE;
  const isRead = new Uint8Array(tokens);
  for (let token = 0; token < tokens; token += 1) {
    const edges = Number(token === 0) + Number(token === tokens - 1);
    if (!isHarmless(scores, token, FAR_AHEAD[edges] ?? Infinity)) isRead.fill(1, Math.max(0, token - 1), token + 2);
  }
  for (let from = 0; from < tokens;) {
    let to = from;
    while (to < tokens && isRead[to] === 1) to += 1;
    if (to === from) {
      likely[from * SIZE + NONE] = 1;
      to += 1;
    } else likely.set(marginals(scores.subarray(from * SIZE, to * SIZE), steps), from * SIZE);
    from = to;
  }
  return likely;
}

function isHarmless(scores: Float32Array, token: number, ahead: number): boolean {
  const none = scores[token * SIZE + NONE] ?? 0;
  for (let at = token * SIZE + 1; at < (token + 1) * SIZE; at += 1) if (none - (scores[at] ?? 0) < ahead) return false;
  return true;
}

export function unpackTagger({ scales, steps, rows, common }: PackedTagger): Tagger {
  if (scales.length !== SIZE || steps.length !== STEPS_SIZE) {
    throw new Error('The weights do not fit the labels: run `npm run train:redaction`.');
  }
  const table = unpackRows(bytesOf(rows));
  return {
    common: unpackCommon(bytesOf(common)),
    table,
    kept: nothingKept(table),
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

function unpackRows(bytes: Uint8Array): RowTable {
  const index = new Int32Array((PLACES / 32) * 2);
  const rows: number[] = [0];
  const weights: number[] = [];
  const numbers = new Numbers(bytes);
  let place = 0;
  while (!numbers.isDone) {
    place += numbers.next();
    const bits = (place >>> 5) * 2;
    index[bits] = (index[bits] ?? 0) | (1 << (place & 31));
    const labels = numbers.next();
    for (let label = 0; label < SIZE; label += 1)
      if ((labels >> label) & 1) weights.push((label << 8) | numbers.byte());
    rows.push(weights.length);
  }
  for (let at = 2; at < index.length; at += 2) index[at + 1] = (index[at - 1] ?? 0) + countBits(index[at - 2] ?? 0);
  return { index, rows: Int32Array.from(rows), weights: Int16Array.from(weights) };
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
