import type { OrgTx } from '../db/scope.ts';
import type { CallToScore } from '../domain/heavy-work.ts';
import { selectRubricJson } from '../domain/profiles/service.ts';

export type Rubrics = { read(tx: OrgTx, profile: { id: string; version: number }): Promise<CallToScore['rubric']> };

const keptMax = 200;

/** Remembers rubrics, of which a version never changes, as the JSON that scoring takes. */
export function createRubrics(): Rubrics {
  const kept = new Map<string, CallToScore['rubric']>();
  return {
    async read(tx, profile) {
      const key = `${tx.orgId}/${profile.id}/${profile.version}`;
      const rubric = kept.get(key) ?? { key, json: await selectRubricJson(tx, profile) };
      // The one used last stands last; the first to go is the one unused for longest.
      kept.delete(key);
      kept.set(key, rubric);
      const [oldest] = kept.keys();
      if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
      return rubric;
    },
  };
}
