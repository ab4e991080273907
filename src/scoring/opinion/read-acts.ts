import { ACT_WEIGHTS } from './act-weights.ts';
import { AGENT_ACTS, CUSTOMER_ACTS } from './acts.ts';
import { PLACES, type Features } from './feature-list.ts';
import type { CommonWords } from './features.ts';
import { unpack, type Unpacked } from './unpack.ts';

type Known = { agent: Unpacked; customer: Unpacked; common: CommonWords };

let known: Known | undefined;

/** Unpacked when it is first asked for: half a megabyte that not every process needs. */
function weights(): Known {
  known ??= {
    agent: unpack(ACT_WEIGHTS.agent, AGENT_ACTS.length),
    customer: unpack(ACT_WEIGHTS.customer, CUSTOMER_ACTS.length),
    common: Buffer.from(ACT_WEIGHTS.common, 'base64'),
  };
  return known;
}

export function commonWords(): CommonWords {
  return weights().common;
}

/** How likely an utterance of this party does each of its acts, in their order. */
export function readActs(role: 'agent' | 'customer', { places, values: sizes }: Features): Float32Array {
  const { scales, values } = weights()[role];
  const acts = scales.length;
  const sums = Float32Array.from(scales, (_, act) => values[PLACES * acts + act] ?? 0);
  for (let at = 0; at < places.length; at += 1) {
    const from = (places[at] ?? 0) * acts;
    const size = sizes[at] ?? 0;
    for (let act = 0; act < acts; act += 1) sums[act] = (sums[act] ?? 0) + size * (values[from + act] ?? 0);
  }
  return sums.map((sum, act) => 1 / (1 + Math.exp(-sum * (scales[act] ?? 0))));
}
