import type { SoundClass } from './acoustic-model.ts';
import { cepstrumLength, inverseBasis } from './mel-features.ts';

/** Estimates a frame's full-band cepstrum from the logarithmic energies (mean removed) of its lowest filters. */
export type BandEstimator = (observed: Float64Array) => Float64Array;

type Estimate = {
  mean: Float64Array;
  observedMean: Float64Array;
  /** Cepstrum by observed energy. */
  gain: Float64Array[];
  precision: Float64Array[];
  logDeterminant: number;
};

/** Variance of what a cepstrum of thirteen smooths away, and of a codec's noise (natural logarithm of energy, squared). */
const residualVariance = 0.1;
const shareMin = 1e-3;

/**
 * The acoustic model knows how the upper part of a spectrum goes with its lower part, sound by sound. So what a
 * telephone line cuts off is filled in by the minimum mean-square estimate over a mixture of Gaussians, one a phone
 * (conditional Gaussian mean, C. Bishop, Pattern Recognition and Machine Learning, 2.3.1).
 */
export function createBandEstimator(classes: SoundClass[], observedFilters: number): BandEstimator {
  const estimates = classes.map((sound) => estimateFor(sound, observedFilters));
  return (observed) => {
    const differences = estimates.map(({ observedMean }) => observed.map((value, j) => value - (observedMean[j] ?? 0)));
    const logs = estimates.map((estimate, k) => logLikelihood(estimate, differences[k] ?? observed));
    const highest = Math.max(...logs);
    const weights = logs.map((log) => Math.exp(log - highest));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const cepstrum = new Float64Array(cepstrumLength);
    for (const [k, { mean, gain }] of estimates.entries()) {
      const share = (weights[k] ?? 0) / total;
      if (share < shareMin) continue;
      for (let i = 0; i < cepstrumLength; i += 1) {
        const value = (mean[i] ?? 0) + dot(gain[i], differences[k]);
        cepstrum[i] = (cepstrum[i] ?? 0) + share * value;
      }
    }
    return cepstrum;
  };
}

function estimateFor({ mean, covariance }: SoundClass, filters: number): Estimate {
  const basis = inverseBasis.slice(0, filters);
  const cross = covariance.map((row) => Float64Array.from(basis, (weights) => dot(row, weights)));
  const observed = basis.map((weights, a) =>
    Float64Array.from(basis, (_, b) => {
      let sum = a === b ? residualVariance : 0;
      for (let k = 0; k < cepstrumLength; k += 1) sum += (weights[k] ?? 0) * (cross[k]?.[b] ?? 0);
      return sum;
    }),
  );
  const { inverse: precision, logDeterminant } = invert(observed);
  return {
    mean,
    observedMean: Float64Array.from(basis, (weights) => dot(weights, mean)),
    gain: cross.map((row) => Float64Array.from(precision, (column) => dot(row, column))),
    precision,
    logDeterminant,
  };
}

function logLikelihood({ precision, logDeterminant }: Estimate, difference: Float64Array): number {
  let distance = logDeterminant;
  for (const [a, row] of precision.entries()) distance += dot(row, difference) * (difference[a] ?? 0);
  return -distance / 2;
}

/** Gauss-Jordan elimination; the matrix is symmetric and positive definite, so no pivot is needed. */
function invert(matrix: Float64Array[]): { inverse: Float64Array[]; logDeterminant: number } {
  const size = matrix.length;
  const rows = matrix.map((row, i) => {
    const wide = new Float64Array(size * 2);
    wide.set(row);
    wide[size + i] = 1;
    return wide;
  });
  let logDeterminant = 0;
  for (const [column, pivotRow] of rows.entries()) {
    const pivot = pivotRow[column] ?? 1;
    logDeterminant += Math.log(pivot);
    for (let k = 0; k < size * 2; k += 1) pivotRow[k] = (pivotRow[k] ?? 0) / pivot;
    for (const row of rows) {
      const factor = row[column] ?? 0;
      if (row === pivotRow || factor === 0) continue;
      for (let k = 0; k < size * 2; k += 1) row[k] = (row[k] ?? 0) - factor * (pivotRow[k] ?? 0);
    }
  }
  return { inverse: rows.map((row) => row.slice(size)), logDeterminant };
}

function dot(a: Float64Array | undefined, b: Float64Array | undefined): number {
  if (!a || !b) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
