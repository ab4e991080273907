import type { Conversation, PlacedToken, Turn } from '../conversation/conversation.ts';
import { BOOKING_WORDS, CORRECTIONS, DATE_QUESTIONS, NAME_QUESTIONS, SECRET_QUESTIONS } from '../lexicon/details.ts';
import type { Stretch } from '../conversation/stretches.ts';
import { contentWords } from '../text/content.ts';
import type { Detail } from '../text/details.ts';
import { readDetails } from '../text/details.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';

const secretQuestions = compilePhrases(SECRET_QUESTIONS);
const dateQuestions = compilePhrases(DATE_QUESTIONS);
const nameQuestions = compilePhrases(NAME_QUESTIONS);
const corrections = compilePhrases(CORRECTIONS);

export type GivenDetail = { kind: Detail['kind'] | 'name'; values: string[]; from: number; to: number };

/** Their numbers may be as long as a card's. */
const NUMBERED_THINGS = new Set(['order', 'tracking', 'reference', 'booking', 'invoice', 'parcel', 'serial', 'meter']);
const CARD_DIGITS_MIN = 13;

/**
 * The details that the customer gives and that decide what is done. Not included: identification (date of birth, social
 * security, card numbers, which must not be read back at all), days that are only part of a story, and echoes of the
 * agent.
 */
export function readGivenDetails(conversation: Conversation, stretches: readonly Stretch[]): GivenDetail[] {
  const given: GivenDetail[] = [];
  const saidByAgent = new Set<string>();
  let read = 0;
  for (const stretch of stretches) {
    for (; read < conversation.agentTurns.length; read += 1) {
      const turn = conversation.agentTurns[read];
      if (!turn || turn.from >= stretch.from) break;
      for (const { values } of readDetails(turn.tokens)) for (const value of values) saidByAgent.add(value);
    }
    const asked = conversation.turns[(stretch.turns[0]?.index ?? 0) - 1];
    for (const detail of detailsIn(stretch, asked)) {
      if (detail.values.some((value) => saidByAgent.has(value))) continue;
      addDetail(given, detail, stretch);
    }
  }
  return given;
}

function detailsIn(stretch: Stretch, asked: Turn | undefined): GivenDetail[] {
  if (asked && findPhrases(asked.tokens, secretQuestions).length > 0) return [];
  if (asked && findPhrases(asked.tokens, nameQuestions).length > 0 && stretch.tokens.length <= 10) {
    const words = [...contentWords(stretch.tokens)];
    if (words.length > 0) return [{ kind: 'name', values: words, from: stretch.from, to: stretch.to }];
  }
  const isOther = stretch.tokens.some(({ word }) => NUMBERED_THINGS.has(word));
  const isBooking = isDated(stretch.tokens, asked);
  return readDetails(stretch.tokens).filter((detail) => {
    if (detail.kind === 'date' || detail.kind === 'time') return isBooking;
    return detail.kind !== 'number' || (detail.values[0] ?? '').length < CARD_DIGITS_MIN || isOther;
  });
}

function isDated(tokens: readonly PlacedToken[], asked: Turn | undefined): boolean {
  if (asked?.role === 'agent' && findPhrases(asked.tokens, dateQuestions).length > 0) return true;
  return tokens.some(({ word }) => BOOKING_WORDS.has(word));
}

/** Repeated and corrected details replace the earlier ones of their kind. */
function addDetail(given: GivenDetail[], detail: GivenDetail, stretch: Stretch): void {
  const recent = given.slice(-12);
  const twin = recent.find((each) => isSameDetail(each, detail));
  if (twin) {
    twin.values = [...new Set([...twin.values, ...detail.values])].slice(0, 6);
    twin.to = detail.to;
    return;
  }
  const isCorrection = findPhrases(stretch.tokens, corrections).length > 0;
  const corrected = isCorrection ? recent.findLast(({ kind }) => kind === detail.kind) : undefined;
  if (corrected) Object.assign(corrected, detail);
  else given.push({ ...detail, values: [...detail.values] });
}

function isSameDetail(a: GivenDetail, b: GivenDetail): boolean {
  if (a.values.some((value) => b.values.includes(value))) return true;
  if (a.kind === 'name' || b.kind === 'name' || a.kind !== b.kind || a.kind === 'date' || a.kind === 'time')
    return false;
  return a.kind === 'number' && a.values.some((left) => b.values.some((right) => areSimilarDigits(left, right)));
}

/**
 * Whether two strings of digits may be the same one, misheard: one contains the other, or six in ten match in order.
 */
export function areSimilarDigits(a: string, b: string): boolean {
  if (!/^\d+$/u.test(a) || !/^\d+$/u.test(b)) return false;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return true;
  if (short.length < 4 || short.length > 24 || long.length > 40) return false;
  return commonLength(short, long) >= Math.ceil(long.length * 0.6);
}

function commonLength(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const letter of a) {
    const next = [0];
    for (let at = 0; at < b.length; at += 1) {
      next.push(letter === b[at] ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
