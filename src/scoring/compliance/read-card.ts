import type { PlacedToken } from '../conversation/conversation.ts';
import * as lexicon from '../lexicon/compliance.ts';
import type { SpokenNumber } from '../text/numbers.ts';
import { readNumbers } from '../text/numbers.ts';
import type { PhraseSet } from '../../model/text/compile-phrases.ts';
import { compileExactly } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';

const cardLeads = compileExactly(lexicon.CARD_NUMBER_LEADS);
const cardQuestions = compileExactly(lexicon.CARD_NUMBER_QUESTIONS);

/** Fewer than 16, since a recogniser loses some; more than a telephone number has. */
const DIGITS_MIN = 12;
const FIRST_WITHIN_WORDS = 7;
const ALIEN_WORDS_MAX = 5;
const REACH_WORDS = 90;

export type CardReading = { from: number; to: number };

/**
 * "The card number is four one one …": figures after these words, up to a card's length, with words in between that a
 * recogniser made of further figures. The checksum is not asked for: it cannot hold on misheard figures.
 */
export function findCardReadings(tokens: readonly PlacedToken[]): CardReading[] {
  return findPhrases(tokens, cardLeads).flatMap(({ from, to }) => {
    if (isOtherCard(tokens, from)) return [];
    const reading = readAfter(tokens, to);
    return reading ? [reading] : [];
  });
}

/** Whether a card number is asked for. */
export function asksForCard(tokens: readonly PlacedToken[]): boolean {
  return findPhrases(tokens, cardQuestions).length > 0;
}

/** The card's figures that begin within a few words of this place; null where another number or nothing follows. */
export function readAfter(tokens: readonly PlacedToken[], start: number): CardReading | null {
  const stretch = tokens.slice(start, start + REACH_WORDS);
  let digits = 0;
  let end = 0;
  let first = -1;
  for (const number of readNumbers(stretch)) {
    const isNear = number.from - end <= (first < 0 ? FIRST_WITHIN_WORDS : ALIEN_WORDS_MAX);
    if (!isNear || isApart(stretch, { number, end, isFirst: first < 0 })) break;
    if (first < 0) first = number.from;
    digits += number.digits.length;
    end = number.to;
  }
  const from = stretch[first]?.at;
  return digits >= DIGITS_MIN && from !== undefined ? { from, to: Math.min(from + 4, from + end - first) } : null;
}

/** Between the groups of one number stand neither the name of another thing nor the end of a sentence. */
function isApart(
  tokens: readonly PlacedToken[],
  { number, end, isFirst }: { number: SpokenNumber; end: number; isFirst: boolean },
): boolean {
  const between = tokens.slice(end, number.from);
  if (between.some(({ word }) => lexicon.OTHER_NUMBERED.has(word))) return true;
  if (lexicon.UNITS_AFTER.has(tokens[number.to]?.word ?? '')) return true;
  const isStopped = tokens[end - 1]?.pause === 'stop' || tokens[end - 1]?.pause === 'question';
  return !isFirst && isStopped && between.length > 0;
}

/** "Your loyalty card number": not a payment card. */
function isOtherCard(tokens: readonly PlacedToken[], from: number): boolean {
  return tokens.slice(Math.max(0, from - 2), from + 1).some(({ word }) => lexicon.OTHER_CARDS.has(word));
}

/** Whether the words right before this place say that what follows is the thing itself. */
export function saysRightAfter(tokens: readonly PlacedToken[], at: number, links: PhraseSet): boolean {
  const before = tokens.slice(Math.max(0, at - 3), at);
  return findPhrases(before, links).some(({ to }) => to === before.length);
}
