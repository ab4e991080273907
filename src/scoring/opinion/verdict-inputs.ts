import type { CheckAnswer } from '../../model/scorecard.ts';
import type { Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { SIGNALS, type OpinionKey } from './signals.ts';
import { readSetting, readSignal, type ToldCall } from './windows.ts';

/** The answers that are told apart, in the order of the weights. */
export const ANSWERS = ['pass', 'partial', 'fail', 'not_applicable'] as const satisfies readonly CheckAnswer[];

/** What an answer is weighed by: a constant, what the rules say, how the call begins and ends, and what is heard in it. */
export function inputsOf(
  key: OpinionKey,
  { facts, told, byRules }: { facts: CallFacts; told: ToldCall; byRules: Finding },
): number[] {
  const rules = ANSWERS.map((answer) => Number(byRules.answer === answer));
  return [1, ...rules, ...readSetting(facts), ...SIGNALS[key].flatMap((signal) => readSignal(told, signal))];
}
