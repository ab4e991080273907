import { forward, marginals, potentialsOf, stepBack, STEPS_SIZE } from '../../../src/redaction/tagger/chain.ts';
import { PLACES } from '../../../src/redaction/tagger/feature-list.ts';
import { LABELS } from '../../../src/redaction/tagger/labels.ts';
import { createChance, shuffled, type Chance } from './chance.ts';
import { UNKNOWN, type Example } from './examples.ts';

/** One weight a label at each place, labels side by side; and one from each label to each. */
export type Fitted = { values: Float32Array; steps: Float64Array };

const SIZE: number = LABELS.length;
/** A slope of less than this moves nothing. */
const slopeMin = 0.002;
const stepMost = 6;

export type FitOptions = { rounds?: number; rate?: number; penalty?: number; dropped?: number };

/** A conditional random field by AdaGrad, turn after turn in a fixed order, with a penalty on the squares of the weights. */
export function fit(
  examples: readonly Example[],
  { rounds = 6, rate = 0.1, penalty = 5e-3, dropped = 0.1 }: FitOptions = {},
): Fitted {
  const values = new Float32Array(PLACES * SIZE);
  const squares = new Float32Array(PLACES * SIZE).fill(0.02);
  const steps = new Float64Array(STEPS_SIZE);
  const stepSquares = new Float64Array(STEPS_SIZE).fill(0.1);
  const chance = createChance(20_261_122);
  const sums = new Float32Array(values.length);
  const averaged = Math.ceil(rounds / 2);
  for (let round = 0; round < rounds; round += 1) {
    for (const index of shuffled(examples.length, chance)) {
      const whole = examples[index];
      if (!whole || whole.labels.length === 0) continue;
      const example = dropped > 0 ? thinned(whole, chance, dropped) : whole;
      const factors = steps.map((step) => Math.exp(step));
      const scores = scoresOf(values, example);
      const told = marginals(scores, factors);
      learnSteps(example, { scores, factors, steps, squares: stepSquares, rate });
      learnValues(example, { told, values, squares, rate, penalty });
    }
    if (rounds - round <= averaged)
      for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) + (values[at] ?? 0);
  }
  return { values: sums.map((sum) => (sum / averaged) * (1 - dropped)), steps };
}

/** Without some of its features, so that none comes to rest on a few others. */
function thinned({ places, starts, labels }: Example, chance: Chance, dropped: number): Example {
  const kept = new Int32Array(places.length);
  const begins = new Uint32Array(starts.length);
  let length = 0;
  for (let token = 0; token < labels.length; token += 1) {
    for (let at = starts[token] ?? 0; at < (starts[token + 1] ?? 0); at += 1) {
      if (chance.next() < dropped) continue;
      kept[length] = places[at] ?? 0;
      length += 1;
    }
    begins[token + 1] = length;
  }
  return { places: kept, starts: begins, labels };
}

function scoresOf(values: Float32Array, { places, starts, labels }: Example): Float32Array {
  const scores = new Float32Array(labels.length * SIZE);
  for (let token = 0; token < labels.length; token += 1) {
    const own = token * SIZE;
    for (let at = starts[token] ?? 0; at < (starts[token + 1] ?? 0); at += 1) {
      const row = (places[at] ?? 0) * SIZE;
      for (let label = 0; label < SIZE; label += 1) {
        scores[own + label] = (scores[own + label] ?? 0) + (values[row + label] ?? 0);
      }
    }
  }
  return scores;
}

type Values = { told: Float64Array; values: Float32Array; squares: Float32Array; rate: number; penalty: number };

function learnValues({ places, starts, labels }: Example, { told, values, squares, rate, penalty }: Values): void {
  const moved: number[] = [];
  const slopes: number[] = [];
  for (const [token, truth] of labels.entries()) {
    if (truth === UNKNOWN) continue;
    moved.length = 0;
    slopes.length = 0;
    for (let label = 0; label < SIZE; label += 1) {
      const slope = (told[token * SIZE + label] ?? 0) - (label === truth ? 1 : 0);
      if (Math.abs(slope) < slopeMin) continue;
      moved.push(label);
      slopes.push(slope);
    }
    for (let at = starts[token] ?? 0; at < (starts[token + 1] ?? 0); at += 1) {
      const row = (places[at] ?? 0) * SIZE;
      for (let index = 0; index < moved.length; index += 1) {
        const place = row + (moved[index] ?? 0);
        const slope = (slopes[index] ?? 0) + penalty * (values[place] ?? 0);
        const square = (squares[place] ?? 0) + slope * slope;
        squares[place] = square;
        values[place] = (values[place] ?? 0) - (rate * slope) / Math.sqrt(square);
      }
    }
  }
}

