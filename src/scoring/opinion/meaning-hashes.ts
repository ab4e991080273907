import { MEANINGS } from '../lexicon/meanings/meanings.ts';
import { hash } from './feature-list.ts';

const ONES = MEANINGS.map((name) => hash(`m ${name}`));
/** Filled in on first use; 0 means not computed yet. */
const TWOS = new Uint32Array(MEANINGS.length ** 2);
const near = new Map<string, readonly number[]>();

/** Of one meaning by itself. Computed once a meaning, not once an utterance. */
export function hashOfMeaning(meaning: number): number {
  return ONES[meaning] ?? 0;
}

/** Of two meanings in one utterance, the first before the other in their order. */
export function hashOfPair(one: number, other: number): number {
  const at = one * MEANINGS.length + other;
  return (TWOS[at] ||= hash(`m ${MEANINGS[one] ?? ''} ${MEANINGS[other] ?? ''}`));
}

/** Of each meaning in what is said before or after. */
export function hashesNearby(where: string): readonly number[] {
  const known = near.get(where) ?? MEANINGS.map((name) => hash(`${where} ${name}`));
  near.set(where, known);
  return known;
}
