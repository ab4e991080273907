/** Customer and customer, customer and agent, agent and customer, agent and agent. */
export const WAYS = 4;

export type Chain = {
  /** For each utterance, how much more it sounds like the agent than like the customer. */
  scores: Float64Array;
  /** For each two in a row, how well each of the four ways to say them suits. */
  ways: Float64Array;
};

export type Marginals = {
  /** For each utterance, how likely the agent says it. */
  agent: Float64Array;
  /** For each two in a row, how likely each way is. */
  pairs: Float64Array;
};

/**
 * How likely each utterance is the agent's, given all of them: a conditional random field over a chain, by
 * forward-backward (Lafferty, McCallum, Pereira 2001).
 */
export function marginalsOf({ scores, ways }: Chain): Marginals {
  const count = scores.length;
  const forward = runForward({ scores, ways });
  const backward = runBackward({ scores, ways });
  const at = (list: Float64Array, index: number): number => list[index] ?? 0;
  const total = count === 0 ? 0 : logAdd(at(forward, 2 * count - 2), at(forward, 2 * count - 1));
  const agent = new Float64Array(count);
  const pairs = new Float64Array(WAYS * Math.max(0, count - 1));
  for (let index = 0; index < count; index += 1) {
    agent[index] = Math.exp(at(forward, 2 * index + 1) + at(backward, 2 * index + 1) - total);
    if (index === count - 1) break;
    for (let way = 0; way < WAYS; way += 1) {
      const [from, to] = [way >> 1, way & 1];
      const score = to === 1 ? at(scores, index + 1) : 0;
      const log =
        at(forward, 2 * index + from) + at(ways, WAYS * index + way) + score + at(backward, 2 * index + 2 + to);
      pairs[WAYS * index + way] = Math.exp(log - total);
    }
  }
  return { agent, pairs };
}

/** For the customer and for the agent, utterance by utterance: all ways to get there. */
function runForward({ scores, ways }: Chain): Float64Array {
  const forward = new Float64Array(2 * scores.length);
  forward[1] = scores[0] ?? 0;
  for (let index = 1; index < scores.length; index += 1) {
    const way = WAYS * (index - 1);
    const [customer, agent] = [forward[2 * index - 2] ?? 0, forward[2 * index - 1] ?? 0];
    forward[2 * index] = logAdd(customer + (ways[way] ?? 0), agent + (ways[way + 2] ?? 0));
    forward[2 * index + 1] =
      logAdd(customer + (ways[way + 1] ?? 0), agent + (ways[way + 3] ?? 0)) + (scores[index] ?? 0);
  }
  return forward;
}

/** The same from the end: all ways to go on. */
function runBackward({ scores, ways }: Chain): Float64Array {
  const backward = new Float64Array(2 * scores.length);
  for (let index = scores.length - 2; index >= 0; index -= 1) {
    const way = WAYS * index;
    const customer = backward[2 * index + 2] ?? 0;
    const agent = (backward[2 * index + 3] ?? 0) + (scores[index + 1] ?? 0);
    backward[2 * index] = logAdd((ways[way] ?? 0) + customer, (ways[way + 1] ?? 0) + agent);
    backward[2 * index + 1] = logAdd((ways[way + 2] ?? 0) + customer, (ways[way + 3] ?? 0) + agent);
  }
  return backward;
}

function logAdd(a: number, b: number): number {
  const most = Math.max(a, b);
  return most + Math.log1p(Math.exp(Math.min(a, b) - most));
}