type Steps = { scores: Float32Array; factors: Float64Array; steps: Float64Array; squares: Float64Array; rate: number };

/** Slopes of the weights from label to label, by how likely each pair is. */
function learnSteps({ labels }: Example, { scores, factors, steps, squares, rate }: Steps): void {
  const slopes = new Float64Array(STEPS_SIZE);
  const potentials = potentialsOf(scores);
  const ahead = forward(potentials, factors);
  const behind = new Float64Array(SIZE);
  for (let label = 0; label < SIZE; label += 1) behind[label] = factors[label * (SIZE + 1) + SIZE] ?? 0;
  const last = labels.length - 1;
  addEdge(slopes, {
    ahead,
    behind,
    at: last,
    truth: labels[last] ?? UNKNOWN,
    place: (label) => label * (SIZE + 1) + SIZE,
  });
  for (let at = last; at > 0; at -= 1) {
    addPairs(slopes, { labels, at, potentials, factors, ahead, behind });
    stepBack(behind, { at, potentials, steps: factors });
  }
  addEdge(slopes, { ahead, behind, at: 0, truth: labels[0] ?? UNKNOWN, place: (label) => SIZE * (SIZE + 1) + label });
  for (const [at, slope] of slopes.entries()) {
    if (slope === 0) continue;
    squares[at] = (squares[at] ?? 0) + slope * slope;
    const moved = (steps[at] ?? 0) - (rate * slope) / Math.sqrt(squares[at] ?? 1);
    steps[at] = Math.max(-stepMost, Math.min(stepMost, moved));
  }
}

type Edge = {
  ahead: Float64Array;
  behind: Float64Array;
  at: number;
  truth: number;
  place: (label: number) => number;
};

function addEdge(slopes: Float64Array, { ahead, behind, at, truth, place }: Edge): void {
  if (truth === UNKNOWN) return;
  const likely = Array.from(behind, (value, label) => value * (ahead[at * SIZE + label] ?? 0));
  const sum = likely.reduce((total, value) => total + value, 0);
  for (const [label, value] of likely.entries()) {
    slopes[place(label)] = (slopes[place(label)] ?? 0) + value / sum - (label === truth ? 1 : 0);
  }
}

type Pairs = {
  labels: Uint8Array;
  at: number;
  potentials: Float64Array;
  factors: Float64Array;
  ahead: Float64Array;
  behind: Float64Array;
};

function addPairs(slopes: Float64Array, { labels, at, potentials, factors, ahead, behind }: Pairs): void {
  const [before = UNKNOWN, now = UNKNOWN] = [labels[at - 1], labels[at]];
  if (before === UNKNOWN || now === UNKNOWN) return;
  const likely = new Float64Array(SIZE * SIZE);
  let sum = 0;
  for (let from = 0; from < SIZE; from += 1) {
    for (let to = 0; to < SIZE; to += 1) {
      const onward = (potentials[at * SIZE + to] ?? 0) * (behind[to] ?? 0) * (factors[from * (SIZE + 1) + to] ?? 0);
      const value = (ahead[(at - 1) * SIZE + from] ?? 0) * onward;
      likely[from * SIZE + to] = value;
      sum += value;
    }
  }
  for (let from = 0; from < SIZE; from += 1) {
    for (let to = 0; to < SIZE; to += 1) {
      const place = from * (SIZE + 1) + to;
      slopes[place] = (slopes[place] ?? 0) + (likely[from * SIZE + to] ?? 0) / sum;
    }
  }
  const truth = before * (SIZE + 1) + now;
  slopes[truth] = (slopes[truth] ?? 0) - 1;
}
