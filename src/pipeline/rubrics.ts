import type { OrgTx } from '../db/scope.ts';
import { selectRubric } from '../domain/records/processing-queries.ts';
import type { Rubric } from '../domain/profiles/rubric.ts';

export type Rubrics = { read(tx: OrgTx, profile: { id: string; version: number }): Promise<Rubric> };

const keptMax = 200;

/**
 * Remembers rubrics. A version never changes, and scoring keeps what it compiled from a rubric for as long as it is
 * given the same object: reading it anew would cost as much as the scoring itself.
 */
export function createRubrics(): Rubrics {
  const kept = new Map<string, Rubric>();
  return {
    async read(tx, profile) {
      const key = `${tx.orgId}/${profile.id}/${profile.version}`;
      const rubric = kept.get(key) ?? (await selectRubric(tx, profile));
      // The one used last stands last; the first to go is the one unused for longest.
      kept.delete(key);
      kept.set(key, rubric);
      const [oldest] = kept.keys();
      if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
      return rubric;
    },
  };
}
