import { AGENT_ACTS, CUSTOMER_ACTS } from './acts.ts';
import { NEIGHBOUR_WEIGHTS } from './neighbour-weights.ts';

/** What an utterance probably does, read from its own words. */
export type ReadUtterance = { role: 'agent' | 'customer'; acts: Float32Array };

/** Where the utterances stand whose acts say something of this one. */
const AWAY = [-1, 1, -2, 2];
const EITHER = AGENT_ACTS.length + CUSTOMER_ACTS.length;
/** The acts of either party, and whether nobody speaks there. */
const SLOT = EITHER + 1;
const LOGIT_MAX = 5;
/** Of a size that sums well. */
export const LOGIT_SCALE = 2.5;

/** How many numbers an utterance of this party is read again from: a constant, its own acts, those of its neighbours. */
export function neighbourInputs(role: 'agent' | 'customer'): number {
  return 1 + actsOf(role) + SLOT * AWAY.length;
}

function actsOf(role: 'agent' | 'customer'): number {
  return (role === 'agent' ? AGENT_ACTS : CUSTOMER_ACTS).length;
}

/** What the utterance at this place is read again from: a result is what is thanked for, a readback what follows a detail. */
export function inputsAmong(read: readonly ReadUtterance[], index: number): Float32Array {
  const own = read[index];
  if (!own) return new Float32Array();
  const inputs = new Float32Array(neighbourInputs(own.role));
  inputs[0] = 1;
  for (const [act, share] of own.acts.entries()) inputs[1 + act] = logitOf(share);
  for (const [slot, away] of AWAY.entries()) {
    const start = 1 + own.acts.length + slot * SLOT;
    const other = read[index + away];
    if (other) inputs.set(other.acts, start + (other.role === 'agent' ? 0 : AGENT_ACTS.length));
    else inputs[start + EITHER] = 1;
  }
  return inputs;
}

function logitOf(share: number): number {
  const odds = Math.log(Math.max(1e-9, share) / Math.max(1e-9, 1 - share));
  return Math.max(-LOGIT_MAX, Math.min(LOGIT_MAX, odds)) / LOGIT_SCALE;
}

/** The acts of every utterance, with what those around it do. */
export function readAmong(
  read: readonly ReadUtterance[],
  weights: Record<'agent' | 'customer', readonly number[]> = NEIGHBOUR_WEIGHTS,
): Float32Array[] {
  return read.map(({ role }, index) => {
    const inputs = inputsAmong(read, index);
    const own = weights[role];
    return Float32Array.from({ length: actsOf(role) }, (_, act) => {
      let sum = 0;
      const from = act * inputs.length;
      for (let at = 0; at < inputs.length; at += 1) sum += (inputs[at] ?? 0) * (own[from + at] ?? 0);
      return 1 / (1 + Math.exp(-sum / 1000));
    });
  });
}
