import type { Conversation, Utterance } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { AGENT_ACTS, CUSTOMER_ACTS, type AgentAct, type CustomerAct } from '../opinion/acts.ts';
import { readTold } from '../opinion/opinion.ts';
import { saidIn } from '../opinion/told.ts';

/** An utterance, and how likely it does something, by what was learned. */
export type ActSaid = { utterance: Utterance; share: number };

/** What the agent says, with how likely each of it is this act. */
export function agentActs(facts: CallFacts, act: AgentAct): ActSaid[] {
  return actsOf(facts, 'agent', AGENT_ACTS.indexOf(act));
}

/** The same for the customer. */
export function customerActs(facts: CallFacts, act: CustomerAct): ActSaid[] {
  return actsOf(facts, 'customer', CUSTOMER_ACTS.indexOf(act));
}

/** Reports ask for the same acts again and again. */
const known = new WeakMap<CallFacts, Map<string, ActSaid[]>>();

function actsOf(facts: CallFacts, role: 'agent' | 'customer', place: number): ActSaid[] {
  const own = known.get(facts) ?? new Map<string, ActSaid[]>();
  known.set(facts, own);
  const name = `${role} ${String(place)}`;
  const before = own.get(name);
  if (before) return before;
  const { told } = readTold(facts);
  const found = saidIn(facts).flatMap((each, index) =>
    each.role === role ? [{ utterance: each.utterance, share: told[index]?.acts[place] ?? 0 }] : [],
  );
  own.set(name, found);
  return found;
}

/** How likely an utterance is this act; undefined where nothing was learned of it. */
export function shareOf(acts: readonly ActSaid[], utterance: Utterance | undefined): number | undefined {
  return acts.find((each) => each.utterance === utterance)?.share;
}

/** The likeliest of them; of equals the last. */
export function likeliest(said: readonly ActSaid[]): ActSaid | null {
  return said.reduce<ActSaid | null>((best, each) => (best === null || each.share >= best.share ? each : best), null);
}

/** Where the words of an utterance stand. */
export function rangeOf({ conversation }: CallFacts, utterance: Utterance): { from: number; to: number } | null {
  let found = ranges.get(conversation);
  if (!found) {
    found = new Map();
    for (const token of conversation.tokens) {
      const range = found.get(token.utterance);
      if (range) range.to = token.at + 1;
      else found.set(token.utterance, { from: token.at, to: token.at + 1 });
    }
    ranges.set(conversation, found);
  }
  return found.get(utterance) ?? null;
}

/** Of all utterances, read once for a call. */
const ranges = new WeakMap<Conversation, Map<Utterance, { from: number; to: number }>>();
