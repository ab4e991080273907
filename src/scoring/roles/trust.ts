import { type Chain, marginalsOf } from './chain.ts';
import { fittedTrust } from './fitted-trust.ts';

/** What a log-odds can be taken for at most: beyond it nothing is known. */
const LOG_ODDS_MAX = 8;
/** A chain is too sure of itself where the same thing speaks twice: half of its evidence is asked as well. */
const DOUBT = 0.5;
/** Fitted to calls that the weights had no part in. */
export type TrustWeights = readonly number[];

/**
 * For each utterance, how likely the agent says it, as often as that turned out to be true in calls that were never seen:
 * where little of the whole call is clear, what seems clear in it is wrong more often.
 */
export function trusted(chain: Chain, counts: readonly number[], weights: TrustWeights = fittedTrust): Float64Array {
  return Float64Array.from(trustFeatures(chain, counts), ({ isAgent, values }) => {
    const log = values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
    const isRight = Math.max(0.5, 1 / (1 + Math.exp(-log)));
    return isAgent ? isRight : 1 - isRight;
  });
}

/** For each utterance who is likelier to say it, and what tells how far that can be trusted. `counts`: words of each. */
export function trustFeatures(
  { scores, ways }: Chain,
  counts: readonly number[],
): { isAgent: boolean; values: number[] }[] {
  const bold = marginalsOf({ scores, ways }).agent;
  const halved = { scores: scores.map((each) => DOUBT * each), ways: ways.map((each) => DOUBT * each) };
  const doubting = marginalsOf(halved).agent;
  const words = counts.reduce((sum, count) => sum + count, 0);
  const clear = doubting.reduce((sum, likely, at) => sum + (counts[at] ?? 0) * Math.abs(2 * likely - 1), 0);
  const clarity = clear / Math.max(1, words);
  return Array.from(doubting, (likely, at) => {
    const isAgent = likely >= 0.5;
    const side = isAgent ? 1 : -1;
    const [sure, halfSure] = [side * logOdds(bold[at] ?? 0.5), side * logOdds(likely)];
    return {
      isAgent,
      values: [1, clarity, clarity ** 2, ...[1, clarity, clarity ** 2].map((each) => each * sure), halfSure],
    };
  });
}

function logOdds(likely: number): number {
  const log = Math.log(Math.max(Number.EPSILON, likely) / Math.max(Number.EPSILON, 1 - likely));
  return Math.max(-LOG_ODDS_MAX, Math.min(LOG_ODDS_MAX, log));
}
