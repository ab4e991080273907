import type { AnalysisEngine } from '../model/analysis.ts';
import type { Scorecard } from '../model/scorecard.ts';
import type { ScoredBy } from '../domain/processing/attempt.ts';

export type Scored = { scorecard: Scorecard; scoredBy: ScoredBy };

/** More than there are concurrent runs; entries of runs that continued elsewhere are evicted. */
const keptMax = 100;

/**
 * Keeps what a run has scored until it is published. Scorecards quote the call, so they are not given to the engine.
 * They stay in this process: a run that continues in another one is scored again there, with the same result.
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

/** Who answered, as a run shows it, without any words of the call. */
export function toScoredBy({ kind, model, fallback }: AnalysisEngine) {
  return { engine: kind, model, fallback: fallback?.code ?? null };
}
