import { DIGITS } from '../lexicon/other-languages.ts';
import type { Token } from '../../model/text/tokens.ts';

/**
 * A number as it was said: tokens `[from, to)`, its digits in order ("double four one" → `441`) and, if it is a single
 * quantity ("a hundred and eleven", "45.50"), its value.
 */
export type SpokenNumber = { from: number; to: number; digits: string; value: number | null };

const table = (words: string, first: number, step = 1): [string, number][] =>
  words.split(' ').map((word, index) => [word, first + index * step]);

const UNITS = new Map([
  ...table('zero one two three four five six seven eight nine', 0),
  ...DIGITS.flatMap((words) => table(words.join(' '), 0)),
]);
const TEENS = new Map(table('ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 10));
const TENS = new Map(table('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10));
const REPEATS = new Map([
  ['double', 2],
  ['triple', 3],
  ['treble', 3],
]);
/** Sounds like a digit, but only counts as one between digits. */
const SOUNDALIKES = new Map([
  ['oh', 0],
  ['o', 0],
  ['nought', 0],
  ['naught', 0],
  ['nil', 0],
  ['won', 1],
  ['to', 2],
  ['too', 2],
  ['for', 4],
  ['fore', 4],
  ['ate', 8],
]);
const ORDINALS = new Map([
  ...table('first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth', 1),
  ...table('fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth', 14),
  ['thirtieth', 30] as [string, number],
]);

/** Reads all numbers in the tokens, in order. One pass; the work per token is bounded. */
export function readNumbers(tokens: readonly Token[]): SpokenNumber[] {
  const found: SpokenNumber[] = [];
  for (let at = 0; at < tokens.length;) {
    const number = readAt(tokens, at);
    if (number) found.push(number);
    at = number ? number.to : at + 1;
  }
  return found;
}

/** The value of an ordinal word ("third" → 3) or figure ("3rd" is read as 3 by the tokens), else null. */
export function ordinalValue(word: string): number | null {
  return ORDINALS.get(word) ?? null;
}

export function isNumberWord(word: string): boolean {
  return UNITS.has(word) || TEENS.has(word) || TENS.has(word) || /^\p{N}/u.test(word);
}

function readAt(tokens: readonly Token[], start: number): SpokenNumber | null {
  const reader = { tokens, at: start, digits: '', value: null as number | null, groups: 0 };
  const first = tokens[start];
  if (!first || (!isNumberWord(first.word) && !opensNumber(tokens, start))) return null;
  while (reader.at < tokens.length && !isAfterStop(reader) && readGroup(reader)) reader.groups += 1;
  if (reader.groups === 0) return null;
  return { from: start, to: reader.at, digits: reader.digits, value: reader.groups === 1 ? reader.value : null };
}

/** A written stop ends a number: "at ten. One moment". */
function isAfterStop({ tokens, at, groups }: Reader): boolean {
  const pause = groups > 0 ? tokens[at - 1]?.pause : 'none';
  return pause === 'stop' || pause === 'question';
}

function opensNumber(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.word ?? '';
  const next = tokens[at + 1]?.word ?? '';
  if (word === 'hundred' || word === 'thousand')
    return isNumberWord(next) || next === 'and' || next === 'dollars' || next === 'pounds';
  if (word === 'a') return next === 'hundred' || next === 'thousand';
  if (REPEATS.has(word)) return UNITS.has(next) || next === 'oh' || next === 'o' || /^\d$/u.test(next);
  if (word === 'oh' || word === 'o' || word === 'nought') return isNumberWord(next) && tokens[at]?.pause === 'none';
  return false;
}

type Reader = { tokens: readonly Token[]; at: number; digits: string; value: number | null; groups: number };

/** Reads one digit, one quantity or one repeated digit, and advances; false if there is no number. */
function readGroup(reader: Reader): boolean {
  const word = reader.tokens[reader.at]?.word ?? '';
  const next = reader.tokens[reader.at + 1]?.word ?? '';
  const times = REPEATS.get(word);
  if (times) {
    const digit = figure(next) ?? (SOUNDALIKES.get(next) === 0 ? 0 : undefined);
    return digit === undefined ? false : take(reader, { digits: String(digit).repeat(times), value: null, words: 2 });
  }
  if (/^\p{N}/u.test(word)) {
    const plain = word.replace(/,/gu, '');
    return take(reader, {
      digits: plain.replace(/\D/gu, ''),
      value: plain.includes(':') ? null : Number(plain),
      words: 1,
    });
  }
  const quantity = readQuantity(reader.tokens, reader.at);
  if (quantity) return take(reader, quantity);
  const alike = SOUNDALIKES.get(word);
  const isInside = reader.groups > 0 && (isNumberWord(next) || REPEATS.has(next) || alike === 0);
  const isOpening = reader.groups === 0 && alike === 0 && isNumberWord(next);
  if (alike !== undefined && (isInside || isOpening))
    return take(reader, { digits: String(alike), value: null, words: 1 });
  return false;
}

type Group = { digits: string; value: number | null; words: number };

function take(reader: Reader, group: Group): boolean {
  reader.digits += group.digits;
  reader.value = group.value;
  reader.at += group.words;
  return true;
}

function figure(word: string): number | undefined {
  return UNITS.get(word) ?? (/^\d$/u.test(word) ? Number(word) : undefined);
}

/** "one hundred and eleven", "two thousand five hundred", "twenty five", "seven". */
function readQuantity(tokens: readonly Token[], start: number): Group | null {
  let total = 0;
  let part = 0;
  let at = start;
  let last: 'none' | 'unit' | 'tens' | 'scale' = 'none';
  for (; at < tokens.length; at += 1) {
    const word = tokens[at]?.word ?? '';
    const small = UNITS.get(word);
    const teen = TEENS.get(word);
    const ten = TENS.get(word);
    if (small !== undefined && (last === 'none' || ((last === 'tens' || last === 'scale') && small > 0))) {
      part += small;
      last = 'unit';
    } else if (teen !== undefined && (last === 'none' || last === 'scale')) {
      part += teen;
      last = 'unit';
    } else if (ten !== undefined && (last === 'none' || last === 'scale')) {
      part += ten;
      last = 'tens';
    } else if (word === 'hundred' && last !== 'none' && part > 0 && part < 100) {
      part *= 100;
      last = 'scale';
    } else if (word === 'thousand' && last !== 'none' && part > 0) {
      total += part * 1000;
      part = 0;
      last = 'scale';
    } else if ((word === 'hundred' || word === 'thousand') && at === start) {
      part = word === 'hundred' ? 100 : 1000;
      last = 'scale';
    } else if (word === 'a' && at === start && ['hundred', 'thousand'].includes(tokens[at + 1]?.word ?? '')) {
      part = 1;
      last = 'unit';
    } else if (word !== 'and' || last !== 'scale' || !isNumberWord(tokens[at + 1]?.word ?? '')) break;
  }
  if (at === start) return null;
  const value = total + part;
  return { digits: String(value), value, words: at - start };
}
