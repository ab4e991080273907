import { type Finding, finding } from './answer.ts';
import { isHum } from './conversation.ts';
import { type CallFacts, hearAgain } from './facts.ts';

/**
 * The same call with all that is unclear said by the agent, and said by the customer: what is answered otherwise then
 * rests on what is unclear. Empty where the source tells who speaks, or where nothing is unclear.
 */
export function waysToHear(facts: CallFacts): CallFacts[] {
  const { spoken, agentTurns, areSpeakersKnown } = facts.conversation;
  const isUnclear = spoken.some(({ role, tokens }) => role === 'unknown' && !isHum(tokens));
  if (areSpeakersKnown || !isUnclear || agentTurns.length === 0) return [];
  return (['agent', 'customer'] as const).map((instead) =>
    hearAgain(facts, (role) => (role === 'unknown' ? instead : role)),
  );
}

/**
 * The answer, or a person's to give where it is another one by another way to hear the call. Nobody is accused by a role
 * that was told from words alone.
 */
export function settleDoubt(
  found: Finding,
  { others, isAccusation }: { others: readonly (Finding | undefined)[]; isAccusation: boolean },
): Finding {
  const isDoubtful = others.some((other) => other !== undefined && other.answer !== found.answer);
  if (!isDoubtful && !(isAccusation && found.answer === 'fail')) return found;
  const why = isDoubtful
    ? 'Who says part of the call is not clear, and the answer depends on it.'
    : 'That the agent says it was told from the words alone.';
  return { ...found, ...finding('needs_review', `${found.rationale} ${why}`, found.evidence) };
}
