import { finding, type Finding } from '../findings/answer.ts';
import { quoteUtterance } from '../findings/evidence.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clock } from '../messages/format.ts';
import { readSuspicions } from './opinion.ts';
import { saidIn } from './told.ts';
import type { Accused } from './accused.ts';

/** From here on something may be an accusation that no rule knows. Set on snippets that were not learned from; see docs/scoring.md. */
const POSSIBLE: Record<Accused, number> = {
  'professionalism.respect': 0.28,
  'compliance.pressure': 0.2,
  'compliance.sensitive': 0.2,
};
/** Below this nobody is accused of rudeness but by plain insults: tone is heard by the learned reader, too. */
const HEARD_MIN = 0.15;
/** Below this a possible accusation is none. */
const HEARD_AT_ALL = 0.06;

/**
 * What the rules say of an accusation beside what was learned from real ones and harmless ones. The learned reader never fails anybody: what it
 * alone hears is possible, and what the rules alone hear is, too.
 */
export function besideSuspicion(key: Accused, byRules: Finding, facts: CallFacts): Finding {
  if (facts.language === null || facts.languages.doubt !== null) return byRules;
  const { share, index } = readSuspicions(facts)[key];
  const { suspicion, respect } = facts.messages.answers;
  const isOfRespect = key === 'professionalism.respect';
  switch (byRules.answer) {
    case 'pass': {
      const utterance = saidIn(facts)[index]?.utterance;
      if (share < POSSIBLE[key] || !utterance) return byRules;
      const quote = quoteUtterance(utterance);
      // What may be a secret is not written down once more.
      const quotes = key === 'compliance.sensitive' ? [] : [quote];
      const rationale = suspicion.possibly[key](clock(quote.startMs));
      return {
        ...finding('needs_review', rationale, quotes),
        atMs: quote.startMs,
        confidence: rounded(share),
        isByModel: true,
      };
    }
    case 'fail':
      return isOfRespect && byRules.isPlain !== true && share < HEARD_MIN ? doubted(byRules, suspicion.open) : byRules;
    case 'needs_review': {
      const isCleared = isOfRespect && share < HEARD_AT_ALL && facts.conversation.areSpeakersKnown;
      return isCleared ? finding('pass', respect.pass) : byRules;
    }
    default:
      return byRules;
  }
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}

/** Without what a report tells of findings: nothing was found. */
function doubted({ rationale, evidence, atMs }: Finding, why: string): Finding {
  return { ...finding('needs_review', `${rationale} ${why}`, evidence), ...(atMs === undefined ? {} : { atMs }) };
}
