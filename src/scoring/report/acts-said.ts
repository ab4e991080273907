import type { Utterance } from '../conversation/conversation.ts';
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

function actsOf(facts: CallFacts, role: 'agent' | 'customer', place: number): ActSaid[] {
  const { told } = readTold(facts);
  return saidIn(facts).flatMap((each, index) =>
    each.role === role ? [{ utterance: each.utterance, share: told[index]?.acts[place] ?? 0 }] : [],
  );
}

/** The likeliest of them; of equals the last. */
export function likeliest(said: readonly ActSaid[]): ActSaid | null {
  return said.reduce<ActSaid | null>((best, each) => (best === null || each.share >= best.share ? each : best), null);
}

/** Where the words of an utterance stand. */
export function rangeOf({ conversation }: CallFacts, utterance: Utterance): { from: number; to: number } | null {
  const own = (conversation.turns[utterance.turn]?.tokens ?? []).filter((token) => token.utterance === utterance);
  const [first, last] = [own[0], own.at(-1)];
  return first && last ? { from: first.at, to: last.at + 1 } : null;
}
