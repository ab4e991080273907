import type { Utterance } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { customerActs, likeliest, rangeOf } from './acts-said.ts';
import { requestOf } from './request.ts';
import { isGuessed } from './trust.ts';

const LAST_UTTERANCES = 4;
const SURE = 0.5;

/** What the customer says against the outcome at the end; null where nothing shows that they do. */
export function lastObjection(facts: CallFacts, accepted: Finding | undefined): Utterance | null {
  if (accepted?.answer !== 'fail') return null;
  const [shown] = accepted.evidence;
  if (accepted.way === 'objected' && shown) {
    return facts.conversation.spoken.find(({ segment }) => segment.id === shown.segmentId) ?? null;
  }
  const requestTo = requestOf(facts)?.to ?? 0;
  const after = customerActs(facts, 'objection').filter(({ utterance }) => isAfter(facts, utterance, requestTo));
  const found = likeliest(after.slice(-LAST_UTTERANCES));
  return found && found.share >= SURE ? found.utterance : null;
}

/** What was hardly heard objects to nothing. */
function isAfter(facts: CallFacts, utterance: Utterance, at: number): boolean {
  const range = rangeOf(facts, utterance);
  return range !== null && range.from >= at && !isGuessed(facts.conversation, range);
}
