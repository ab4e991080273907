import type { CheckAnswer } from '../../model/scorecard.ts';
import type { Condition } from '../../model/checks.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { isWithin, readMetric } from './metric-check.ts';
import { describePart, findRule } from './phrase-rule.ts';
import { unreadable } from './unjudged.ts';

/** What a rule is evaluated with. */
export type Scope = {
  facts: CallFacts;
  /** Whether the rubric has phrases for the language of the call. */
  isCovered: boolean;
  /** The answer to a check that was answered before. */
  answerOf: (key: string) => { title: string; answer: CheckAnswer } | undefined;
};

/** The answer of a rule that does not apply, or whose condition cannot be evaluated; null if it applies. */
export function withheld(condition: Condition | undefined, scope: Scope): Finding | null {
  if (!condition) return null;
  switch (condition.kind) {
    case 'phrase':
      return withheldByWords(condition, scope);
    case 'metric': {
      const value = readMetric(condition.metric, scope.facts);
      return value !== null && isWithin(value, condition.limits)
        ? null
        : finding('not_applicable', 'The measurements of the call are not those for which this is asked.');
    }
    case 'answer': {
      const named = scope.answerOf(condition.check);
      if (named?.answer === 'needs_review')
        return finding('needs_review', `This depends on “${named.title}”, which has to be judged first.`);
      return named && (condition.answers as string[]).includes(named.answer)
        ? null
        : finding(
            'not_applicable',
            `This depends on “${named?.title ?? condition.check}”, which is answered otherwise.`,
          );
    }
    default:
      return condition satisfies never;
  }
}

function withheldByWords(
  condition: Extract<Condition, { kind: 'phrase' }>,
  { facts, isCovered }: Scope,
): Finding | null {
  if (!isCovered) return unreadable(facts);
  const found = findRule(condition, facts);
  const isSaid = found.inside.length > 0;
  if (isSaid === (condition.expect === 'present')) return null;
  const what = isSaid ? 'What rules this out is said' : 'What this is asked for is not said';
  return finding('not_applicable', `${what} ${describePart(condition.where)}.`);
}
