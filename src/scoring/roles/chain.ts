import type { Features } from './features.ts';

/** Weights of features: of an utterance for the agent, of two in a row for each way in which two people can say them. */
export type RoleWeights = {
  utterance: Readonly<Record<string, number>>;
  pair: Readonly<Record<string, Readonly<Ways>>>;
};

export type Chain = { utterances: readonly Features[]; pairs: readonly Features[] };

/** For the customer, for the agent. */
type Two = [number, number];
/** Customer and customer, customer and agent, agent and customer, agent and agent. */
type Ways = [number, number, number, number];

export type Marginals = {
  /** For each utterance, how likely the agent says it. */
  agent: number[];
  /** For each two in a row, how likely each way is. */
  pairs: Ways[];
};

/**
 * How likely each utterance is the agent's, given all of them: a conditional random field over a chain, by
 * forward-backward (Lafferty, McCallum, Pereira 2001).
 */
export function marginalsOf({ utterances, pairs }: Chain, weights: RoleWeights): Marginals {
  const scores = utterances.map((features) => sum(features, weights.utterance));
  const ways: Ways[] = pairs.map((features) => waysOf(features, weights.pair));
  const forward: Two[] = [];
  for (const [at, score] of scores.entries()) {
    const before = forward[at - 1];
    const way = ways[at - 1];
    if (!before || !way) forward.push([0, score]);
    else {
      const customer = logAdd(before[0] + way[0], before[1] + way[2]);
      const agent = logAdd(before[0] + way[1], before[1] + way[3]) + score;
      forward.push([customer, agent]);
    }
  }
  const backward: Two[] = Array.from({ length: scores.length }, () => [0, 0]);
  for (let at = scores.length - 2; at >= 0; at -= 1) {
    const after: Two = backward[at + 1] ?? [0, 0];
    const way: Ways = ways[at] ?? [0, 0, 0, 0];
    const score = scores[at + 1] ?? 0;
    backward[at] = [
      logAdd(way[0] + after[0], way[1] + score + after[1]),
      logAdd(way[2] + after[0], way[3] + score + after[1]),
    ];
  }
  const agent = forward.map(([c, a], at) => {
    const [bc, ba] = backward[at] ?? [0, 0];
    return 1 / (1 + Math.exp(c + bc - a - ba));
  });
  const pairMarginals = ways.map((way, at): Ways => {
    const [c, a] = forward[at] ?? [0, 0];
    const [bc, ba] = backward[at + 1] ?? [0, 0];
    const next = scores[at + 1] ?? 0;
    const logs = [c + way[0] + bc, c + way[1] + next + ba, a + way[2] + bc, a + way[3] + next + ba];
    const total = logs.reduce(logAdd);
    const [cc = 0, ca = 0, ac = 0, aa = 0] = logs.map((log) => Math.exp(log - total));
    return [cc, ca, ac, aa];
  });
  return { agent, pairs: pairMarginals };
}

function sum(features: Features, weights: Readonly<Record<string, number>>): number {
  let total = 0;
  for (const [name, value] of features) total += value * (weights[name] ?? 0);
  return total;
}

function waysOf(features: Features, weights: RoleWeights['pair']): Ways {
  const total: Ways = [0, 0, 0, 0];
  for (const [name, value] of features) {
    const [cc, ca, ac, aa] = weights[name] ?? [0, 0, 0, 0];
    total[0] += value * cc;
    total[1] += value * ca;
    total[2] += value * ac;
    total[3] += value * aa;
  }
  return total;
}

function logAdd(a: number, b: number): number {
  const most = Math.max(a, b);
  return most + Math.log1p(Math.exp(Math.min(a, b) - most));
}
