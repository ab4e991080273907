import type { OrgTx } from '../db/scope.ts';
import type { CallToScore } from '../domain/heavy-work.ts';
import { selectRubricJson } from '../domain/profiles/service.ts';

export type Rubrics = { read(tx: OrgTx, profile: { id: string; version: number }): Promise<CallToScore['rubric']> };

const keptMax = 200;

/** Caches rubrics as the JSON that scoring takes; a version never changes. */
export function createRubrics(): Rubrics {
  const kept = new Map<string, CallToScore['rubric']>();
  return {
    async read(tx, profile) {
      const key = `${tx.orgId}/${profile.id}/${profile.version}`;
      const rubric = kept.get(key) ?? { key, json: await selectRubricJson(tx, profile) };
      // Moves it to the end: the least recently used one is evicted first.
      kept.delete(key);
      kept.set(key, rubric);
      const [oldest] = kept.keys();
      if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
      return rubric;
    },
  };
}
