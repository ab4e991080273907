import type { Exemption } from '../../model/checks.ts';
import type { CallFacts } from '../facts/facts.ts';

const REASONS: Record<Exemption, string> = {
  midCallStart: 'The recording starts in the middle of the call.',
  needStatedFirst: 'The customer says what they need before the agent can ask.',
  customerEndsFirst: 'The customer ends the call before the agent can ask.',
  noChanceToClose: 'The customer ends the call, and the agent does not get another word in.',
  noCustomerSpeech: 'The customer says nothing.',
  unknownSpeakers: 'The recording does not tell agent and customer apart.',
};

const OFFER_TURNS = 3;

/** Why a check cannot apply, from the first exemption that holds; null if none does. */
export function exemptionOf(exemptions: readonly Exemption[], facts: CallFacts): string | null {
  const reason = exemptions.find((exemption) => holds(exemption, facts));
  return reason ? REASONS[reason] : null;
}

function holds(exemption: Exemption, { conversation, opening, ending, need }: CallFacts): boolean {
  switch (exemption) {
    case 'midCallStart':
      return opening.isMidCall;
    case 'needStatedFirst': {
      const third = conversation.agentTurns[OFFER_TURNS - 1];
      return need !== null && (third === undefined || need.from < third.to);
    }
    case 'customerEndsFirst':
      return ending.customerEndsFirst;
    case 'noChanceToClose':
      return ending.hasNoChanceToClose;
    case 'noCustomerSpeech':
      return conversation.customerTurns.length === 0;
    case 'unknownSpeakers':
      return !conversation.areSpeakersKnown;
    default:
      return exemption satisfies never;
  }
}
