import {
  LONG_WORD_MIN,
  SPLIT_LENGTH_MIN,
  type Element,
  type Phrase,
  type PhraseSet,
} from '../../model/text/compile-phrases.ts';
import { push } from '../../model/text/multimap.ts';
import { FIRM, TURNING, WEAK } from '../../model/text/small-words.ts';
import { isOneEditApart } from '../../model/text/sounds.ts';
import type { Token } from '../../model/text/tokens.ts';
import { spend, type Work } from './work.ts';

/** Where a phrase was found: tokens `from` (inclusive) to `to` (exclusive). */
export type Match = { from: number; to: number; phrase: string };

const GAP_WORDS_MAX = 3;
/** Searching for one phrase at one position gives up after this many steps: no real phrase needs them. */
const STEPS_MAX = 1000;
/** All positions where a phrase of the set begins, with the longest match of each, in order. */
export function findPhrases(tokens: readonly Token[], set: PhraseSet): Match[] {
  const found: Match[] = [];
  const work = { left: Infinity };
  const text: Text = { tokens, joined: joinedWords(tokens), end: tokens.length, asked: 0, steps: 0, work };
  for (let at = 0; at < text.end; at += 1) {
    const match = longestAt(text, set, at);
    if (match) found.push(match);
  }
  return found;
}

/**
 * The positions of each word, pair of words and sound of a long text, so that a set is only tried where it can begin.
 */
export type WordIndex = {
  tokens: readonly Token[];
  joined: readonly string[];
  byWord: ReadonlyMap<string, readonly number[]>;
  byPair: ReadonlyMap<string, readonly number[]>;
  bySound: ReadonlyMap<string, readonly number[]>;
};

export function indexWords(tokens: readonly Token[]): WordIndex {
  const byWord = new Map<string, number[]>();
  const byPair = new Map<string, number[]>();
  const bySound = new Map<string, number[]>();
  const joined = joinedWords(tokens);
  tokens.forEach(({ word, sound }, at) => {
    push(byWord, word, at);
    push(byPair, joined[at] ?? '', at);
    if (!FIRM.has(word)) push(bySound, sound, at);
  });
  return { tokens, joined, byWord, byPair, bySound };
}

export type IndexedSearch = {
  index: WordIndex;
  set: PhraseSet;
  /** The end of the speech that contains a position. */
  endOf: (at: number) => number;
  /** Without it, the search is unlimited. */
  work?: Work;
  /** Earlier results of the same set in the same words with other ends; they are updated. */
  before?: Searched | undefined;
};

/** The record of a search, position by position: results that other ends would not have changed are reused. */
export type Searched = {
  places: Uint32Array;
  /** The ends of speech, and the furthest position that was compared with each. */
  ends: Uint32Array;
  asked: Uint32Array;
  matches: Map<number, Match>;
};

/** Like `findPhrases`, over an indexed text. Throws `TooExpensiveError` once the work is used up. */
export function findIndexed({ index, set, endOf, work = { left: Infinity } }: IndexedSearch): Match[] {
  const text = textOf(index, work);
  const found: Match[] = [];
  let last = -1;
  for (const at of placesToLook(index, set, work)) {
    if (at === last) continue;
    last = at;
    text.end = endOf(at);
    const match = longestAt(text, set, at);
    if (match) found.push(match);
  }
  return found;
}

/** The same, recorded for the next search of the same words with other ends. */
export function searchAgain(search: IndexedSearch): { found: Match[]; searched: Searched } {
  const { index, set, endOf, work = { left: Infinity } } = search;
  const searched = search.before ?? newSearch(placesToLook(index, set, work));
  const { places, ends, asked, matches } = searched;
  const text = textOf(index, work);
  // Millions of positions in a long call: by index, as iterators would cost more than the work itself.
  for (let nth = 0; nth < places.length; nth += 1) {
    const at = places[nth] ?? 0;
    const end = endOf(at);
    const [endBefore, furthest] = [ends[nth] ?? 0, asked[nth] ?? 0];
    if (end === endBefore || (furthest < end && furthest < endBefore)) continue;
    text.end = end;
    text.asked = 0;
    const match = longestAt(text, set, at);
    if (match) matches.set(at, match);
    else matches.delete(at);
    ends[nth] = end;
    asked[nth] = text.asked;
  }
  return { found: [...matches.values()].toSorted((a, b) => a.from - b.from), searched };
}

