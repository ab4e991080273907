import { BINS } from '../../../src/scoring/opinion/call-features.ts';
import { DEPTH, LEAVES, NODES, type Trees } from '../../../src/scoring/opinion/trees.ts';

export type TreeExample = { features: Uint8Array; truth: number };

const ROUNDS = 60;
const RATE = 0.12;
/** So much counts as seen on no side: a leaf of few examples says little. */
const LEAF_PENALTY = 4;
const LEAF_WEIGHT_MIN = 3;
/** Each round sees half of the features and two thirds of the examples. */
const FEATURES_SHARE = 0.4;
const EXAMPLES_SHARE = 0.7;
const BASE_MIN = 1e-4;
const LEAF_MAX = 1.5;

type Fit = { columns: Uint8Array[]; slopes: Float64Array; weights: Float64Array };
type Split = { gain: number; feature: number; bin: number };

/** Gradient boosting of a softmax over the answers (Friedman 2001), the same trees every time. */
export function fitTrees(examples: readonly TreeExample[], answers: number): Trees {
  const width = examples[0]?.features.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) =>
    Uint8Array.from(examples, ({ features }) => features[at] ?? 0),
  );
  const total = examples.length;
  const base = Array.from({ length: answers }, (_, answer) => {
    const own = examples.filter(({ truth }) => truth === answer).length;
    return Number(Math.log(Math.max(BASE_MIN, own / total)).toFixed(4));
  });
  const scores = base.map((each) => new Float64Array(examples.length).fill(each));
  const random = randomFrom(0x9e_37_79_b9);
  const scale = LEAF_MAX / 127;
  const nodes: number[] = [];
  const leaves: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const isSeen = Uint8Array.from(examples, () => Number(random() < EXAMPLES_SHARE));
    const features = columns.flatMap((_, at) => (random() < FEATURES_SHARE ? [at] : []));
    const shares = sharesOf(scores);
    for (const [answer, own] of scores.entries()) {
      const slopes = new Float64Array(examples.length);
      const weights = new Float64Array(examples.length);
      for (const [index, { truth }] of examples.entries()) {
        const share = shares[answer]?.[index] ?? 0;
        if (isSeen[index] === 0) continue;
        slopes[index] = Number(truth === answer) - share;
        weights[index] = Math.max(1e-6, share * (1 - share));
      }
      const tree = growTree({ columns, slopes, weights }, { features, scale });
      nodes.push(...tree.nodes);
      leaves.push(...tree.leaves);
      for (let index = 0; index < examples.length; index += 1) {
        const leaf = tree.leaves[tree.places[index] ?? 0] ?? 0;
        own[index] = (own[index] ?? 0) + leaf * scale;
      }
    }
  }
  return { base, scale, nodes: Uint16Array.from(nodes), leaves: Int8Array.from(leaves) };
}

function sharesOf(scores: readonly Float64Array[]): Float64Array[] {
  const shares = scores.map((own) => own.map(Math.exp));
  const { length } = shares[0] ?? new Float64Array();
  for (let index = 0; index < length; index += 1) {
    const sum = shares.reduce((all, own) => all + (own[index] ?? 0), 0);
    for (const own of shares) own[index] = (own[index] ?? 0) / sum;
  }
  return shares;
}

/** Level by level. `places` is the leaf that each example comes to. */
function growTree(
  fit: Fit,
  { features, scale }: { features: readonly number[]; scale: number },
): { nodes: number[]; leaves: number[]; places: Uint8Array } {
  const places = new Uint8Array(fit.slopes.length);
  const nodes: number[] = Array.from({ length: NODES }, () => BINS - 1);
  for (let level = 0; level < DEPTH; level += 1) {
    const first = 2 ** level - 1;
    const splits = bestSplits(fit, { features, places, groups: 2 ** level });
    for (const [group, { feature, bin }] of splits.entries()) nodes[first + group] = feature * BINS + bin;
    for (const [index, group] of places.entries()) {
      const { feature = 0, bin = BINS - 1 } = splits[group] ?? {};
      places[index] = 2 * group + ((fit.columns[feature]?.[index] ?? 0) <= bin ? 0 : 1);
    }
  }
  const sums = new Float64Array(LEAVES);
  const sizes = new Float64Array(LEAVES);
  for (const [index, leaf] of places.entries()) {
    sums[leaf] = (sums[leaf] ?? 0) + (fit.slopes[index] ?? 0);
    sizes[leaf] = (sizes[leaf] ?? 0) + (fit.weights[index] ?? 0);
  }
  const leaves = Array.from(sums, (sum, leaf) => {
    const value = (RATE * sum) / ((sizes[leaf] ?? 0) + LEAF_PENALTY / 4);
    return Math.max(-127, Math.min(127, Math.round(value / scale)));
  });
  return { nodes, leaves, places };
}

type Grouped = { features: readonly number[]; places: Uint8Array; groups: number };

/** For each group of examples the question that tells them apart best; none is as good as one that all answer alike. */
function bestSplits({ columns, slopes, weights }: Fit, { features, places, groups }: Grouped): Split[] {
  const best = Array.from({ length: groups }, (): Split => ({ gain: 1e-6, feature: 0, bin: BINS - 1 }));
  const sums = new Float64Array(groups * BINS);
  const sizes = new Float64Array(groups * BINS);
  for (const feature of features) {
    const column = columns[feature];
    if (!column) continue;
    sums.fill(0);
    sizes.fill(0);
    for (let index = 0; index < column.length; index += 1) {
      const at = (places[index] ?? 0) * BINS + (column[index] ?? 0);
      sums[at] = (sums[at] ?? 0) + (slopes[index] ?? 0);
      sizes[at] = (sizes[at] ?? 0) + (weights[index] ?? 0);
    }
    for (let group = 0; group < groups; group += 1) {
      const split = bestBin(
        sums.subarray(group * BINS, (group + 1) * BINS),
        sizes.subarray(group * BINS, (group + 1) * BINS),
      );
      if (split.gain > (best[group]?.gain ?? 0)) best[group] = { ...split, feature };
    }
  }
  return best;
}

function bestBin(sums: Float64Array, sizes: Float64Array): { gain: number; bin: number } {
  let [sum, size] = [0, 0];
  for (let bin = 0; bin < BINS; bin += 1) {
    sum += sums[bin] ?? 0;
    size += sizes[bin] ?? 0;
  }
  const whole = (sum * sum) / (size + LEAF_PENALTY / 4);
  const best = { gain: 0, bin: BINS - 1 };
  let [left, leftSize] = [0, 0];
  for (let bin = 0; bin < BINS - 1; bin += 1) {
    left += sums[bin] ?? 0;
    leftSize += sizes[bin] ?? 0;
    if (leftSize < LEAF_WEIGHT_MIN / 4 || size - leftSize < LEAF_WEIGHT_MIN / 4) continue;
    const right = sum - left;
    const gain =
      (left * left) / (leftSize + LEAF_PENALTY / 4) + (right * right) / (size - leftSize + LEAF_PENALTY / 4) - whole;
    if (gain > best.gain) {
      best.gain = gain;
      best.bin = bin;
    }
  }
  return best;
}

/** Xorshift: the same numbers every time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
