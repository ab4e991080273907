import { kindOfPlaceholder } from '../../model/redaction.ts';
import type { PlacedToken } from '../conversation/conversation.ts';
import { CURRENCY_WORDS } from '../lexicon/other-languages.ts';
import { isContentWord } from './content.ts';
import { isNumberWord, ordinalValue, readNumbers } from './numbers.ts';
import type { SpokenNumber } from './numbers.ts';
import { MONTHS, WEEKDAYS } from './values.ts';

const MONTH_NAMES = new Set(MONTHS);
const DAY_OF = new Map(WEEKDAYS.toReversed().flatMap((day) => [day, `${day}s`].map((word) => [word, day] as const)));

export type DetailKind = 'amount' | 'date' | 'time' | 'address' | 'number' | 'email';
/** A detail as it was said: its kind, its comparable values, and its positions `[from, to)`. */
export type Detail = { kind: DetailKind; values: string[]; from: number; to: number };

const CURRENCY = new Set([
  ...'dollars dollar pounds pound euros euro bucks quid cents pence grand'.split(' '),
  ...CURRENCY_WORDS,
]);
const TIME_AFTER = new Set('am pm oclock uhr'.split(' '));
const STREETS = new Set(
  'street road avenue lane drive boulevard court place square terrace close crescent highway parkway st rd ave blvd'.split(
    ' ',
  ),
);
/** Without a house number, only these indicate a street: "you close" does not. */
const CLEAR_STREETS = new Set(['street', 'road', 'avenue', 'lane', 'boulevard', 'highway']);
const RELATIVE_DAYS = new Set(['tomorrow', 'tonight', 'today']);
const UNIT_AFTER = new Set(
  'minutes minute hours hour days day weeks week months month years year times percent people kids digits digit working business options'.split(
    ' ',
  ),
);
const DIGITS_MIN = 3;

/** Finds amounts, dates, times, addresses, numbers and e-mail addresses in the words, in order. */
export function readDetails(tokens: readonly PlacedToken[]): Detail[] {
  const details: Detail[] = [];
  const numbers = readNumbers(tokens);
  for (const number of numbers) {
    const detail = readNumber(tokens, number);
    if (!detail) continue;
    details.push(place(tokens, detail));
  }
  tokens.forEach((token, index) => {
    const redacted = readRedacted(token.word, index);
    if (redacted) details.push(place(tokens, redacted));
    const date = readDate(tokens, index);
    if (date && MONTH_NAMES.has(token.word))
      details.push(...rangeStart(tokens, index).map((start) => place(tokens, start)));
    if (date) details.push(place(tokens, date));
    else if (token.word === 'at' && isEmail(tokens, index)) {
      details.push(
        place(tokens, {
          kind: 'email',
          values: [tokens[index + 1]?.word ?? ''],
          from: Math.max(0, index - 3),
          to: index + 2,
        }),
      );
    } else if (token.word === 'noon' || token.word === 'midday' || token.word === 'midnight') {
      details.push(
        place(tokens, { kind: 'time', values: [token.word === 'midnight' ? '0' : '12'], from: index, to: index + 1 }),
      );
    } else if (CLEAR_STREETS.has(token.word) && !isNumberWord(tokens[index - 1]?.word ?? '0') && index > 0) {
      const name = tokens[index - 1]?.word ?? '';
      if (name.length > 2 && isContentWord(name))
        details.push(place(tokens, { kind: 'address', values: [name], from: index - 1, to: index + 1 }));
    }
  });
  return details.toSorted((a, b) => a.from - b.from);
}

type Local = { kind: DetailKind; values: string[]; from: number; to: number };

function place(tokens: readonly PlacedToken[], { kind, values, from, to }: Local): Detail {
  return { kind, values, from: tokens[from]?.at ?? 0, to: (tokens[Math.min(to, tokens.length) - 1]?.at ?? 0) + 1 };
}

/** Redacted details of the same kind are equal: reading one back counts as reading it back. */
function readRedacted(word: string, index: number): Local | null {
  const kind = kindOfPlaceholder(word);
  const place = { from: index, to: index + 1 };
  switch (kind) {
    case 'phone_number':
      return { kind: 'number', values: ['phone'], ...place };
    case 'iban':
    case 'bank_account':
      return { kind: 'number', values: ['account'], ...place };
    case 'address':
      return { kind: 'address', values: ['home'], ...place };
    case 'email':
      return { kind: 'email', values: ['address'], ...place };
    default:
      return null;
  }
}