function newSearch(all: Uint32Array): Searched {
  const places = all.filter((at, nth) => nth === 0 || at !== all[nth - 1]);
  const [ends, asked] = [new Uint32Array(places.length), new Uint32Array(places.length)];
  return { places, ends, asked, matches: new Map() };
}

function textOf({ tokens, joined }: WordIndex, work: Work): Text {
  return { tokens, joined, end: 0, asked: 0, steps: 0, work };
}

/** Where a phrase of the set can begin, in order; positions may repeat. */
function placesToLook({ byWord, byPair, bySound }: WordIndex, set: PhraseSet, work: Work): Uint32Array {
  const lists: (readonly number[])[] = [];
  let count = 0;
  const add = (places: readonly number[] = NOWHERE): void => {
    spend(work, 1 + places.length);
    if (places.length === 0) return;
    lists.push(places);
    count += places.length;
  };
  for (const word of set.byWord.keys()) {
    add(byWord.get(word));
    add(byPair.get(word));
  }
  for (const sound of set.bySound.keys()) add(bySound.get(sound));
  const all = new Uint32Array(count);
  let at = 0;
  for (const places of lists) {
    all.set(places, at);
    at += places.length;
  }
  return all.sort();
}

const NOWHERE: readonly number[] = [];

/** `joined[i]` is word i joined with the next one: recognisers write "check book". Cached for each list of words. */
type Text = {
  tokens: readonly Token[];
  joined: readonly string[];
  end: number;
  /** The furthest position that was compared with the end. */
  asked: number;
  /** Remaining steps for the phrase at this position. */
  steps: number;
  work: Work;
};

function isBeforeEnd(text: Text, at: number): boolean {
  if (at > text.asked) text.asked = at;
  return at < text.end;
}

const joinedOf = new WeakMap<readonly Token[], readonly string[]>();

function joinedWords(tokens: readonly Token[]): readonly string[] {
  const known = joinedOf.get(tokens);
  if (known) return known;
  const joined = tokens.map(({ word }, index) => word + (tokens[index + 1]?.word ?? ''));
  joinedOf.set(tokens, joined);
  return joined;
}

function longestAt(text: Text, set: PhraseSet, at: number): Match | null {
  const token = text.tokens[at];
  if (!token) return null;
  let best: Match | null = null;
  const consider = (phrases: readonly Phrase[] | undefined): void => {
    for (const phrase of phrases ?? NONE) {
      spend(text.work, 1);
      if (!canGoOn(text, phrase, at)) continue;
      text.steps = STEPS_MAX;
      const to = matchFrom(text, phrase, { at, element: 0, slips: phrase.slips, skips: SKIPS_MAX });
      spend(text.work, STEPS_MAX - text.steps);
      if (to > (best?.to ?? 0)) best = { from: at, to, phrase: phrase.source };
    }
  };
  consider(set.byWord.get(token.word));
  if (isBeforeEnd(text, at + 1)) consider(set.byWord.get(text.joined[at] ?? ''));
  if (!FIRM.has(token.word)) consider(set.bySound.get(token.sound));
  return best;
}

const NONE: readonly Phrase[] = [];
const SKIPS_MAX = 2;

