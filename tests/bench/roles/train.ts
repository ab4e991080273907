import { type Chain, marginalsOf, type RoleWeights } from '../../../src/scoring/roles/chain.ts';
import { featuresOf, pairFeaturesOf } from '../../../src/scoring/roles/features.ts';
import { createTokenReader } from '../../../src/model/text/tokens.ts';
import type { ToldCall, ToldLine } from './corpora.ts';

export type Example = Chain & { call: string; group: string; lines: ToldLine[]; isAgent: boolean[]; weight: number };

export function toExample({ group, call, lines }: ToldCall, weight = 1): Example {
  const read = createTokenReader();
  const said = lines
    .map(({ role, text }) => ({ role, text, tokens: read(text) }))
    .filter(({ tokens }) => tokens.length > 0);
  return {
    call,
    group,
    weight,
    lines: said,
    isAgent: said.map(({ role }) => role === 'agent'),
    utterances: said.map((each, index) => featuresOf(each, { index, count: said.length })),
    pairs: said.slice(1).map((next, at) => pairFeaturesOf(said[at] ?? next, next)),
  };
}

type Step = { gradient: Map<string, number[]>; value: Map<string, number[]>; size: number };

const rate = 0.05;
const rounds = 250;

/** Fits the weights to calls whose speakers are known, by gradient ascent (Adam) on the likelihood with a Gaussian prior. */
export function fit(examples: readonly Example[], { prior }: { prior: number }): RoleWeights {
  const utterance: Step = { gradient: new Map(), value: new Map(), size: 1 };
  const pair: Step = { gradient: new Map(), value: new Map(), size: 4 };
  const moments = new Map<string, { first: number[]; second: number[] }>();
  for (let round = 1; round <= rounds; round += 1) {
    const weights = toWeights(utterance.value, pair.value);
    utterance.gradient.clear();
    pair.gradient.clear();
    for (const example of examples) addGradient(example, marginalsOf(example, weights), { utterance, pair });
    for (const [kind, step] of Object.entries({ utterance, pair })) {
      for (const [name, gradient] of step.gradient) {
        const value = step.value.get(name) ?? Array.from({ length: step.size }, () => 0);
        step.value.set(name, value);
        const key = `${kind} ${name}`;
        const moment = moments.get(key) ?? { first: value.map(() => 0), second: value.map(() => 0) };
        moments.set(key, moment);
        for (let at = 0; at < step.size; at += 1) {
          const slope = (gradient[at] ?? 0) - prior * (value[at] ?? 0);
          moment.first[at] = 0.9 * (moment.first[at] ?? 0) + 0.1 * slope;
          moment.second[at] = 0.999 * (moment.second[at] ?? 0) + 0.001 * slope * slope;
          const first = (moment.first[at] ?? 0) / (1 - 0.9 ** round);
          const second = (moment.second[at] ?? 0) / (1 - 0.999 ** round);
          value[at] = (value[at] ?? 0) + (rate * first) / (Math.sqrt(second) + 1e-8);
        }
      }
    }
  }
  return toWeights(utterance.value, pair.value);
}

function addGradient(
  example: Example,
  marginals: ReturnType<typeof marginalsOf>,
  { utterance, pair }: { utterance: Step; pair: Step },
): void {
  for (const [at, features] of example.utterances.entries()) {
    const error = (example.isAgent[at] ? 1 : 0) - (marginals.agent[at] ?? 0);
    for (const [name, value] of features) add(utterance, name, 0, example.weight * error * value);
  }
  for (const [at, features] of example.pairs.entries()) {
    const way = (example.isAgent[at] ? 2 : 0) + (example.isAgent[at + 1] ? 1 : 0);
    for (const [name, value] of features) {
      for (let each = 0; each < 4; each += 1) {
        const error = (each === way ? 1 : 0) - (marginals.pairs[at]?.[each] ?? 0);
        add(pair, name, each, example.weight * error * value);
      }
    }
  }
}

function add(step: Step, name: string, at: number, amount: number): void {
  const gradient = step.gradient.get(name) ?? Array.from({ length: step.size }, () => 0);
  gradient[at] = (gradient[at] ?? 0) + amount;
  step.gradient.set(name, gradient);
}

function toWeights(utterance: Map<string, number[]>, pair: Map<string, number[]>): RoleWeights {
  return {
    utterance: Object.fromEntries([...utterance].map(([name, [weight = 0]]) => [name, weight])),
    pair: Object.fromEntries(
      [...pair].map(([name, [cc = 0, ca = 0, ac = 0, aa = 0]]) => [name, [cc, ca, ac, aa] as const]),
    ),
  };
}
