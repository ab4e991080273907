import type { Token } from './text/tokens.ts';
import { NEGATIVE_WORDS, POSITIVE_WORDS } from './lexicon/sentiment-words.ts';

const NEGATORS = new Set(['not', 'no', 'never', 'without', 'hardly', 'nothing']);
const STRONGER = new Set(['very', 'really', 'so', 'extremely', 'absolutely', 'totally', 'completely', 'incredibly']);
const REACH = 3;
/** Softens short texts: one happy word in one sentence is not yet a fully happy caller. */
const DAMPING = 3;

/**
 * How a party's words sound, from -1 to 1: weighed words (an own short list), turned round by a negation in the
 * three words before and raised by words such as "very", over their sum plus a damping. Null without any words.
 */
export function scoreSentiment(tokens: readonly Token[]): number | null {
  if (tokens.length === 0) return null;
  let sum = 0;
  let weight = 0;
  tokens.forEach((token, index) => {
    const value = (POSITIVE_WORDS.get(token.word) ?? 0) - (NEGATIVE_WORDS.get(token.word) ?? 0);
    if (value === 0) return;
    let factor = 1;
    for (let back = 1; back <= REACH; back += 1) {
      const before = tokens[index - back];
      if (!before || before.pause === 'stop') break;
      if (NEGATORS.has(before.word)) factor *= -0.7;
      else if (STRONGER.has(before.word)) factor *= 1.3;
    }
    sum += value * factor;
    weight += Math.abs(value * factor);
  });
  return Math.round((sum / (weight + DAMPING)) * 100) / 100;
}