/** Checks the second word first: most phrases with the same first word fail here. */
function canGoOn(text: Text, { elements, slips, isLong }: Phrase, at: number): boolean {
  const { tokens, joined } = text;
  const second = elements[1];
  if (!second || second.isGap) return true;
  const isJoined = !elements[0]?.words.has(tokens[at]?.word ?? '');
  const next = isBeforeEnd(text, at + 1) ? tokens[at + 1] : undefined;
  if (!next || isJoined) return isJoined;
  if (second.words.has(next.word) || WEAK.has(next.word) || (isLong && second.isOpen)) return true;
  if (second.words.has(joined[at + 1] ?? '')) return true;
  if (slips > 0 && isSlip(next, second)) return true;
  if (next.word.length < SPLIT_LENGTH_MIN || elements.length < 3) return false;
  for (const word of second.words) if (next.word.startsWith(word)) return true;
  return false;
}

type State = { at: number; element: number; slips: number; skips: number };

/** The end of the match from this state, or -1, also if it takes too many steps. */
function matchFrom(text: Text, phrase: Phrase, state: State): number {
  text.steps -= 1;
  if (text.steps < 0) return -1;
  const { at, element: index, slips, skips } = state;
  const element = phrase.elements[index];
  if (!element) return at;
  if (element.isGap) return matchGap(text, phrase, state);
  const token = isBeforeEnd(text, at) ? text.tokens[at] : undefined;
  if (!token) return -1;
  const isExact = element.words.has(token.word);
  if (isExact) {
    const to = matchFrom(text, phrase, { at: at + 1, element: index + 1, slips, skips });
    if (to > 0) return to;
  }
  if (token.word.length >= SPLIT_LENGTH_MIN || element.words.has(text.joined[at] ?? '')) {
    const split = matchSplit(text, phrase, state);
    if (split > 0) return split;
  }
  const mayDiffer =
    !isExact && slips > 0 && !FIRM.has(token.word) && (isSlip(token, element) || isStray(phrase, state));
  if (mayDiffer) {
    const to = matchFrom(text, phrase, { at: at + 1, element: index + 1, slips: slips - 1, skips });
    if (to > 0) return to;
  }
  if (index === 0 || skips === 0 || !WEAK.has(token.word)) return -1;
  return matchFrom(text, phrase, { at: at + 1, element: index, slips, skips: skips - 1 });
}

function matchGap(text: Text, phrase: Phrase, state: State): number {
  for (let words = 0; words <= GAP_WORDS_MAX; words += 1) {
    const to = matchFrom(text, phrase, { ...state, at: state.at + words, element: state.element + 1 });
    if (to > 0) return to;
    const passed = text.tokens[state.at + words];
    if (!passed || TURNING.has(passed.word) || passed.pause === 'stop') return -1;
  }
  return -1;
}

/** One word heard as two ("check book"), or two as one ("thankyou"). */
function matchSplit(text: Text, phrase: Phrase, { at, element: index, slips, skips }: State): number {
  const element = phrase.elements[index];
  const word = text.tokens[at]?.word ?? '';
  if (isBeforeEnd(text, at + 1) && element?.words.has(text.joined[at] ?? '')) {
    return matchFrom(text, phrase, { at: at + 2, element: index + 1, slips, skips });
  }
  const following = phrase.elements[index + 1];
  if (!element || !following || following.isGap || word.length < SPLIT_LENGTH_MIN) return -1;
  for (const part of element.words) {
    if (word.startsWith(part) && following.words.has(word.slice(part.length))) {
      return matchFrom(text, phrase, { at: at + 1, element: index + 2, slips, skips });
    }
  }
  return -1;
}

/** In a long phrase, one inner word may be anything: "how can i *help* you today" → "how can i held you today". */
function isStray(phrase: Phrase, { element: index, slips }: State): boolean {
  const isInner = index > 0 && index < phrase.elements.length - 1;
  return phrase.isLong && isInner && slips === phrase.slips && phrase.elements[index]?.isOpen === true;
}

function isSlip(token: Token, element: Element): boolean {
  if (token.sound !== '' && element.sounds.has(token.sound)) return true;
  if (token.word.length < LONG_WORD_MIN) return false;
  return element.longWords.some((word) => word[0] === token.word[0] && isOneEditApart(word, token.word));
}
