import {
  inputsAmong,
  LOGIT_SCALE,
  neighbourInputs,
  type ReadUtterance,
} from '../../../src/scoring/opinion/neighbours.ts';
import type { Role } from './turns.ts';

/** A call as it was read utterance by utterance, by readers that had not learned from it, with what is done in truth. */
export type ReadCall = (ReadUtterance & { labels: Uint8Array })[];

const ROUNDS = 15;
const RATE = 0.1;
const PENALTY = 1e-3;

/** In thousandths, a row an act. Each begins as what its own words say, and strays from that as far as neighbours help. */
export function fitNeighbours(calls: readonly ReadCall[], role: Role): number[] {
  const rows = calls.flatMap((call) =>
    call.flatMap(({ role: own, labels }, index) =>
      own === role ? [{ inputs: inputsAmong(call, index), labels }] : [],
    ),
  );
  const size = neighbourInputs(role);
  const acts = rows[0]?.labels.length ?? 0;
  const first = new Float64Array(acts * size);
  for (let act = 0; act < acts; act += 1) first[act * size + 1 + act] = LOGIT_SCALE;
  const values = first.slice();
  const squares = new Float64Array(acts * size).fill(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < rows.length; turn += 1) {
      const row = rows[(turn * STRIDE) % rows.length];
      if (row) step(row, { first, values, squares, size });
    }
  }
  return Array.from(values, (value) => Math.round(value * 1000));
}

/** A prime, so that neighbouring rows are not learned one after another. */
const STRIDE = 7919;

type State = { first: Float64Array; values: Float64Array; squares: Float64Array; size: number };

function step(
  { inputs, labels }: { inputs: Float32Array; labels: Uint8Array },
  { first, values, squares, size }: State,
): void {
  for (const [act, label] of labels.entries()) {
    const from = act * size;
    let sum = 0;
    for (let at = 0; at < size; at += 1) sum += (values[from + at] ?? 0) * (inputs[at] ?? 0);
    const slope = 1 / (1 + Math.exp(-sum)) - label;
    for (let at = 0; at < size; at += 1) {
      const input = inputs[at] ?? 0;
      if (input === 0) continue;
      const place = from + at;
      const gradient = slope * input + PENALTY * ((values[place] ?? 0) - (first[place] ?? 0));
      squares[place] = (squares[place] ?? 0) + gradient * gradient;
      values[place] = (values[place] ?? 0) - (RATE * gradient) / Math.sqrt(squares[place] ?? 1);
    }
  }
}
