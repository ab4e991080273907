import type { Exemption } from '../../model/checks.ts';
import type { CallFacts } from '../facts/facts.ts';

const OFFER_TURNS = 3;

/** Why a check cannot apply, from the first exemption that holds; null if none does. */
export function exemptionOf(exemptions: readonly Exemption[], facts: CallFacts): string | null {
  const reason = exemptions.find((exemption) => holds(exemption, facts));
  return reason ? facts.messages.answers.exempt[reason] : null;
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
