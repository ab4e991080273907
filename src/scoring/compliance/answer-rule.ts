import type { ComplianceDetector, ComplianceRule } from '../../model/checks.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import type { Scope } from '../checks/conditions.ts';
import { answerLimits } from '../checks/metric-check.ts';
import { saidAt } from '../checks/phrase-check.ts';
import { describePart, findRule } from '../checks/phrase-rule.ts';
import { unread, unreadable } from '../checks/unjudged.ts';
import { quotePlaces } from '../findings/evidence.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { FindSecrets } from './labelled-secrets.ts';
import { detectPressure } from './pressure.ts';
import { detectSensitiveData } from './sensitive-data.ts';

const DETECTORS: Record<ComplianceDetector, (facts: CallFacts, findSecrets: FindSecrets) => Finding> = {
  sensitiveData: detectSensitiveData,
  pressure: detectPressure,
};

/** What a rule is judged with. */
export type RuleScope = Scope & { findSecrets: FindSecrets };

/** Judges one compliance rule, whose condition is met; `needs_review` where the rules engine cannot. */
export function answerRule(rule: ComplianceRule, { facts, isCovered, findSecrets }: RuleScope): Finding {
  switch (rule.kind) {
    case 'phrase':
      return isCovered ? answerPhraseRule(rule, facts) : unreadable(facts);
    case 'metric':
      return answerLimits(rule.limits, facts);
    case 'model':
      return answerModelRule(rule.detector, { facts, findSecrets });
    default:
      return rule satisfies never;
  }
}

/** In a language that is not read, what is found may be a breach, and that nothing is found means nothing. */
function answerModelRule(
  detector: ComplianceDetector | null,
  { facts, findSecrets }: Pick<RuleScope, 'facts' | 'findSecrets'>,
): Finding {
  if (!detector) return finding('needs_review', facts.messages.answers.doubts.onlyPerson);
  const found = DETECTORS[detector](facts, findSecrets);
  if (facts.languages.doubt === null) return found;
  const open = unread(facts);
  const isFound = found.answer === 'fail' || found.answer === 'needs_review';
  return isFound
    ? {
        ...found,
        ...open,
        rationale: facts.messages.answers.both(found.rationale, open.rationale),
        evidence: found.evidence,
      }
    : open;
}

function answerPhraseRule(rule: Extract<ComplianceRule, { kind: 'phrase' }>, facts: CallFacts): Finding {
  const found = findRule(rule, facts);
  const { inside } = found;
  const evidence = inside.slice(0, 2).flatMap((hit) => quotePlaces(facts.conversation, hit));
  const { messages } = facts;
  const where = describePart(rule.where, messages);
  const deed = messages.deed(rule);
  if (rule.expect === 'present') {
    if (inside.length > 0) return finding('pass', `${deed.met(where)}.`, evidence);
    if (facts.opening.isMidCall && (rule.where.part === 'firstSeconds' || rule.where.part === 'firstTurns')) {
      return finding('not_applicable', messages.answers.exempt.midCallStart);
    }
    return finding('fail', `${deed.missed(where)}.`);
  }
  const [first] = inside;
  if (!first) return finding('pass', `${messages.ban(rule, null, where)}.`);
  return atFirstQuote(finding('fail', `${messages.ban(rule, saidAt(facts, first), where)}.`, evidence));
}
