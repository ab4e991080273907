import type { Metrics } from '../../model/scorecard.ts';
import type { Token } from '../../model/text/tokens.ts';
import { isRead } from '../languages/language.ts';
import { SENTIMENT_WORDS } from '../lexicon/sentiment-words.ts';

/** How an agent sounds at best who was rude, however friendly the other words are. */
const RUDE_MAX = -0.3;

type Moods = Metrics['sentiment'];

/** Moods that do not contradict what was found: of a rude agent, and of a customer who objects at the end. */
export function soberMoods(moods: Moods, { isRude, hasObjected }: { isRude: boolean; hasObjected: boolean }): Moods {
  const atMost = (mood: number | null, most: number): number | null => (mood === null ? null : Math.min(mood, most));
  return {
    agent: isRude ? atMost(moods.agent, RUDE_MAX) : moods.agent,
    customer: hasObjected ? atMost(moods.customer, 0) : moods.customer,
    overall: isRude || hasObjected ? atMost(moods.overall, 0) : moods.overall,
  };
}

const REACH = 3;
/** Dampens short texts: one happy word in one sentence does not make a fully happy caller. */
const DAMPING = 3;

/**
 * How a party's words sound, from -1 to 1: weighted words from short lists, inverted by a negation in the three words
 * before and strengthened by words such as "very", divided by their sum plus a damping. Null without any words, and in
 * an unread language; if the language is unknown, English is assumed.
 */
export function scoreSentiment(tokens: readonly Token[], language: string | null): number | null {
  const known = language ?? 'en';
  if (tokens.length === 0 || !isRead(known)) return null;
  const { values, negators, stronger } = SENTIMENT_WORDS[known];
  let sum = 0;
  let weight = 0;
  tokens.forEach((token, index) => {
    const value = values.get(token.word) ?? 0;
    if (value === 0) return;
    let factor = 1;
    for (let back = 1; back <= REACH; back += 1) {
      const before = tokens[index - back];
      if (!before || before.pause === 'stop') break;
      if (negators.has(before.word)) factor *= -0.7;
      else if (stronger.has(before.word)) factor *= 1.3;
    }
    sum += value * factor;
    weight += Math.abs(value * factor);
  });
  return Math.round((sum / (weight + DAMPING)) * 100) / 100;
}
