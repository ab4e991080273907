import type { Rubric } from '../../model/rubric.ts';
import type { Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { KeyedAnswers } from '../../model/model-answers.ts';
import { judgeQuestion, settle } from './judge.ts';
import { questionsOf } from './questions.ts';
import { type Question } from '../../model/question.ts';
import { readTexts, type ReportTexts } from './report-texts.ts';
import { createTextCheck } from './text-check.ts';

/** The verified and merged answers of a model. */
export type ModelReading = {
  /** The finding that counts for a check or rule; that of the rules if the model was not asked. */
  settle(asked: Pick<Question, 'of' | 'key'>, byRules: Finding): Finding;
  /** Advice on a check that the model was asked about. */
  adviceOn(key: string): string | undefined;
  texts: ReportTexts;
};

const adviceLengthMax = 400;

type Input = { facts: CallFacts; rubric: Rubric; windows: readonly KeyedAnswers[] };

/** Pure, like all of scoring: the same answers always give the same result. */
export function readModel({ facts, rubric, windows }: Input): ModelReading {
  const check = createTextCheck(facts);
  const questions = questionsOf(rubric, facts);
  const advice = new Map<string, string>();
  for (const { ref, text } of windows.flatMap(({ improvements }) => improvements)) {
    const key = questions.find((question) => question.ref === ref && question.of === 'check')?.key;
    const shown = check(text, adviceLengthMax);
    if (key !== undefined && shown !== null && !advice.has(key)) advice.set(key, shown);
  }
  return {
    settle({ of, key }, byRules) {
      const question = questions.find((each) => each.of === of && each.key === key);
      if (!question) return byRules;
      return settle(question, { found: judgeQuestion(question, { windows, facts, check }), byRules, facts });
    },
    adviceOn: (key) => advice.get(key),
    texts: readTexts(windows, facts, check),
  };
}
