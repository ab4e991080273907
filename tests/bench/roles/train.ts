import { marginalsOf, WAYS as WAY_COUNT } from '../../../src/scoring/roles/chain.ts';
import { readUtterance, utteranceFeatures } from '../../../src/scoring/roles/features.ts';
import { pairFeatures, styleOf } from '../../../src/scoring/roles/pair-features.ts';
import { trusted, type TrustWeights } from '../../../src/scoring/roles/trust.ts';
import { addChange, OVERLAP_WEIGHT, overlapsOf } from '../../../src/scoring/roles/utterances.ts';
import { WEIGHT_SCALE } from '../../../src/scoring/roles/weights.ts';
import { createTokenReader, type Token } from '../../../src/model/text/tokens.ts';
import type { ToldCall, ToldLine } from './corpora.ts';
import { createRandom } from './ways-to-write.ts';

/** A constant of this module: what is imported is looked up each time where a test runner loads modules. */
const WAYS = WAY_COUNT;

/** Features of one utterance, or of two: their rows in the weights, and how much there is of each. */
type Row = { features: Int32Array; values: Float64Array };

export type SaidLine = ToldLine & { tokens: readonly Token[] };
export type Example = Omit<ToldCall, 'lines'> & {
  lines: SaidLine[];
  utterances: Row[];
  pairs: Row[];
  overlaps: ReadonlySet<number>;
  weight: number;
};

/** Features by their numbers, and the other way round: weights that are fitted stand in a row. */
export type Catalogue = { rowOf: Map<number, number>; featureAt: number[] };

export function createCatalogue(): { utterance: Catalogue; pair: Catalogue } {
  return { utterance: { rowOf: new Map(), featureAt: [] }, pair: { rowOf: new Map(), featureAt: [] } };
}

export type Catalogues = ReturnType<typeof createCatalogue>;

export function toExample(call: ToldCall, catalogues: Catalogues, weight = 1): Example {
  const read = createTokenReader();
  const lines = call.lines
    .map((line) => ({ ...line, tokens: read(line.text) }))
    .filter(({ tokens }) => tokens.length > 0);
  const heard = lines.map((line) => readUtterance(line));
  const count = lines.length;
  const style = styleOf(heard);
  return {
    ...call,
    lines,
    weight,
    overlaps: overlapsOf(lines),
    utterances: heard.map((each, index) =>
      rowOf(catalogues.utterance, (emit) => utteranceFeatures(each, { index, count }, emit)),
    ),
    pairs: heard
      .slice(1)
      .map((next, at) =>
        rowOf(catalogues.pair, (emit) =>
          pairFeatures({ before: heard[at] ?? next, next, earlier: heard[at - 1], style }, emit),
        ),
      ),
  };
}

function rowOf(catalogue: Catalogue, emitAll: (emit: (feature: number, value: number) => void) => void): Row {
  const features: number[] = [];
  const values: number[] = [];
  emitAll((feature, value) => {
    let row = catalogue.rowOf.get(feature);
    if (row === undefined) {
      row = catalogue.featureAt.length;
      catalogue.rowOf.set(feature, row);
      catalogue.featureAt.push(feature);
    }
    features.push(row);
    values.push(value);
  });
  return { features: Int32Array.from(features), values: Float64Array.from(values) };
}

/** Fitted weights, by row of the catalogue. */
export type Fitted = { utterance: Float64Array; pair: Float64Array };

export type FitOptions = {
  /** How much weights are held back: the variance of their Gaussian prior is one divided by it. */
  prior: { utterance: number; pair: number };
  /** What fewer calls hold is no feature of people on the telephone, but of one call. */
  callsMin: number;
  /** This share of the features is left out at random in each round, so that no weight rests on others. */
  dropped: number;
};

const RATE = 0.1;
const ROUNDS = 60;

