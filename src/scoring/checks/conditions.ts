import type { CheckAnswer } from '../../model/scorecard.ts';
import type { Condition } from '../../model/checks.ts';
import { finding, type Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { titleIn } from '../messages/messages.ts';
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
  const { messages } = scope.facts;
  const { depends } = messages.answers;
  switch (condition.kind) {
    case 'phrase':
      return withheldByWords(condition, scope);
    case 'metric': {
      const value = readMetric(condition.metric, scope.facts);
      return value !== null && isWithin(value, condition.limits) ? null : finding('not_applicable', depends.metric);
    }
    case 'answer': {
      const named = scope.answerOf(condition.check);
      if (named?.answer === 'needs_review')
        return finding('needs_review', depends.judgedFirst(titleIn(messages, named.title)));
      return named && (condition.answers as string[]).includes(named.answer)
        ? null
        : finding('not_applicable', depends.answeredOtherwise(titleIn(messages, named?.title ?? condition.check)));
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
  const { depends } = facts.messages.answers;
  const where = describePart(condition.where, facts.messages);
  return finding('not_applicable', isSaid ? depends.ruledOut(where) : depends.notSaid(where));
}
