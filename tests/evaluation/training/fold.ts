import type { CheckAnswer } from '../../../src/model/scorecard.ts';
import { defaultRubric } from '../../../src/domain/profiles/default-rubric.ts';
import { answerCheck } from '../../../src/scoring/checks/answer-check.ts';
import { readFacts } from '../../../src/scoring/facts/facts.ts';
import { featuresOf, type CommonWords } from '../../../src/scoring/opinion/features.ts';
import { opinionKeyOf } from '../../../src/scoring/opinion/opinion-key.ts';
import { readPlainness } from '../../../src/scoring/opinion/plainness.ts';
import { type OpinionKey, SHOWN_BY } from '../../../src/scoring/opinion/signals.ts';
import { saidIn, toldOf } from '../../../src/scoring/opinion/told.ts';
import { strongestOf } from '../../../src/scoring/opinion/windows.ts';
import { inputsOf } from '../../../src/scoring/opinion/verdict-inputs.ts';
import { toTranscript, type LabelledCall } from '../labelled.ts';
import { commonWordsOf, fitTurns, probabilities, toExamples, type TurnWeights } from './turns.ts';

export type Readers = { agent: TurnWeights; customer: TurnWeights; common: CommonWords };

/** One check of one call: what the rules say, what a verdict is made from, and what the reader answers. */
export type Judged = {
  call: string;
  key: OpinionKey;
  language: string;
  style: string;
  byRules: CheckAnswer;
  /** Whether the rules have words of the call for it. */
  isShown: boolean;
  truth: CheckAnswer;
  plain: number;
  heard: number;
  inputs: number[];
};

/** A call as it comes to be scored, with the reader's answers. */
export type HeardCall = Pick<LabelledCall, 'id' | 'language' | 'style' | 'answers'> & ReturnType<typeof toTranscript>;

const FOLDS = 6;

export function readersOf(calls: readonly LabelledCall[]): Readers {
  const common = commonWordsOf(calls);
  const examples = calls.flatMap((call) => toExamples(call, common));
  return { agent: fitTurns(examples, 'agent'), customer: fitTurns(examples, 'customer'), common };
}

/** Every call judged with readers that have learned from the other folds alone. */
export function crossJudged(calls: readonly LabelledCall[]): Judged[] {
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const readers = readersOf(calls.filter((_, index) => index % FOLDS !== fold));
    return judgedBy(readers, calls.filter((_, index) => index % FOLDS === fold).map(heard));
  });
}

export function heard(call: LabelledCall): HeardCall {
  const { id, language, style, answers } = call;
  return { id, language, style, answers, ...toTranscript(call) };
}

export function judgedBy({ agent, customer, common }: Readers, calls: readonly HeardCall[]): Judged[] {
  return calls.flatMap((call) => {
    const { transcript, durationMs } = call;
    const facts = readFacts({ transcript, durationMs, agentName: null });
    const said = saidIn(facts);
    const acts = featuresOf(said, { language: facts.language, common }).map((features, index) =>
      probabilities(said[index]?.role === 'agent' ? agent : customer, features),
    );
    const told = toldOf(facts, acts);
    return defaultRubric.categories.flatMap(({ checks }) =>
      checks.flatMap((check): Judged[] => {
        const key = opinionKeyOf(check, facts.language);
        const truth = call.answers[check.key];
        if (key === null || truth === undefined) return [];
        const byRules = answerCheck(check, { facts, isCovered: true, answerOf: () => undefined });
        const inputs = inputsOf(key, { facts, told, byRules });
        const { id, language, style } = call;
        return [
          {
            call: id,
            key,
            language,
            style,
            byRules: byRules.answer,
            isShown: byRules.evidence.length > 0,
            truth,
            plain: readPlainness(facts),
            heard: strongestOf(told, SHOWN_BY[key]),
            inputs,
          },
        ];
      }),
    );
  });
}
