import type { Token } from './tokens.ts';
import { createTokenReader } from './tokens.ts';
import { isOneEditApart, soundKey } from './sounds.ts';

/** A place where a phrase was found: tokens `from` (inclusive) to `to` (exclusive). */
export type Match = { from: number; to: number; phrase: string };

type Element = { words: ReadonlySet<string>; sounds: ReadonlySet<string>; isGap: boolean };
type Phrase = { source: string; elements: Element[]; slips: number };
export type PhraseSet = { byWord: ReadonlyMap<string, Phrase[]>; bySound: ReadonlyMap<string, Phrase[]> };

const GAP_WORDS_MAX = 3;
const EXPANSIONS_MAX = 64;
/** Small words that people slip into a phrase; at most two are passed over. */
const WEAK = new Set(
  'just really very actually also now then so oh well please kindly perhaps quickly there already even the a an to for uh like maybe quite totally'.split(
    ' ',
  ),
);
/** Words that turn a sentence round: never mistaken for others, never passed over. */
const FIRM = new Set(
  'not no never none nothing nobody without unable if un off cannot neither nor know now note yes on in can will'.split(
    ' ',
  ),
);

/**
 * Compiles phrases into a set that is matched in one pass. A phrase is plain words: `a/b` are alternatives for one
 * place, `*` stands for up to three words. Phrases never become regular expressions.
 */
export function compilePhrases(phrases: readonly string[]): PhraseSet {
  const byWord = new Map<string, Phrase[]>();
  const bySound = new Map<string, Phrase[]>();
  for (const phrase of phrases.flatMap(compilePhrase)) {
    const first = phrase.elements[0];
    if (!first) continue;
    for (const word of first.words) push(byWord, word, phrase);
    if (phrase.slips > 0) for (const sound of first.sounds) push(bySound, sound, phrase);
  }
  return { byWord, bySound };
}

/** All places in `tokens[from, to)` where a phrase of the set begins, the longest match of each place, in order. */
export function findPhrases(tokens: readonly Token[], set: PhraseSet, range?: { from: number; to: number }): Match[] {
  const found: Match[] = [];
  const end = range?.to ?? tokens.length;
  for (let at = range?.from ?? 0; at < end; at += 1) {
    const match = longestAt(tokens, set, { at, end });
    if (match) found.push(match);
  }
  return found;
}

function longestAt(tokens: readonly Token[], set: PhraseSet, place: { at: number; end: number }): Match | null {
  let best: Match | null = null;
  const consider = (phrase: Phrase): void => {
    const to = matchFrom(
      { tokens, phrase, end: place.end },
      { at: place.at, element: 0, slips: phrase.slips, skips: 2 },
    );
    if (to > 0 && to > (best?.to ?? 0)) best = { from: place.at, to, phrase: phrase.source };
  };
  const token = tokens[place.at];
  const next = tokens[place.at + 1];
  if (!token) return null;
  for (const phrase of set.byWord.get(token.word) ?? []) consider(phrase);
  if (next && place.at + 1 < place.end)
    for (const phrase of set.byWord.get(token.word + next.word) ?? []) consider(phrase);
  if (!FIRM.has(token.word)) for (const phrase of set.bySound.get(token.sound) ?? []) consider(phrase);
  return best;
}

type Text = { tokens: readonly Token[]; phrase: Phrase; end: number };
type State = { at: number; element: number; slips: number; skips: number };

/** The end of the phrase matched from this state, or -1. Every branch is bounded by small constants. */
function matchFrom(text: Text, state: State): number {
  const element = text.phrase.elements[state.element];
  if (!element) return state.at;
  const token = state.at < text.end ? text.tokens[state.at] : undefined;
  if (element.isGap) return matchGap(text, state);
  if (!token) return -1;
  const step = (change: Partial<State>): number =>
    matchFrom(text, { ...state, at: state.at + 1, element: state.element + 1, ...change });
  if (element.words.has(token.word)) {
    const end = step({});
    if (end > 0) return end;
  }
  const split = splitWord(text, state, element);
  if (split > 0) return split;
  if (state.slips > 0 && !FIRM.has(token.word) && isSlip(token, element, text.phrase.elements.length)) {
    const end = step({ slips: state.slips - 1 });
    if (end > 0) return end;
  }
  if (state.element > 0 && state.skips > 0 && WEAK.has(token.word)) {
    return matchFrom(text, { ...state, at: state.at + 1, skips: state.skips - 1 });
  }
  return -1;
}

