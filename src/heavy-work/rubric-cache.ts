import type { CallToScore } from '../domain/heavy-work.ts';
import type { Rubric } from '../model/rubric.ts';

/** Once its phrases are compiled, a rubric takes about fifty times the size of its JSON. */
const lengthMax = 1_000_000;
const kept = new Map<string, { rubric: Rubric; length: number }>();
let total = 0;

/**
 * A profile version never changes, and scoring caches what it compiles for a rubric object. Parsing the rubric again
 * would cost as much as the scoring itself. The least recently used rubric is evicted first.
 */
export function readRubric({ key, json }: CallToScore['rubric']): Rubric {
  const known = key === null ? undefined : kept.get(key);
  const rubric = known?.rubric ?? (JSON.parse(json) as Rubric);
  if (key === null || json.length > lengthMax) return rubric;
  kept.delete(key);
  kept.set(key, { rubric, length: json.length });
  if (!known) total += json.length;
  for (const [oldest, { length }] of kept) {
    if (total <= lengthMax) break;
    kept.delete(oldest);
    total -= length;
  }
  return rubric;
}
