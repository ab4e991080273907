import type { ReadCall } from './call.ts';
import { addPairs, addShared, GROUPS, NO_KEY, readKeys, wordAt, WAYS, WAYS_FROM } from './features.ts';
import { KeptSums, RowAdder } from './kept-sums.ts';
import { LABELS } from './labels.ts';
import type { RowTable } from './row-table.ts';
import type { TurnView } from './turn-view.ts';
import type { WordRead } from './word-classes.ts';

const SIZE: number = LABELS.length;
const KEYS_SIZE: number = GROUPS.length;
const wordSlots = 16_384;
const groupSlots = 4096;

/** What was made of words and of keys before; kept over calls. */
export type Kept = { words: readonly KeptSums<WordRead>[]; groups: readonly KeptSums<number>[] };

export function nothingKept(table: RowTable): Kept {
  return {
    words: WAYS.map((add) => new KeptSums(table, add, wordSlots)),
    groups: GROUPS.map((add) => new KeptSums(table, add, groupSlots)),
  };
}

/** The keys of all tokens of a turn that are to be read, side by side. */
export function keysOf(call: ReadCall, view: TurnView, mask: Uint8Array): Int32Array {
  const all = new Int32Array((view.to - view.from) * KEYS_SIZE);
  const target = { keys: all, own: 0 };
  for (let at = view.from; at < view.to; at += 1) {
    if (mask[at - view.from] === 1) readKeys(target, call, { at, view });
    target.own += KEYS_SIZE;
  }
  return all;
}

type Weights = { table: RowTable; kept: Kept; scales: Float32Array };
/** A turn to be read: the words of it that are not in the mask are nothing. */
export type Turn = { call: ReadCall; view: TurnView; mask: Uint8Array; keys: Int32Array };
/** What makes a word that is not read nothing. */
const SURELY_NONE = 50;

/** What each label is worth at each token: the sum of the weights of `featuresOf`, most of which were added up before. */
export function scoresOf({ table, kept, scales }: Weights, { call, view, mask, keys }: Turn): Float32Array {
  const tokens = view.to - view.from;
  const sums = new Int32Array(tokens * SIZE);
  const adder = new RowAdder(table, sums);
  const shared = sharedSums(table, view);
  for (let token = 0; token < tokens; token += 1) {
    const at = view.from + token;
    const own = token * SIZE;
    if (mask[token] !== 1) continue;
    adder.target.own = own;
    addPairs(adder, call, { at, view });
    addKept(kept, sums, { call, view, mask, keys, at });
    const turns = shared(call.families[at] ?? 0);
    for (let label = 0; label < SIZE; label += 1) sums[own + label] = (sums[own + label] ?? 0) + (turns[label] ?? 0);
  }
  const scores = scaled(sums, scales);
  for (let token = 0; token < tokens; token += 1) if (mask[token] !== 1) scores[token * SIZE] = SURELY_NONE;
  return scores;
}

function addKept({ words, groups }: Kept, sums: Int32Array, { call, view, keys, at }: Turn & { at: number }): void {
  const token = at - view.from;
  for (let way = 0; way < words.length; way += 1) {
    const word = wordAt(call, view, at + (WAYS_FROM[way] ?? 0));
    words[way]?.addTo(sums, token * SIZE, word.id, word);
  }
  for (let group = 0; group < groups.length; group += 1) {
    const key = keys[token * KEYS_SIZE + group] ?? NO_KEY;
    if (key !== NO_KEY) groups[group]?.addTo(sums, token * SIZE, key, key);
  }
}

function scaled(sums: Int32Array, scales: Float32Array): Float32Array {
  const scores = new Float32Array(sums.length);
  for (let own = 0; own < sums.length; own += SIZE) {
    for (let label = 0; label < SIZE; label += 1) scores[own + label] = (sums[own + label] ?? 0) * (scales[label] ?? 0);
  }
  return scores;
}

/** What the turn tells of all words of a family, added up when the first of them comes. */
function sharedSums(table: RowTable, view: TurnView): (family: number) => Int32Array {
  const known: (Int32Array | undefined)[] = [];
  return (family) => {
    const made = known[family] ?? new Int32Array(SIZE);
    if (known[family] === undefined) {
      known[family] = made;
      addShared(new RowAdder(table, made), view, family);
    }
    return made;
  };
}
