import { type Finding, finding } from './findings/answer.ts';
import { isHum } from './conversation/conversation.ts';
import { type CallFacts, hearAgain } from './facts/facts.ts';
import type { Messages } from './messages/table.ts';

/**
 * The same call with all unclear speech assigned to the agent, and to the customer: answers that differ depend on
 * unclear speech. Empty if the source says who speaks, or nothing is unclear.
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
 * The answer, or `needs_review` if it differs when the call is heard another way. Nobody is accused because of an
 * inferred role.
 */
export function settleDoubt(
  found: Finding,
  {
    others,
    isAccusation,
    messages,
  }: { others: readonly (Finding | undefined)[]; isAccusation: boolean; messages: Messages },
): Finding {
  const isDoubtful = others.some((other) => other !== undefined && other.answer !== found.answer);
  if (!isDoubtful && !(isAccusation && found.answer === 'fail')) return found;
  const { doubts, both } = messages.answers;
  const why = isDoubtful ? doubts.voices : doubts.inferredAgent;
  return { ...found, ...finding('needs_review', both(found.rationale, why), found.evidence) };
}
