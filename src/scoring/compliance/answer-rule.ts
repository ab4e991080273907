import type { ComplianceDetector, ComplianceRule } from '../../domain/profiles/rubric.ts';
import type { Finding } from '../answer.ts';
import { finding } from '../answer.ts';
import { describePart, findRule, saidAt } from '../checks/phrase-check.ts';
import { quotePlaces } from '../evidence.ts';
import type { CallFacts } from '../facts.ts';
import { describeBan, describeDeed } from '../report/deeds.ts';
import { detectPressure } from './pressure.ts';
import { detectSensitiveData } from './sensitive-data.ts';

const DETECTORS: Record<ComplianceDetector, (facts: CallFacts) => Finding> = {
  sensitiveData: detectSensitiveData,
  pressure: detectPressure,
};

/** Judges one compliance rule; `needs_review` where the rules engine cannot. */
export function answerRule(rule: ComplianceRule, facts: CallFacts): Finding {
  if (rule.kind === 'model') {
    return rule.detector
      ? DETECTORS[rule.detector](facts)
      : finding('needs_review', 'Only a person or a language model can judge this.');
  }
  const { inside } = findRule(rule, facts);
  const evidence = inside.slice(0, 2).flatMap((hit) => quotePlaces(facts.conversation, hit));
  const where = describePart(rule.where);
  const deed = describeDeed(rule);
  if (rule.expect === 'present') {
    if (inside.length > 0) return finding('pass', `${deed.met} ${where}.`, evidence);
    if (facts.opening.isMidCall && (rule.where.part === 'firstSeconds' || rule.where.part === 'firstTurns')) {
      return finding('not_applicable', 'The recording starts in the middle of the call.');
    }
    return finding('fail', `${deed.missed} ${where}.`);
  }
  return inside.length > 0
    ? finding('fail', `${describeBan(rule, saidAt(facts, inside[0]))} ${where}.`, evidence)
    : finding('pass', `${describeBan(rule, null)} ${where}.`);
}
