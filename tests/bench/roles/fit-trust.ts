import { trustFeatures, type TrustWeights } from '../../../src/scoring/roles/trust.ts';
import { chainOf, countsOf, type Example, type Fitted } from './train.ts';

/** What tells of an utterance how far its role can be trusted, by weights that had no part in it, and whether it was right. */
export type Judged = { values: readonly number[]; isRight: boolean; words: number };

const ROUNDS = 25;
const PRIOR = 20;

export function judge(example: Example, weights: Fitted): Judged[] {
  const counts = countsOf(example);
  return trustFeatures(chainOf(example, weights), counts).map(({ isAgent, values }, at) => ({
    values,
    isRight: isAgent === (example.lines[at]?.role === 'agent'),
    words: counts[at] ?? 0,
  }));
}

/** Logistic regression by Newton's method: how likely the likelier role is the right one. */
export function fitTrust(judged: readonly Judged[]): TrustWeights {
  const size = judged[0]?.values.length ?? 0;
  let weights = Array.from({ length: size }, () => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const slope = weights.map((weight) => -PRIOR * weight);
    const bend = weights.map((_, row) => weights.map((__, column): number => (row === column ? PRIOR : 0)));
    for (const { values, isRight, words } of judged) {
      const log = values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
      const likely = 1 / (1 + Math.exp(-log));
      for (const [row, value] of values.entries()) {
        slope[row] = (slope[row] ?? 0) + words * ((isRight ? 1 : 0) - likely) * value;
        const bends = bend[row] ?? [];
        for (const [column, other] of values.entries())
          bends[column] = (bends[column] ?? 0) + words * likely * (1 - likely) * value * other;
      }
    }
    const step = solve(bend, slope);
    weights = weights.map((weight, at) => weight + (step[at] ?? 0));
  }
  return weights;
}

/** Gauss and Jordan, for a matrix that is positive definite: no pivot is 0. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  for (const [at, row] of rows.entries()) {
    const pivot = row[at] ?? 1;
    for (let column = at; column < row.length; column += 1) row[column] = (row[column] ?? 0) / pivot;
    for (const [other, below] of rows.entries()) {
      const factor = other === at ? 0 : (below[at] ?? 0);
      if (factor === 0) continue;
      for (let column = at; column < row.length; column += 1)
        below[column] = (below[column] ?? 0) - factor * (row[column] ?? 0);
    }
  }
  return rows.map((row) => row.at(-1) ?? 0);
}
