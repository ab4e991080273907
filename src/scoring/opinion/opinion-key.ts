import type { Check } from '../../model/checks.ts';
import { wordingFor } from '../languages/wording.ts';
import { isRead } from '../languages/language.ts';
import type { Concept } from '../lexicon/phrasebook.ts';
import { PHRASEBOOKS } from '../lexicon/phrasebooks.ts';
import { STANDARD_CHECKS } from '../findings/standard-checks.ts';
import { SIGNALS, type OpinionKey } from './signals.ts';

type Standard = { concept: Concept; where: string; key: OpinionKey };

const OF_CONCEPTS: readonly Standard[] = [
  { concept: 'greetings', where: 'firstTurns', key: 'greeting.opens' },
  { concept: 'offers', where: 'firstTurns', key: 'greeting.offer' },
  { concept: 'courtesies', where: 'betweenGreetingAndClosing', key: 'professionalism.courtesy' },
  { concept: 'moreOffers', where: 'secondHalf', key: 'closing.more' },
  { concept: 'thanks', where: 'lastTurns', key: 'closing.thanks' },
  { concept: 'farewells', where: 'lastTurns', key: 'closing.farewell' },
];

/**
 * Which of the standard questions a check asks; null for what an organization asks for itself, of which nothing was
 * learned. A check with other phrases than the standard ones asks something else, whatever it is called.
 */
export function opinionKeyOf(check: Check, language: string | null): OpinionKey | null {
  if (language === null || !isRead(language)) return null;
  if (check.kind === 'model') return check.detector && learnedKey(STANDARD_CHECKS[check.detector]);
  if (check.kind !== 'phrase' || check.expect === 'absent' || (check.times ?? 1) > 1) return null;
  const { phrases } = wordingFor(check, language);
  const found = OF_CONCEPTS.find(
    ({ concept, where }) => check.where.part === where && isSame(phrases, PHRASEBOOKS[language][concept]),
  );
  return found?.key ?? null;
}

/** Null for what no signals were learned for, such as silence. */
function learnedKey(key: string): OpinionKey | null {
  return isLearned(key) ? key : null;
}

function isLearned(key: string): key is OpinionKey {
  return Object.hasOwn(SIGNALS, key);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((phrase, at) => phrase === others[at]);
}
