import { ACT_WEIGHTS } from './act-weights.ts';
import { PLACES, type Features } from './feature-list.ts';
import type { CommonWords } from './features.ts';
import { type Regressions, sharesBy, unpackWeights } from './regressions.ts';

type Known = { agent: Regressions; customer: Regressions; common: CommonWords };

let known: Known | undefined;

/** Unpacked when it is first asked for: a megabyte that not every process needs. */
function weights(): Known {
  known ??= {
    agent: unpackWeights(ACT_WEIGHTS.agent, PLACES),
    customer: unpackWeights(ACT_WEIGHTS.customer, PLACES),
    common: Buffer.from(ACT_WEIGHTS.common, 'base64'),
  };
  return known;
}

export function commonWords(): CommonWords {
  return weights().common;
}

/** How likely an utterance of this party does each of its acts, in their order. */
export function readActs(role: 'agent' | 'customer', features: Features): Float32Array {
  return sharesBy(weights()[role], features);
}
