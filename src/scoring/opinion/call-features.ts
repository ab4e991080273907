import type { Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { READ_LANGUAGES } from '../languages/language.ts';
import { AGENT_ACTS, CUSTOMER_ACTS, type AgentAct, type CustomerAct } from './acts.ts';
import type { OpinionKey } from './signals.ts';
import { inputsOf } from './verdict-inputs.ts';
import { isIn, type ToldCall, type Window } from './windows.ts';

/** A feature is a whole number below this. */
export const BINS = 64;

const AGENT_WINDOWS: readonly Window[] = ['first2', 'first3', 'last3', 'middle', 'secondHalf', 'all'];
const CUSTOMER_WINDOWS: readonly Window[] = ['first2', 'first3', 'last3', 'lastTurn', 'lastThird', 'all'];

/** Checks that ask for one thing in one place: it is heard there or not, whatever else is usual in such a call. */
const HEARD: ReadonlySet<OpinionKey> = new Set([
  'greeting.opens',
  'greeting.company',
  'greeting.name',
  'greeting.offer',
  'professionalism.courtesy',
  'closing.more',
  'closing.thanks',
  'closing.farewell',
]);

/** How a call begins and ends says nothing of what comes of it: who leaves out a goodbye has solved as much as before. */
const FORMS: ReadonlySet<AgentAct | CustomerAct> = new Set([
  'greeting',
  'company',
  'own_name',
  'offer_help',
  'more_help',
  'closing_thanks',
  'farewell',
]);

const shared = new WeakMap<ToldCall, number[]>();

/** What trees answer a check by: what is done in each part of the call, how much is said, and what the rules say. */
export function callFeatures(
  key: OpinionKey,
  { facts, told, byRules }: { facts: CallFacts; told: ToldCall; byRules: Finding },
): Uint8Array {
  const own = inputsOf(key, { facts, told, byRules }).map((value) => binOf(4 * value + 24));
  if (HEARD.has(key)) return Uint8Array.from(own);
  const common = shared.get(told) ?? commonFeatures(facts, told);
  shared.set(told, common);
  return Uint8Array.from([...common, ...own]);
}

function commonFeatures(facts: CallFacts, told: ToldCall): number[] {
  const { conversation, language } = facts;
  const { turns, agentTurns, customerTurns, tokens } = conversation;
  const words = (own: typeof turns): number => own.reduce((sum, turn) => sum + turn.tokens.length, 0);
  return [
    ...actFeatures(told, 'agent', AGENT_WINDOWS),
    ...actFeatures(told, 'customer', CUSTOMER_WINDOWS),
    ...READ_LANGUAGES.map((each) => Number(each === language)),
    Number(facts.results.length > 0),
    Number(facts.need !== null),
    binOf(turns.length),
    binOf(8 * Math.log1p(words(agentTurns))),
    binOf(8 * Math.log1p(words(customerTurns))),
    Number(tokens.some(({ pause }) => pause !== 'none')),
  ];
}

/** How likely each act is done at all in each part, and how often in all. */
function actFeatures(call: ToldCall, role: 'agent' | 'customer', windows: readonly Window[]): number[] {
  const names: readonly (AgentAct | CustomerAct)[] = role === 'agent' ? AGENT_ACTS : CUSTOMER_ACTS;
  const acts = names.flatMap((name, act) => (FORMS.has(name) ? [] : [act]));
  const own = call.told.filter((each) => each.role === role);
  const most = windows.flatMap((window) => {
    const some = own.filter((each) => isIn(each, window, call));
    return acts.map((act) => logitBin(some.reduce((best, { acts: shares }) => Math.max(best, shares[act] ?? 0), 0)));
  });
  const sums = acts.map((act) => binOf(6 * own.reduce((sum, { acts: shares }) => sum + (shares[act] ?? 0), 0)));
  return [...most, ...sums];
}

/** A quarter of a log-odd is one step. */
function logitBin(share: number): number {
  const kept = Math.max(1e-4, Math.min(1 - 1e-4, share));
  return binOf(4 * Math.log(kept / (1 - kept)) + BINS / 2);
}

function binOf(value: number): number {
  return Math.max(0, Math.min(BINS - 1, Math.round(value)));
}
