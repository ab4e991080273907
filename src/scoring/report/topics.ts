import type { CallFacts } from '../facts/facts.ts';
import { TOPICS } from '../lexicon/topics.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';

const topics = TOPICS.map(([label, phrases]) => ({ label, set: compilePhrases(phrases) }));
const TOPICS_MAX = 4;
/** What is said in the request itself tells more than what is mentioned on the way. */
const NEED_WEIGHT = 5;

export function findTopics({ finder, need, languages }: CallFacts): string[] {
  if (languages.doubt !== null) return [];
  return topics
    .map(({ label, set }, index) => {
      const hits = [...finder.find(set, 'customer'), ...finder.find(set, 'agent')];
      const weight = hits.reduce((sum, hit) => sum + (need && hit.turn === need.turn ? NEED_WEIGHT : 1), 0);
      return { label, weight, index };
    })
    .filter(({ weight }) => weight > 1)
    .toSorted((a, b) => b.weight - a.weight || a.index - b.index)
    .slice(0, TOPICS_MAX)
    .map(({ label }) => label);
}
