import { kindOfPlaceholder, placeholderPattern } from '../redaction.ts';
import { expandWord } from './contractions.ts';
import { foldWord } from './fold.ts';
import { soundKey } from './sounds.ts';

/** The punctuation after a word. Recognisers write none: then it is always `none`. */
export type Pause = 'none' | 'comma' | 'stop' | 'question';

/** One plain lower-case word and its position in the segment's text (`from`, `to`). */
export type Token = {
  word: string;
  sound: string;
  from: number;
  to: number;
  pause: Pause;
  confidence: number | null;
};

export type TokenReader = (text: string, confidences?: readonly (number | null)[]) => Token[];

/** `[noise]`, `<unk>`, `(laughs)`: a transcriber's note, not speech. */
const MARKER = /\[[^\][]{0,60}\]|<[^<>]{0,60}>|\*[a-z]{1,30}\*/giu;
/** A placeholder left by redaction stands for one spoken word. */
const PLACEHOLDER = new RegExp(placeholderPattern, 'gu');
const WORD = new RegExp(
  String.raw`${placeholderPattern}|[\p{L}\p{M}]+(?:['\u2018\u2019][\p{L}\p{M}]+)*|\p{N}+(?:[.,:]\p{N}+)*|[$£€%@#?!.;,]`,
  'gu',
);
const SPACED = new RegExp(String.raw`(?:${placeholderPattern}|\S)+`, 'gu');
const FILLERS = new Set(
  'uh um uhm umm er erm ah hm hmm hmmm mm mmm mmmm huh eh uhh ahh ooh em hum ahm ehm э эм эээ'.split(' '),
);
const SIGNS = new Map([
  ['$', 'dollars'],
  ['£', 'pounds'],
  ['€', 'euros'],
  ['%', 'percent'],
  ['@', 'at'],
  ['#', 'number'],
]);

/** Creates a reader that caches sound keys for one call, so that a long call is read in linear time. */
export function createTokenReader(): TokenReader {
  const sounds = new Map<string, string>();
  const soundOf = (word: string): string => {
    const known = sounds.get(word);
    if (known !== undefined) return known;
    const key = soundKey(word);
    sounds.set(word, key);
    return key;
  };
  return (text, confidences) => readTokens({ text, confidences: confidences ?? [], soundOf });
}

/** Replaces markers with spaces of the same length, so that positions in the text stay valid. Placeholders stay. */
export function blankMarkers(text: string): string {
  return text.replace(MARKER, (marker) => (kindOfPlaceholder(marker) === null ? ' '.repeat(marker.length) : marker));
}

/** The space-separated pieces of a text, with a placeholder as one piece. */
export function spacedPieces(text: string): string[] {
  return text.match(SPACED) ?? [];
}

/** Number of spoken words in a text: fillers count, markers do not. */
export function countWords(text: string): number {
  return (
    blankMarkers(text)
      .replace(PLACEHOLDER, 'x')
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'\u2019.,:-]*/gu)?.length ?? 0
  );
}

type ReadInput = { text: string; confidences: readonly (number | null)[]; soundOf: (word: string) => string };

function readTokens({ text, confidences, soundOf }: ReadInput): Token[] {
  const tokens: Token[] = [];
  const clean = blankMarkers(text);
  const confidenceAt = confidenceLookup(clean, confidences);
  let previous = '';
  for (const found of clean.matchAll(WORD)) {
    const raw = found[0];
    const last = tokens.at(-1);
    if ('?!.;,'.includes(raw)) {
      if (last) last.pause = strongerPause(last.pause, raw);
      continue;
    }
    if (kindOfPlaceholder(raw) !== null) {
      tokens.push(placeholderToken(raw, found.index));
      previous = '';
      continue;
    }
    const word = SIGNS.get(raw) ?? plainWord(raw);
    const from = found.index;
    const isAssent =
      word === 'hmm' || word === 'huh' ? previous === 'mm' || previous === 'uh' || previous === 'um' : false;
    previous = word;
    if (FILLERS.has(word) && !isAssent) continue;
    const confidence = confidenceAt(from);
    for (const part of isAssent ? ['mhm'] : expandWord(word)) {
      tokens.push({ word: part, sound: soundOf(part), from, to: from + raw.length, pause: 'none', confidence });
    }
  }
  return tokens;
}

/** Lower case, one kind of apostrophe, no accents. */
export function plainWord(raw: string): string {
  return foldWord(
    raw
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\u2018\u2019]/gu, "'"),
  );
}

/** Only a phrase that names the placeholder itself matches this word. */
function placeholderToken(raw: string, from: number): Token {
  return { word: raw, sound: raw, from, to: from + raw.length, pause: 'none', confidence: null };
}

function strongerPause(present: Pause, sign: string): Pause {
  if (sign === '?') return 'question';
  if (sign === ',') return present === 'none' ? 'comma' : present;
  return present === 'question' ? present : 'stop';
}

/** There is one confidence for each space-separated word; if the counts differ, none is known. */
function confidenceLookup(text: string, confidences: readonly (number | null)[]): (at: number) => number | null {
  if (confidences.length === 0) return () => null;
  const ends: number[] = [];
  for (const found of text.matchAll(SPACED)) ends.push(found.index + found[0].length);
  if (ends.length !== confidences.length) return () => null;
  let index = 0;
  return (at) => {
    while (index < ends.length - 1 && at >= (ends[index] ?? 0)) index += 1;
    return confidences[index] ?? null;
  };
}
