import type { CheckDetector, ComplianceDetector } from '../../model/checks.ts';
import type { Rubric } from '../../model/rubric.ts';
import { shortDigest } from '../../lib/digest.ts';
import type { Question } from '../../model/question.ts';
import type { CallFacts } from '../facts/facts.ts';
import { SILENCE_MS } from '../detectors/hold.ts';

/**
 * The questions for a model: checks and rules of kind `model`. Phrases and metrics are exact, so code always answers
 * them, and so is whether there is a silence to announce.
 */
export function questionsOf(rubric: Rubric, facts: CallFacts): Question[] {
  const hasSilence = facts.measurements.silences.some(({ startMs, endMs }) => endMs - startMs > SILENCE_MS);
  const checks = rubric.categories.flatMap((category) => category.checks);
  const rules = rubric.compliance.filter(({ enabled }) => enabled);
  const questions: Question[] = [];
  for (const [of, asked] of [
    ['check', checks],
    ['rule', rules],
  ] as const) {
    for (const { kind, ...each } of asked) {
      if (kind !== 'model' || !('question' in each)) continue;
      const { key, title, question, detector } = each;
      if (detector === 'hold' && !hasSilence) continue;
      const id = `q${String(questions.length + 1)}`;
      const expect = each.expect ?? (detector === null ? 'present' : (TRAITS[detector].expect ?? 'present'));
      const { saidBy = null, deciding = 'any', isSecret = false } = detector === null ? {} : TRAITS[detector];
      const asked = { of, key, title, text: question, expect, saidBy };
      questions.push({ id, ref: refOf(asked), ...asked, deciding, isSecret });
    }
  }
  return questions;
}

function refOf({
  of,
  key,
  title,
  text,
  expect,
  saidBy,
}: Omit<Question, 'id' | 'ref' | 'deciding' | 'isSecret'>): string {
  return `${of}:${key}:${shortDigest(JSON.stringify([title, text, expect, saidBy]))}`;
}

type Traits = Partial<Pick<Question, 'expect' | 'saidBy' | 'deciding' | 'isSecret'>>;

/** The known traits of questions with a built-in detector. */
const TRAITS: Record<CheckDetector | ComplianceDetector, Traits> = {
  company: { saidBy: 'agent', deciding: 'first' },
  ownName: { saidBy: 'agent', deciding: 'first' },
  understood: { saidBy: 'agent' },
  details: { saidBy: 'agent' },
  resolved: { saidBy: 'agent' },
  accepted: { saidBy: 'customer', deciding: 'last' },
  respect: { expect: 'absent', saidBy: 'agent' },
  hold: {},
  sensitiveData: { expect: 'absent', saidBy: 'agent', isSecret: true },
  pressure: { expect: 'absent', saidBy: 'agent' },
};