/** Fits the weights to calls whose speakers are known, by gradient ascent (Adam) on the likelihood with a Gaussian prior. */
export function fit(
  examples: readonly Example[],
  catalogues: Catalogues,
  { prior, callsMin, dropped }: FitOptions,
): Fitted {
  const utterance = createStep(catalogues.utterance.featureAt.length);
  const pair = createStep(WAYS * catalogues.pair.featureAt.length);
  const isRare = {
    utterance: rareRows(examples, { of: 'utterances', size: catalogues.utterance.featureAt.length, callsMin }),
    pair: rareRows(examples, { of: 'pairs', size: catalogues.pair.featureAt.length, callsMin }),
  };
  const random = createRandom('thinned');
  const known = examples.map((example) => withoutRare(example, isRare));
  for (let round = 1; round <= ROUNDS; round += 1) {
    utterance.gradient.fill(0);
    pair.gradient.fill(0);
    const now = { utterance: utterance.value, pair: pair.value };
    for (const given of known)
      addGradient(thinned(given, dropped, random), now, { utterance: utterance.gradient, pair: pair.gradient });
    takeStep(utterance, { round, prior: prior.utterance });
    takeStep(pair, { round, prior: prior.pair });
  }
  return { utterance: utterance.value, pair: pair.value };
}

/** The same with some features left out and the others made up for them. */
function thinned(example: Example, dropped: number, random: () => number): Example {
  const thin = ({ features, values }: Row): Row => {
    const kept = new Float64Array(values.length);
    for (let at = 0; at < kept.length; at += 1) if (random() >= dropped) kept[at] = (values[at] ?? 0) / (1 - dropped);
    return { features, values: kept };
  };
  return { ...example, utterances: example.utterances.map(thin), pairs: example.pairs.map(thin) };
}

type Counting = { of: 'utterances' | 'pairs'; size: number; callsMin: number };

/** 1 for each feature that fewer calls hold, in whatever way they are written. */
function rareRows(examples: readonly Example[], { of, size, callsMin }: Counting): Uint8Array {
  const counts = new Uint32Array(size);
  for (const sameCall of Map.groupBy(examples, ({ call }) => call).values()) {
    const held = new Set(sameCall.flatMap((example) => example[of].flatMap(({ features }) => [...features])));
    for (const row of held) counts[row] = (counts[row] ?? 0) + 1;
  }
  return Uint8Array.from(counts, (count) => (count < callsMin ? 1 : 0));
}

function withoutRare(example: Example, isRare: { utterance: Uint8Array; pair: Uint8Array }): Example {
  const known = ({ features, values }: Row, rare: Uint8Array): Row => {
    const kept = (_: number, at: number): boolean => rare[features[at] ?? 0] === 0;
    return { features: features.filter(kept), values: values.filter(kept) };
  };
  return {
    ...example,
    utterances: example.utterances.map((row) => known(row, isRare.utterance)),
    pairs: example.pairs.map((row) => known(row, isRare.pair)),
  };
}

type Step = Record<'gradient' | 'value' | 'first' | 'second', Float64Array>;

function createStep(size: number): Step {
  const [gradient, value, first, second] = [0, 1, 2, 3].map(() => new Float64Array(size));
  const none = new Float64Array(0);
  return { gradient: gradient ?? none, value: value ?? none, first: first ?? none, second: second ?? none };
}

type Stepping = { round: number; prior: number };

function takeStep({ gradient, value, first, second }: Step, { round, prior }: Stepping): void {
  const [firstBias, secondBias] = [1 - 0.9 ** round, 1 - 0.999 ** round];
  for (let at = 0; at < value.length; at += 1) {
    const slope = (gradient[at] ?? 0) - prior * (value[at] ?? 0);
    if (slope === 0) continue;
    const mean = 0.9 * (first[at] ?? 0) + 0.1 * slope;
    const square = 0.999 * (second[at] ?? 0) + 0.001 * slope * slope;
    first[at] = mean;
    second[at] = square;
    value[at] = (value[at] ?? 0) + (RATE * (mean / firstBias)) / (Math.sqrt(square / secondBias) + 1e-8);
  }
}

