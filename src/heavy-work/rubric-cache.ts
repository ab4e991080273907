import type { CallToScore } from '../domain/heavy-work.ts';
import type { Rubric } from '../model/rubric.ts';

/** A rubric takes some fifty times its JSON once its phrases are compiled. */
const lengthMax = 1_000_000;
const kept = new Map<string, { rubric: Rubric; length: number }>();
let total = 0;

/**
 * A version of a profile never changes, and scoring keeps what it compiled from a rubric for as long as it is given the
 * same object: reading it anew would cost as much as the scoring itself. The one unused for longest goes first.
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
