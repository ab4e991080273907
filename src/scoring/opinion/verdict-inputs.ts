import type { CheckAnswer } from '../../model/scorecard.ts';
import type { Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { readCourse } from './courses.ts';
import { readPlainness } from './plainness.ts';
import { SIGNALS, type OpinionKey } from './signals.ts';
import { readValues } from './values-said.ts';
import { readSetting, readSignal, type ToldCall } from './windows.ts';

/** The answers that are told apart, in the order of the weights. */
export const ANSWERS = ['pass', 'partial', 'fail', 'not_applicable'] as const satisfies readonly CheckAnswer[];

/** What an answer is weighed by: a constant, what the rules say, how the call begins and ends, and what is heard in it. */
export function inputsOf(
  key: OpinionKey,
  { facts, told, byRules }: { facts: CallFacts; told: ToldCall; byRules: Finding },
): number[] {
  // Whether somebody is accused is told by the rules alone; what is learned must not lean on them.
  const rules = ANSWERS.map((answer) => Number(key !== 'professionalism.respect' && byRules.answer === answer));
  const isShown = byRules.evidence.length > 0;
  const plain = readPlainness(facts);
  const believed = [...rules.map((each) => each * plain), Number(isShown), isShown ? plain : 0];
  return [
    1,
    ...rules,
    ...believed,
    ...readSetting(facts),
    ...SIGNALS[key].flatMap((signal) => readSignal(told, signal)),
    ...readCourse(key, told),
    ...(key === 'problem.details' || key === 'problem.understood' ? readValues(facts) : []),
  ];
}
