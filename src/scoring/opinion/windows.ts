import type { CallFacts } from '../facts/facts.ts';
import { AGENT_ACTS, CUSTOMER_ACTS, type AgentAct, type CustomerAct } from './acts.ts';

/** What an utterance probably does. `turn` counts the turns of its party from 0; `at` is the share of the call before it. */
export type Told = { role: 'agent' | 'customer'; turn: number; at: number; acts: Float32Array };
export type ToldCall = { told: Told[]; turns: { agent: number; customer: number } };

export type Window =
  | 'all'
  | 'first2'
  | 'first3'
  | 'last3'
  | 'lastTurn'
  | 'beforeLast'
  | 'thirdLast'
  | 'secondHalf'
  | 'lastThird'
  | 'middle';

/** `agent greeting first2`: an act of a party in a part of the call. */
export type Signal = `agent ${AgentAct} ${Window}` | `customer ${CustomerAct} ${Window}`;

const LOGIT_MAX = 6;

/** How likely the act is done at all there, as log-odds, and how often, both of a size that sums well. */
export function readSignal(call: ToldCall, signal: Signal): [number, number] {
  const { role, place, window } = readName(signal);
  let most = 0.001;
  let sum = 0;
  for (const each of call.told) {
    if (each.role !== role || !isIn(each, window, call)) continue;
    const share = each.acts[place] ?? 0;
    most = Math.max(most, share);
    sum += share;
  }
  const odds = Math.log(most / (1 - Math.min(0.999, most)));
  return [Math.max(-LOGIT_MAX, Math.min(LOGIT_MAX, odds)) / 3, Math.log1p(sum)];
}

type Named = { role: string; place: number; window: string };
const names = new Map<Signal, Named>();

function readName(signal: Signal): Named {
  const known = names.get(signal);
  if (known) return known;
  const [role = '', act = '', window = ''] = signal.split(' ');
  const acts: readonly string[] = role === 'agent' ? AGENT_ACTS : CUSTOMER_ACTS;
  const named = { role, place: acts.indexOf(act), window };
  names.set(signal, named);
  return named;
}

/** How likely the likeliest of these things is done at all. */
export function strongestOf(call: ToldCall, signals: readonly Signal[]): number {
  return signals.reduce((most, signal) => {
    const { role, place, window } = readName(signal);
    return call.told.reduce(
      (best, each) => (each.role === role && isIn(each, window, call) ? Math.max(best, each.acts[place] ?? 0) : best),
      most,
    );
  }, 0);
}

/** The place of the utterance that most likely does the first of these things, or else the next; null where nobody speaks there. */
export function likeliestFor(call: ToldCall, signals: readonly Signal[]): number | null {
  for (const signal of signals) {
    const { role, place, window } = readName(signal);
    let best: { index: number; share: number } | null = null;
    for (const [index, each] of call.told.entries()) {
      if (each.role !== role || !isIn(each, window, call)) continue;
      const share = each.acts[place] ?? 0;
      if (best === null || share > best.share) best = { index, share };
    }
    if (best) return best.index;
  }
  return null;
}

export function isIn({ role, turn, at }: Told, window: string, { turns }: ToldCall): boolean {
  const back = turns[role] - 1 - turn;
  switch (window) {
    case 'first2':
      return turn < 2;
    case 'first3':
      return turn < 3;
    case 'last3':
      return back < 3;
    case 'lastTurn':
      return back === 0;
    case 'beforeLast':
      return back === 1;
    case 'thirdLast':
      return back === 2;
    case 'secondHalf':
      return at >= 0.5;
    case 'lastThird':
      return at >= 0.66;
    case 'middle':
      return turn >= 1 && back >= 1;
    default:
      return true;
  }
}

/** What the facts of a call say of how it begins and ends, whatever is asked. */
export function readSetting({ conversation, opening, ending, need }: CallFacts): number[] {
  const { turns, agentTurns } = conversation;
  const third = agentTurns[2];
  const flags = [
    opening.isMidCall,
    need !== null && (third === undefined || need.from < third.to),
    ending.customerEndsFirst,
    ending.hasNoChanceToClose,
    turns[0]?.role === 'customer',
    turns.at(-1)?.role === 'customer',
    turns.length < 10,
  ];
  return flags.map(Number);
}
