import type { AnalysisEngine } from '../model/analysis.ts';
import type { Scorecard } from '../model/scorecard.ts';
import { createMemory, type Memory } from '../lib/memory.ts';
import type { ScoredBy } from '../domain/processing/service.ts';

export type Scored = { scorecard: Scorecard; scoredBy: ScoredBy };

/** More than there are concurrent runs; entries of runs that continued elsewhere are evicted. */
const keptMax = 100;

/**
 * Keeps what a run has scored until it is published. Scorecards quote the call, so they are not given to the engine.
 * They stay in this process: a run that continues in another one is scored again there, with the same result.
 */
export function createScorecards<T extends Scored = Scored>(): Memory<T> {
  return createMemory<T>(keptMax);
}

/** Who answered, as a run shows it, without any words of the call. */
export function toScoredBy({ kind, model, fallback }: AnalysisEngine) {
  return { engine: kind, model, fallback: fallback?.code ?? null };
}
