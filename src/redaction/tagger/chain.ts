import { LABELS } from './labels.ts';

const SIZE: number = LABELS.length;

/** From each label to each, and from and to the edges of a turn: row or column `SIZE`. */
export const STEPS_SIZE: number = (SIZE + 1) * (SIZE + 1);

/**
 * How likely each token has each label, given all scores of its turn: the forward-backward algorithm of a linear chain, scaled
 * at each token. `scores` are exponents, token by token.
 */
export function marginals(scores: Float32Array, steps: Float64Array): Float64Array {
  const length = scores.length / SIZE;
  const potentials = potentialsOf(scores);
  const ahead = forward(potentials, steps);
  const behind = new Float64Array(SIZE).fill(0);
  for (let label = 0; label < SIZE; label += 1) behind[label] = steps[label * (SIZE + 1) + SIZE] ?? 0;
  const result = new Float64Array(scores.length);
  for (let at = length - 1; at >= 0; at -= 1) {
    finish(result, { at, ahead, behind });
    if (at > 0) stepBack(behind, { at, potentials, steps });
  }
  return result;
}

/** Each token's scores as factors, the greatest of them 1. */
export function potentialsOf(scores: Float32Array): Float64Array {
  const potentials = new Float64Array(scores.length);
  for (let from = 0; from < scores.length; from += SIZE) {
    let most = -Infinity;
    for (let at = from; at < from + SIZE; at += 1) most = Math.max(most, scores[at] ?? 0);
    for (let at = from; at < from + SIZE; at += 1) potentials[at] = Math.exp((scores[at] ?? 0) - most);
  }
  return potentials;
}

/** A label that is less likely than this leads to no other. */
const LEAST = 1e-6;

export function forward(potentials: Float64Array, steps: Float64Array): Float64Array {
  const ahead = new Float64Array(potentials.length);
  for (let from = 0; from < potentials.length; from += SIZE) {
    if (from === 0) ahead.set(steps.subarray(SIZE * (SIZE + 1), SIZE * (SIZE + 1) + SIZE));
    else stepAhead(ahead, from, steps);
    let sum = 0;
    for (let at = from; at < from + SIZE; at += 1) {
      const value = (ahead[at] ?? 0) * (potentials[at] ?? 0);
      ahead[at] = value;
      sum += value;
    }
    for (let at = from; at < from + SIZE; at += 1) ahead[at] = (ahead[at] ?? 0) / sum;
  }
  return ahead;
}

/** What reaches each label of the token at `from` from the one before it. */
function stepAhead(ahead: Float64Array, from: number, steps: Float64Array): void {
  for (let before = 0; before < SIZE; before += 1) {
    const share = ahead[from - SIZE + before] ?? 0;
    if (share < LEAST) continue;
    const row = before * (SIZE + 1);
    for (let label = 0; label < SIZE; label += 1) {
      ahead[from + label] = (ahead[from + label] ?? 0) + share * (steps[row + label] ?? 0);
    }
  }
}

type Back = { at: number; potentials: Float64Array; steps: Float64Array };

/** Used again for each step. */
const onward = new Float64Array(SIZE);

/** Turns what follows token `at` into what follows the one before it. */
export function stepBack(behind: Float64Array, { at, potentials, steps }: Back): void {
  onward.set(behind);
  behind.fill(0);
  for (let label = 0; label < SIZE; label += 1) {
    const share = (onward[label] ?? 0) * (potentials[at * SIZE + label] ?? 0);
    if (share < LEAST) continue;
    for (let before = 0; before < SIZE; before += 1) {
      behind[before] = (behind[before] ?? 0) + share * (steps[before * (SIZE + 1) + label] ?? 0);
    }
  }
  let sum = 0;
  for (let before = 0; before < SIZE; before += 1) sum += behind[before] ?? 0;
  for (let before = 0; before < SIZE; before += 1) behind[before] = (behind[before] ?? 0) / sum;
}

type Joined = { at: number; ahead: Float64Array; behind: Float64Array };

function finish(result: Float64Array, { at, ahead, behind }: Joined): void {
  let sum = 0;
  for (let label = 0; label < SIZE; label += 1) {
    const value = (ahead[at * SIZE + label] ?? 0) * (behind[label] ?? 0);
    result[at * SIZE + label] = value;
    sum += value;
  }
  for (let label = 0; label < SIZE; label += 1) {
    result[at * SIZE + label] = (result[at * SIZE + label] ?? 0) / sum;
  }
}
