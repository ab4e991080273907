import type { CallFacts } from '../facts/facts.ts';
import type { Said } from './features.ts';
import type { Told, ToldCall } from './windows.ts';
import type { Utterance } from '../conversation/conversation.ts';

/** The utterances of agent and customer, without announcements and voices that are nobody's. */
export function saidIn({ conversation }: CallFacts): (Said & { utterance: Utterance })[] {
  return conversation.spoken.flatMap((utterance) => {
    const { role, tokens, turn } = utterance;
    return (role === 'agent' || role === 'customer') && turn >= 0 ? [{ role, tokens, utterance }] : [];
  });
}

/** The acts of these utterances, beside where in the call they stand. */
export function toldOf(facts: CallFacts, acts: readonly Float32Array[]): ToldCall {
  const { turns, agentTurns, customerTurns } = facts.conversation;
  const ordinals = new Map(
    [agentTurns, customerTurns].flatMap((own) => own.map(({ index }, ordinal): [number, number] => [index, ordinal])),
  );
  const said = saidIn(facts);
  const told = said.map(({ role, utterance }, index): Told => {
    const at = turns.length === 0 ? 0 : index / said.length;
    return { role, turn: ordinals.get(utterance.turn) ?? 0, at, acts: acts[index] ?? new Float32Array() };
  });
  return { told, turns: { agent: agentTurns.length, customer: customerTurns.length } };
}
