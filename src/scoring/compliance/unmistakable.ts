import { compileExactly } from '../../model/text/compile-phrases.ts';
import type { PlacedToken } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { CARD_CODE_LEADS } from '../lexicon/compliance.ts';
import { CARD_CODE_WORDS, SAYING_WORDS } from '../lexicon/secrets.ts';
import { findPhrases } from '../text/phrases.ts';
import { readDigitRuns } from './digit-runs.ts';
import type { Leak } from './labelled-secrets.ts';

const cardCodeLeads = compileExactly(CARD_CODE_LEADS);
const CODE_DIGITS_MAX = 4;
const CODE_WORDS_MAX = 20;

/**
 * A pin may be a bolt and a password a riddle's. The security code of a card is nothing else, nor is a password of letters
 * and figures, if each is said right after its name: "the security code is wrong, error 1045" tells something of it.
 */
export function isUnmistakable({ conversation: { tokens } }: CallFacts, { what, from, to }: Leak): boolean {
  if (what === 'code') return isCardCode(tokens.slice(from, to + CODE_WORDS_MAX));
  return what === 'password' && (to === from + 1 || says(tokens[to - 1])) && hasFigures(tokens, to);
}

function isCardCode(words: readonly PlacedToken[]): boolean {
  const [first] = findPhrases(words, cardCodeLeads);
  const start = words[0]?.at;
  if (!first || first.from > 0 || start === undefined) return false;
  const run = readDigitRuns(words.slice(first.to))[0];
  if (run === undefined || run.digits.length > CODE_DIGITS_MAX) return false;
  const between = words.slice(first.to, run.from - start);
  return between.every((token) => says(token) || CARD_CODE_WORDS.has(token.word));
}

function says(token: PlacedToken | undefined): boolean {
  return token !== undefined && SAYING_WORDS.has(token.word);
}

/** "Seaview44" is read as two words, the second of figures, with nothing in between. */
function hasFigures(tokens: readonly PlacedToken[], at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token === undefined || next === undefined || next.from !== token.to) return false;
  return /^\d/u.test(next.word) || hasFigures(tokens, at + 1);
}