function readNumber(tokens: readonly PlacedToken[], number: SpokenNumber): Local | null {
  const { from, to, digits, value } = number;
  const word = wordWithin(tokens, to);
  const next = word(to);
  if (CURRENCY.has(next) || CURRENCY.has(word(from - 1)))
    return { kind: 'amount', values: [amountOf(number)], from, to: to + (CURRENCY.has(next) ? 1 : 0) };
  if (isTime(tokens, number)) return { kind: 'time', values: [hourOf(digits)], from, to: to + 1 };
  if (MONTH_NAMES.has(next) || (next === 'of' && MONTH_NAMES.has(word(to + 1))) || MONTH_NAMES.has(word(from - 1)))
    return null;
  if (UNIT_AFTER.has(next) || ['error', 'version', 'model', 'percent'].includes(word(from - 1))) return null;
  const isStreet = [1, 2, 3].some((step) => STREETS.has(word(to + step)) && step > 0);
  if (isStreet && digits.length <= 5)
    return { kind: 'address', values: [digits], from, to: Math.min(tokens.length, to + 2) };
  if (digits.length < DIGITS_MIN || (value !== null && digits.length < 4 && to - from < 3 && digits.endsWith('00')))
    return null;
  return { kind: 'number', values: [digits], from, to };
}

/** Words around a number that ends before `to`: there are none beyond written punctuation. */
function wordWithin(tokens: readonly PlacedToken[], to: number): (at: number) => string {
  const pause = tokens[to - 1]?.pause;
  const isEnd = pause === 'stop' || pause === 'question';
  return (at) => (isEnd && at >= to ? '' : (tokens[at]?.word ?? ''));
}

function amountOf({ digits, value }: SpokenNumber): string {
  return value === null ? digits : String(Math.round(value * 100) / 100);
}

function isTime(tokens: readonly PlacedToken[], { from, to, digits }: SpokenNumber): boolean {
  if (digits.length > 4) return false;
  const word = wordWithin(tokens, to);
  const next = word(to);
  const after = word(to + 1);
  if (TIME_AFTER.has(next)) return true;
  if ((next === 'a' || next === 'p') && after === 'm') return true;
  const source = tokens[from]?.word ?? '';
  if (source.includes(':')) return true;
  const before = tokens[from - 1]?.word ?? '';
  const isHalf = (before === 'past' || before === 'to') && ['half', 'quarter'].includes(tokens[from - 2]?.word ?? '');
  const isAtHour = before === 'at' && digits.length <= 4 && Number(hourOf(digits)) <= 24 && !isNumberWord(next);
  const isDayTime = next === 'in' && ['morning', 'afternoon', 'evening'].includes(tokens[to + 2]?.word ?? '');
  return isHalf || isDayTime || (isAtHour && !STREETS.has(after));
}

function hourOf(digits: string): string {
  const hour = digits.length <= 2 ? digits : digits.slice(0, digits.length - 2);
  return String(Number(hour));
}

/** Weekdays, "tomorrow", and a day with its month in either order. */
function readDate(tokens: readonly PlacedToken[], index: number): Local | null {
  const word = tokens[index]?.word ?? '';
  const day = DAY_OF.get(word);
  if (day) return { kind: 'date', values: [day], from: index, to: index + 1 };
  if (RELATIVE_DAYS.has(word) && word === 'tomorrow')
    return { kind: 'date', values: [word], from: index, to: index + 1 };
  if (!MONTH_NAMES.has(word)) return null;
  const after = tokens[index + 1]?.word === 'the' ? index + 2 : index + 1;
  const around = [after, index - 1, index - 2].map((at) => dayNumber(tokens, at)).find((value) => value !== null);
  if (around === undefined || around === null) return null;
  return {
    kind: 'date',
    values: [`${word} ${String(around)}`],
    from: Math.max(0, index - 2),
    to: Math.min(tokens.length, index + 3),
  };
}

const BETWEEN_DAYS = new Set(['to', 'until', 'till', 'through', 'and', 'the', 'of', 'from']);

/** "The fourth to the ninth of July": the month belongs to the first day as well. */
function rangeStart(tokens: readonly PlacedToken[], month: number): Local[] {
  let at = month - 1;
  let days = 0;
  for (; at >= 0 && month - at <= 7; at -= 1) {
    const word = tokens[at]?.word ?? '';
    const day = ordinalValue(word);
    if (day !== null) days += 1;
    else if (!BETWEEN_DAYS.has(word)) return [];
    if (day !== null && days === 2) {
      return [{ kind: 'date', values: [`${tokens[month]?.word ?? ''} ${String(day)}`], from: at, to: at + 1 }];
    }
  }
  return [];
}

function dayNumber(tokens: readonly PlacedToken[], at: number): number | null {
  const word = tokens[at]?.word ?? '';
  const ordinal = ordinalValue(word);
  if (ordinal !== null) return withTens(tokens, at, ordinal);
  const number = readNumbers(tokens.slice(at, at + 2))[0];
  return number && number.from === 0 && number.value !== null && number.value >= 1 && number.value <= 31
    ? number.value
    : null;
}

function withTens(tokens: readonly PlacedToken[], at: number, ordinal: number): number {
  const before = tokens[at - 1]?.word;
  if (before === 'twenty') return 20 + ordinal;
  return before === 'thirty' ? 30 + ordinal : ordinal;
}

function isEmail(tokens: readonly PlacedToken[], index: number): boolean {
  return tokens.slice(index + 1, index + 4).some(({ word }) => word === 'dot' || word === 'com');
}
