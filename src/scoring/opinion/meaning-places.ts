import { MEANINGS } from '../lexicon/meanings/meanings.ts';
import { hash } from './feature-list.ts';

const ONES = MEANINGS.map((name) => hash(`m ${name}`));
/** Told when they are first asked for; no two meanings hash to nothing. */
const TWOS = new Uint32Array(MEANINGS.length ** 2);
const near = new Map<string, readonly number[]>();

/** Hashes of what is meant: of each meaning once and not once an utterance. */
export function placeOfOne(meaning: number): number {
  return ONES[meaning] ?? 0;
}

/** Of two meanings in one utterance, the first before the other in their order. */
export function placeOfTwo(one: number, other: number): number {
  const at = one * MEANINGS.length + other;
  return (TWOS[at] ||= hash(`m ${MEANINGS[one] ?? ''} ${MEANINGS[other] ?? ''}`));
}

/** Of each meaning in what is said before or after. */
export function placesNear(where: string): readonly number[] {
  const known = near.get(where) ?? MEANINGS.map((name) => hash(`${where} ${name}`));
  near.set(where, known);
  return known;
}