/** For each utterance of an example, how likely the agent says it by these weights. */
export function tell(example: Example, weights: Fitted, trust?: TrustWeights): Float64Array {
  return trusted(chainOf(example, weights), countsOf(example), trust);
}

export function countsOf({ lines }: Example): number[] {
  return lines.map(({ tokens }) => tokens.length);
}

export function chainOf(
  { utterances, pairs, overlaps }: Example,
  weights: Fitted,
): { scores: Float64Array; ways: Float64Array } {
  const scores = new Float64Array(utterances.length);
  const ways = new Float64Array(WAYS * pairs.length);
  for (const [at, { features, values }] of utterances.entries()) {
    let score = 0;
    for (let each = 0; each < features.length; each += 1)
      score += (values[each] ?? 0) * (weights.utterance[features[each] ?? 0] ?? 0);
    scores[at] = score;
  }
  for (const [at, { features, values }] of pairs.entries()) {
    for (let each = 0; each < features.length; each += 1) {
      const row = WAYS * (features[each] ?? 0);
      for (let way = 0; way < WAYS; way += 1) {
        ways[WAYS * at + way] = (ways[WAYS * at + way] ?? 0) + (values[each] ?? 0) * (weights.pair[row + way] ?? 0);
      }
    }
    if (overlaps.has(at)) addChange(ways.subarray(WAYS * at, WAYS * at + WAYS), OVERLAP_WEIGHT);
  }
  return { scores, ways };
}

function addGradient(example: Example, weights: Fitted, gradient: Fitted): void {
  const { lines, utterances, pairs, weight } = example;
  const marginals = marginalsOf(chainOf(example, weights));
  const isAgent = lines.map(({ role }) => (role === 'agent' ? 1 : 0));
  for (const [at, { features, values }] of utterances.entries()) {
    const error = weight * ((isAgent[at] ?? 0) - (marginals.agent[at] ?? 0));
    for (let each = 0; each < features.length; each += 1) {
      const row = features[each] ?? 0;
      gradient.utterance[row] = (gradient.utterance[row] ?? 0) + error * (values[each] ?? 0);
    }
  }
  for (const [at, { features, values }] of pairs.entries()) {
    const said = 2 * (isAgent[at] ?? 0) + (isAgent[at + 1] ?? 0);
    for (let way = 0; way < WAYS; way += 1) {
      const error = weight * ((way === said ? 1 : 0) - (marginals.pairs[WAYS * at + way] ?? 0));
      for (let each = 0; each < features.length; each += 1) {
        const row = WAYS * (features[each] ?? 0) + way;
        gradient.pair[row] = (gradient.pair[row] ?? 0) + error * (values[each] ?? 0);
      }
    }
  }
}

/** What is smaller changes nothing. */
const WEIGHT_MIN = 0.02;

/** The weights that matter, as `src/scoring/roles/weights.ts` reads them. */
export function pack({ utterance, pair }: Fitted, catalogues: Catalogues): Buffer {
  return Buffer.concat([packTable(utterance, catalogues.utterance, 1), packTable(pair, catalogues.pair, WAYS)]);
}

function packTable(all: Float64Array, { featureAt }: Catalogue, width: number): Buffer {
  const rows = featureAt
    .map((feature, row) => ({ feature, weights: [...all.subarray(width * row, width * row + width)] }))
    .filter(({ weights }) => weights.some((weight) => Math.abs(weight) >= WEIGHT_MIN))
    .toSorted((a, b) => a.feature - b.feature);
  const head = Buffer.alloc(4 + 4 * rows.length);
  head.writeUInt32LE(rows.length);
  for (const [index, { feature }] of rows.entries()) head.writeUInt32LE(feature, 4 + 4 * index);
  const values = rows.flatMap(({ weights }) => weights);
  const body = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) body.writeInt16LE(Math.round(value * WEIGHT_SCALE), 2 * index);
  return Buffer.concat([head, body]);
}
