import { finding, type Finding } from '../findings/answer.ts';
import { quoteUtterance } from '../findings/evidence.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clock } from '../messages/format.ts';
import { readSuspicions } from './opinion.ts';
import { saidIn } from './told.ts';
import type { Accused } from './accused.ts';

/**
 * From here on something may be an accusation that no rule knows, where an agent says two things: so low that nine of ten real ones are doubted, by
 * snippets of writers that were not learned from; see docs/scoring.md.
 */
const POSSIBLE = 0.045;
const SAID = 2;
/** Figures are said in every call, and seldom a secret. */
const GROWTH: Record<Accused, number> = {
  'professionalism.respect': 1.2,
  'compliance.pressure': 1.2,
  'compliance.sensitive': 1.5,
};
/** Below this nobody is accused by rules alone: what they find is as often quoted, spelled or a title, which the learned reader hears. */
const HEARD_MIN: Record<Accused, number> = {
  'professionalism.respect': 0.12,
  'compliance.pressure': 0.12,
  'compliance.sensitive': 0.3,
};
/** Below this a possible accusation is none. */
const HEARD_AT_ALL = 0.05;

/**
 * What the rules say of an accusation beside what was learned from real ones and harmless ones. The learned reader never fails anybody: what it
 * alone hears is possible, and what the rules alone hear is, too.
 */
export function besideSuspicion(key: Accused, byRules: Finding, facts: CallFacts): Finding {
  if (facts.language === null || facts.languages.doubt !== null) return byRules;
  const { share, index } = readSuspicions(facts)[key];
  const { suspicion, respect } = facts.messages.answers;
  switch (byRules.answer) {
    case 'pass': {
      const utterance = saidIn(facts)[index]?.utterance;
      if (share < possibleFrom(key, facts) || !utterance) return byRules;
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
      return byRules.isPlain !== true && share < HEARD_MIN[key] ? doubted(byRules, suspicion.open) : byRules;
    case 'needs_review': {
      const isCleared =
        key === 'professionalism.respect' && share < HEARD_AT_ALL && facts.conversation.areSpeakersKnown;
      return isCleared ? finding('pass', respect.pass) : byRules;
    }
    default:
      return byRules;
  }
}

/** The more is said, the likelier one thing sounds odd by chance: the odds that are asked for grow with it. */
function possibleFrom(key: Accused, facts: CallFacts): number {
  const said = saidIn(facts).filter(({ role }) => role === 'agent').length;
  const odds = (POSSIBLE / (1 - POSSIBLE)) * Math.max(1, Math.min(said, SAID_MAX) / SAID) ** GROWTH[key];
  return odds / (1 + odds);
}

/** Beyond this a call is long, and one thing that is surely odd remains so. */
const SAID_MAX = 20;

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}

/** Without what a report tells of findings: nothing was found. */
function doubted({ rationale, evidence, atMs }: Finding, why: string): Finding {
  return { ...finding('needs_review', `${rationale} ${why}`, evidence), ...(atMs === undefined ? {} : { atMs }) };
}
