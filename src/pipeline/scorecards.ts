import type { AnalysisEngine } from '../model/analysis.ts';
import type { Scorecard } from '../model/scorecard.ts';
import type { ScoredBy } from '../domain/processing/pass.ts';

export type Scored = { scorecard: Scorecard; scoredBy: ScoredBy };

/** More than there are runs under way: what is left of runs that went on elsewhere makes way. */
const keptMax = 100;

/**
 * What a run has scored, until it has published it. Scorecards quote the call, so no engine is given them to keep. They stay in
 * this process: a run that goes on in another one is scored again there, with the same outcome.
 */
export class Scorecards<T extends Scored = Scored> {
  readonly #kept = new Map<string, T>();

  keep(runId: string, scored: T): void {
    this.#kept.set(runId, scored);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }

  get(runId: string): T | undefined {
    return this.#kept.get(runId);
  }

  drop(runId: string): void {
    this.#kept.delete(runId);
  }
}

/** Who answered, as a run shows it: nothing of what was said. */
export function toScoredBy({ kind, model, fallback }: AnalysisEngine) {
  return { engine: kind, model, fallback: fallback?.code ?? null };
}
