import { compilePhrases, type PhraseSet } from '../../model/text/compile-phrases.ts';
import type { CallFacts } from '../facts/facts.ts';
import { isRead, type ReadLanguage } from '../languages/language.ts';
import type { Concept } from '../lexicon/phrasebook.ts';
import { PHRASEBOOKS } from '../lexicon/phrasebooks.ts';

const CONCEPTS = [
  'greetings',
  'offers',
  'courtesies',
  'moreOffers',
  'thanks',
  'farewells',
] as const satisfies Concept[];

const sets = new Map<ReadLanguage, PhraseSet[]>();
const known = new WeakMap<CallFacts, number>();

/**
 * How usual the words of a call are, from 0 to 1: where the rules know much of what is said, that they did not find something means
 * more than where they know next to nothing.
 */
export function readPlainness(facts: CallFacts): number {
  const read = known.get(facts) ?? plainnessOf(facts);
  known.set(facts, read);
  return read;
}

function plainnessOf(facts: CallFacts): number {
  const flags = readPlainFlags(facts);
  return flags.filter(Boolean).length / flags.length;
}

/** Of what is usual in a call, what the rules know in this one. */
export function readPlainFlags({ language, finder, naming, results, need }: CallFacts): boolean[] {
  const isKnown = language !== null && isRead(language);
  const found = isKnown ? setsOf(language).map((set) => finder.find(set, 'agent').length > 0) : [];
  const flags = [naming.company !== null, naming.ownName !== null, results.length > 0, need !== null];
  return isKnown ? [...found, ...flags] : [...CONCEPTS, ...flags].map(() => false);
}

function setsOf(language: ReadLanguage): PhraseSet[] {
  const read = sets.get(language) ?? CONCEPTS.map((concept) => compilePhrases(PHRASEBOOKS[language][concept]));
  sets.set(language, read);
  return read;
}
