import { foldUmlauts } from './fold.ts';
import { push } from './multimap.ts';
import { figureOf, spelledForms } from './number-forms.ts';
import { FIRM } from './small-words.ts';
import { soundKey } from './sounds.ts';
import { createTokenReader, spacedPieces } from './tokens.ts';

export type Element = {
  words: ReadonlySet<string>;
  sounds: ReadonlySet<string>;
  /** Words long enough to match in spite of one wrong letter. */
  longWords: readonly string[];
  isGap: boolean;
  /** Contains no word that inverts a sentence, so one wrong word may be ignored. */
  isOpen: boolean;
};
export type Phrase = { source: string; elements: readonly Element[]; slips: number; isLong: boolean };
export type PhraseSet = { byWord: ReadonlyMap<string, Phrase[]>; bySound: ReadonlyMap<string, Phrase[]> };

/** The most variants that a phrase with multi-word alternatives may have. */
export const EXPANSIONS_MAX = 64;
/** Shortest word that matches in spite of one wrong letter. */
export const LONG_WORD_MIN = 5;
/** Shortest word that may be two words heard as one. */
export const SPLIT_LENGTH_MIN = 6;
const LONG_PHRASE_MIN = 6;
/** How many positions are cached with their alternatives, and how long they may be. */
const KEPT_MAX = 10_000;
const KEPT_LENGTH_MAX = 60;
const read = createTokenReader();

/**
 * Compiles phrases into a set that is matched in one pass. A phrase is plain words: `a/b` are alternatives for one
 * position, `*` stands for up to three words. Phrases never become regular expressions. Compilation is lazy: a service
 * that scores nothing starts without it.
 */
export function compilePhrases(phrases: readonly string[]): PhraseSet {
  return compileLater(phrases, { isExact: false });
}

/** The same for what nobody may be said to have said by a slip: no word stands for one that only sounds or looks like it. */
export function compileExactly(phrases: readonly string[]): PhraseSet {
  return compileLater(phrases, { isExact: true });
}

type Forgiving = { isExact: boolean };

function compileLater(phrases: readonly string[], forgiving: Forgiving): PhraseSet {
  let compiled: PhraseSet | undefined;
  return {
    get byWord() {
      return (compiled ??= compileNow(phrases, forgiving)).byWord;
    },
    get bySound() {
      return (compiled ??= compileNow(phrases, forgiving)).bySound;
    },
  };
}

function compileNow(phrases: readonly string[], { isExact }: Forgiving): PhraseSet {
  const byWord = new Map<string, Phrase[]>();
  const bySound = new Map<string, Phrase[]>();
  const elements = new Map<string, Element>();
  for (const found of phrases.flatMap((source) => compilePhrase(source, elements))) {
    const phrase = isExact ? { ...found, slips: 0 } : found;
    const first = phrase.elements[0];
    if (!first) continue;
    for (const word of first.words) push(byWord, word, phrase);
    for (const word of joinedStarts(phrase)) push(byWord, word, phrase);
    if (phrase.slips > 0) for (const sound of first.sounds) push(bySound, sound, phrase);
  }
  return { byWord, bySound };
}

/** The first two words joined, as recognisers write them ("checkbook"). */
function joinedStarts({ elements: [first, second] }: Phrase): string[] {
  if (!first || !second || first.words.size * second.words.size > EXPANSIONS_MAX) return [];
  return [...first.words]
    .flatMap((start) => [...second.words].map((end) => start + end))
    .filter((word) => word.length >= SPLIT_LENGTH_MIN);
}

/** How many variants a phrase has, and how many positions its longest one has: a rubric limits both. */
export function measurePhrase(source: string): { variants: number; places: number; choicesMax: number } {
  let variants = 1;
  let places = 0;
  let choicesMax = 0;
  for (const options of optionsOf(source)) {
    variants *= options.length;
    places += Math.max(...options.map((option) => option.length));
    choicesMax = Math.max(choicesMax, ...options.flat().map((chunk) => chunk.split('/').length));
  }
  return { variants, places, choicesMax };
}

function compilePhrase(source: string, elements: Map<string, Element>): Phrase[] {
  let variants: string[][] = [[]];
  for (const options of optionsOf(source)) {
    variants = variants.flatMap((variant) => options.map((option) => [...variant, ...option])).slice(0, EXPANSIONS_MAX);
  }
  return variants
    .map((chunks) => toPhrase(source, trimGaps(chunks), elements))
    .filter((phrase) => phrase.elements.length > 0);
}

/**
 * The alternatives for each position of the phrase: single words together in one list, each multi-word alternative in
 * its own.
 */
function optionsOf(source: string): string[][][] {
  return spacedPieces(source)
    .map(waysToSay)
    .filter((options) => options.length > 0);
}

/** Phrases repeat words, so these are cached, but not without limit, as customers write phrases too. */
const kept = new Map<string, string[][]>();

function waysToSay(chunk: string): string[][] {
  const known = kept.get(chunk);
  if (known) return known;
  const ways = chunk === '*' ? [['*']] : readChoices(chunk);
  if (kept.size >= KEPT_MAX) kept.clear();
  if (chunk.length <= KEPT_LENGTH_MAX) kept.set(chunk, ways);
  return ways;
}

function readChoices(chunk: string): string[][] {
  const single = new Set<string>();
  const several: string[][] = [];
  for (const choice of chunk.split('/').flatMap(spellings)) {
    const words = read(choice).map((token) => token.word);
    if (words.length > 1) several.push(words);
    else if (words[0] !== undefined) single.add(words[0]).add(figureOf(words[0]) ?? words[0]);
  }
  return [...(single.size > 0 ? [[[...single].join('/')]] : []), ...several];
}

/** The alternative itself, its form without umlauts (`fuer`), and small numbers spelled out. */
function spellings(choice: string): string[] {
  if (choice === '') return [];
  const lower = choice.toLowerCase();
  return /[äöü]/u.test(lower.normalize('NFC')) ? [choice, foldUmlauts(lower)] : [choice, ...spelledForms(choice)];
}

function trimGaps(chunks: string[]): string[] {
  const first = chunks.findIndex((chunk) => chunk !== '*');
  const last = chunks.findLastIndex((chunk) => chunk !== '*');
  return first < 0 ? [] : chunks.slice(first, last + 1);
}

/** Positions with the same alternatives share their data, so variants cost no more memory than their words. */
function toPhrase(source: string, chunks: string[], known: Map<string, Element>): Phrase {
  const elements = chunks.map((chunk): Element => {
    const element = known.get(chunk) ?? toElement(chunk);
    known.set(chunk, element);
    return element;
  });
  const solid = elements.filter((element) => !element.isGap).length;
  return { source, elements, slips: Math.floor((solid - 1) / 2), isLong: solid >= LONG_PHRASE_MIN };
}

function toElement(chunk: string): Element {
  const words = chunk === '*' ? [] : chunk.split('/');
  const open = words.filter((word) => !FIRM.has(word));
  return {
    words: new Set(words),
    sounds: new Set(open.map(soundKey)),
    longWords: words.filter((word) => word.length >= LONG_WORD_MIN),
    isGap: chunk === '*',
    isOpen: open.length === words.length && chunk !== '*',
  };
}
