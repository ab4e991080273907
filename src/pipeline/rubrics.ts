import type { OrgTx } from '../db/scope.ts';
import type { CallToScore } from '../domain/heavy-work.ts';
import { createMemory } from '../lib/memory.ts';
import { selectRubricJson } from '../domain/profiles/service.ts';

export type Rubrics = { read(tx: OrgTx, profile: { id: string; version: number }): Promise<CallToScore['rubric']> };

const keptMax = 200;

/** Caches rubrics as the JSON that scoring takes; a version never changes. */
export function createRubrics(): Rubrics {
  const kept = createMemory<CallToScore['rubric']>(keptMax);
  return {
    async read(tx, profile) {
      const key = `${tx.orgId}/${profile.id}/${profile.version}`;
      const rubric = kept.recall(key) ?? { key, json: await selectRubricJson(tx, profile) };
      kept.remember(key, rubric);
      return rubric;
    },
  };
}
