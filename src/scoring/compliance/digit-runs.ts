import type { PlacedToken } from '../conversation/conversation.ts';
import { readNumbers } from '../text/numbers.ts';

/** Figures that one party says in one go; `places[i]` is the word of `digits[i]`. */
export type DigitRun = { digits: string; places: number[]; from: number; to: number };

/** Words that may stand between the groups of one number. */
const BETWEEN = new Set('then and okay yes uh so again followed by dash space that is right next'.split(' '));
const BETWEEN_MAX = 2;

/** Joins the numbers of a stretch of speech into runs: "four one one one, then one one one one …". */
export function readDigitRuns(tokens: readonly PlacedToken[]): DigitRun[] {
  const runs: DigitRun[] = [];
  let last: { run: DigitRun; to: number } | null = null;
  for (const number of readNumbers(tokens)) {
    const first = tokens[number.from];
    const end = tokens[number.to - 1];
    if (!first || !end || number.digits === '') continue;
    const places = spread(tokens, number.from, number.to, number.digits.length);
    const between = last ? tokens.slice(last.to, number.from) : [];
    const isJoined = last !== null && between.length <= BETWEEN_MAX && between.every(({ word }) => BETWEEN.has(word));
    if (last && isJoined) {
      last.run.digits += number.digits;
      last.run.places.push(...places);
      last.run.to = end.at + 1;
      last.to = number.to;
    } else {
      const run = { digits: number.digits, places, from: first.at, to: end.at + 1 };
      runs.push(run);
      last = { run, to: number.to };
    }
  }
  return runs;
}

function spread(tokens: readonly PlacedToken[], from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const step = Math.min(to - from - 1, Math.floor((index * (to - from)) / count));
    return tokens[from + step]?.at ?? 0;
  });
}

/** The Luhn checksum (ISO/IEC 7812-1, annex B) that payment card numbers carry. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.at(-1 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

const LENGTHS = [16, 15, 14, 13, 19, 18, 17];

/** Where in the run a card number stands: issuer's first figure, length and checksum fit. Bounded work per figure. */
export function findCardNumber(digits: string): { start: number; length: number } | null {
  for (let start = 0; start + 13 <= digits.length; start += 1) {
    if (!'3456'.includes(digits[start] ?? '') && !digits.startsWith('2', start)) continue;
    for (const length of LENGTHS) {
      if (start + length > digits.length) continue;
      const number = digits.slice(start, start + length);
      if (!isIssued(number) || !passesLuhn(number)) continue;
      if (start === 0 || digits.length - start === length) return { start, length };
    }
  }
  return null;
}

/** Lengths by the first figures: Amex 15, Visa 13/16/19, Mastercard 16, others 14-19. */
function isIssued(number: string): boolean {
  if (/^3[47]/u.test(number)) return number.length === 15;
  if (number.startsWith('4')) return [13, 16, 19].includes(number.length);
  if (/^(?:5[1-5]|2[2-7])/u.test(number)) return number.length === 16;
  if (/^3[0689]/u.test(number)) return number.length >= 14;
  return /^(?:6|50|5[6-9])/u.test(number) && number.length >= 13;
}