function matchGap(text: Text, state: State): number {
  for (let words = 0; words <= GAP_WORDS_MAX; words += 1) {
    const end = matchFrom(text, { ...state, at: state.at + words, element: state.element + 1 });
    if (end > 0) return end;
    const passed = text.tokens[state.at + words];
    if (!passed || (FIRM.has(passed.word) && passed.word === 'not') || passed.pause === 'stop') return -1;
  }
  return -1;
}

/** One word heard as two ("check book"), or two as one ("thankyou"). */
function splitWord(text: Text, state: State, element: Element): number {
  const token = text.tokens[state.at];
  const next = state.at + 1 < text.end ? text.tokens[state.at + 1] : undefined;
  if (token && next && element.words.has(token.word + next.word)) {
    return matchFrom(text, { ...state, at: state.at + 2, element: state.element + 1 });
  }
  const following = text.phrase.elements[state.element + 1];
  if (!token || !following || following.isGap || token.word.length < 6) return -1;
  for (const word of element.words) {
    if (token.word.startsWith(word) && following.words.has(token.word.slice(word.length))) {
      return matchFrom(text, { ...state, at: state.at + 1, element: state.element + 2 });
    }
  }
  return -1;
}

function isSlip(token: Token, element: Element, length: number): boolean {
  if (element.sounds.has(token.sound) && token.sound !== '') return true;
  if (length >= 6 && ![...element.words].some((word) => FIRM.has(word))) return true;
  if (token.word.length < 5) return false;
  for (const word of element.words) {
    if (word.length >= 5 && word[0] === token.word[0] && isOneEditApart(word, token.word)) return true;
  }
  return false;
}

const read = createTokenReader();

function compilePhrase(source: string): Phrase[] {
  let variants: string[][] = [[]];
  for (const chunk of source.split(/\s+/u).filter((part) => part !== '')) {
    const choices = chunk === '*' ? ['*'] : chunk.split('/').filter((part) => part !== '');
    const single = new Set<string>();
    const several: string[][] = [];
    for (const choice of choices) {
      const words = choice === '*' ? ['*'] : read(choice).map((token) => token.word);
      if (words.length === 1) single.add(words[0] ?? '');
      else if (words.length > 1) several.push(words);
    }
    const options = [...(single.size > 0 ? [[[...single].join('/')]] : []), ...several.map((words) => words)];
    if (options.length === 0) continue;
    variants = variants.flatMap((variant) => options.map((option) => [...variant, ...option])).slice(0, EXPANSIONS_MAX);
  }
  return variants.map((chunks) => toPhrase(source, trimGaps(chunks))).filter((phrase) => phrase.elements.length > 0);
}

function trimGaps(chunks: string[]): string[] {
  const first = chunks.findIndex((chunk) => chunk !== '*');
  const last = chunks.findLastIndex((chunk) => chunk !== '*');
  return first < 0 ? [] : chunks.slice(first, last + 1);
}

function toPhrase(source: string, chunks: string[]): Phrase {
  const elements = chunks.map((chunk): Element => {
    const words = chunk === '*' ? [] : chunk.split('/');
    const open = words.filter((word) => !FIRM.has(word));
    return { words: new Set(words), sounds: new Set(open.map(soundKey)), isGap: chunk === '*' };
  });
  const solid = elements.filter((element) => !element.isGap).length;
  return { source, elements, slips: Math.floor((solid - 1) / 2) };
}

function push(map: Map<string, Phrase[]>, key: string, phrase: Phrase): void {
  const list = map.get(key);
  if (list) list.push(phrase);
  else map.set(key, [phrase]);
}
