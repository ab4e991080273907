import type { CheckAnswer } from '../../../src/model/scorecard.ts';
import { defaultRubric } from '../../../src/domain/profiles/default-rubric.ts';
import { answerCheck } from '../../../src/scoring/checks/answer-check.ts';
import { type CallFacts, readFacts } from '../../../src/scoring/facts/facts.ts';
import { fromAnswers } from './answered.ts';
import { fromContrast } from './contrasts.ts';
import { callFeatures } from '../../../src/scoring/opinion/call-features.ts';
import { featuresOf, type CommonWords } from '../../../src/scoring/opinion/features.ts';
import { opinionKeyOf } from '../../../src/scoring/opinion/opinion-key.ts';
import { readPlainness } from '../../../src/scoring/opinion/plainness.ts';
import { type OpinionKey, SHOWN_BY } from '../../../src/scoring/opinion/signals.ts';
import { readAmong } from '../../../src/scoring/opinion/neighbours.ts';
import { saidIn, toldOf } from '../../../src/scoring/opinion/told.ts';
import { strongestOf, type ToldCall } from '../../../src/scoring/opinion/windows.ts';
import { inputsOf } from '../../../src/scoring/opinion/verdict-inputs.ts';
import { toTranscript, type LabelledCall } from '../labelled.ts';
import type { Learning } from './learning.ts';
import { fitNeighbours, type ReadCall } from './neighbours.ts';
import { plainCalls } from './plain.ts';
import { commonWordsOf, fitTurns, probabilities, type Role, toExamples, type TurnWeights } from './turns.ts';

type WordReaders = { agent: TurnWeights; customer: TurnWeights; common: CommonWords };
/** By their own words, and by those around them. */
export type Readers = WordReaders & { among: Record<Role, number[]> };

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
  features: Uint8Array;
};

/** A call as it comes to be scored, with the reader's answers. */
export type HeardCall = Pick<LabelledCall, 'id' | 'language' | 'style' | 'answers'> & ReturnType<typeof toTranscript>;

const FOLDS = 5;

/** Readers that have learned from all, and every call judged by readers that have learned from the other folds alone. */
export function learnFrom({ calls, beside }: Pick<Learning, 'calls' | 'beside'>): {
  readers: Readers;
  judged: Judged[];
} {
  const groups = foldsOf(beside, FOLDS);
  const folds = foldsOf(calls, FOLDS).map(({ others, own }, fold) => {
    const first = wordReadersOf(others);
    const read = own.map((call) => readCall(first, call));
    const { others: besideOthers = [], own: besideOwn = [] } = groups[fold] ?? {};
    return { first, read, seen: { calls: others, beside: besideOthers }, own: [...own, ...besideOwn.flat()] };
  });
  const judged = folds.flatMap(({ first, seen, own }, fold) => {
    const among = amongOf(folds.flatMap(({ read }, at) => (at === fold ? [] : read)));
    return judgedBy({ ...withAnswered(first, seen), among }, own.map(heard));
  });
  const all = withAnswered(wordReadersOf(calls), { calls, beside });
  return { readers: { ...all, among: amongOf(folds.flatMap(({ read }) => read)) }, judged };
}

function amongOf(read: readonly ReadCall[]): Readers['among'] {
  return { agent: fitNeighbours(read, 'agent'), customer: fitNeighbours(read, 'customer') };
}

function wordReadersOf(calls: readonly LabelledCall[]): WordReaders {
  const common = commonWordsOf(calls);
  const examples = calls.flatMap((call) => toExamples(call, common));
  return { agent: fitTurns(examples, 'agent'), customer: fitTurns(examples, 'customer'), common };
}

/** Once more, with what answers tell of calls without acts; of a group, the first is as good as all but for what they differ in. */
function withAnswered(first: WordReaders, { calls, beside }: Pick<Learning, 'calls' | 'beside'>): WordReaders {
  const { common } = first;
  const examples = [
    ...calls.flatMap((call) => toExamples(call, common)),
    ...beside.flatMap(([call]) => (call ? fromAnswers(call, first.agent, common) : [])),
    ...beside.flatMap((group) => fromContrast(group, first, common)),
  ];
  return { common, agent: fitTurns(examples, 'agent'), customer: fitTurns(examples, 'customer') };
}

function readCall(readers: WordReaders, call: LabelledCall): ReadCall {
  return toExamples(call, readers.common).map(({ role, features, labels }) => {
    return { role, labels, acts: probabilities(readers[role], features) };
  });
}

function foldsOf<Each>(all: readonly Each[], folds: number): { others: Each[]; own: Each[] }[] {
  return Array.from({ length: folds }, (_, fold) => {
    return {
      others: all.filter((_each, index) => index % folds !== fold),
      own: all.filter((_each, index) => index % folds === fold),
    };
  });
}

export function heard(call: LabelledCall): HeardCall {
  const { id, language, style, answers } = call;
  return { id, language, style, answers, ...toTranscript(call) };
}

/** The facts of a call, and what its utterances do by these readers. */
export function toldBy(
  { among, ...readers }: Readers,
  { transcript, durationMs }: HeardCall,
): { facts: CallFacts; told: ToldCall } {
  const facts = readFacts({ transcript, durationMs, agentName: null });
  const said = saidIn(facts);
  const { language } = facts;
  const read = featuresOf(said, { language, common: readers.common }).map((features, index) => {
    const role = said[index]?.role ?? 'agent';
    return { role, acts: probabilities(readers[role], features) };
  });
  return { facts, told: toldOf(facts, readAmong(read, among)) };
}

/** Plain calls are fewer than others, and the rules read them well: each counts twice. */
export function judgedPlainly(readers: Readers): Judged[] {
  const judged = judgedBy(readers, plainCalls());
  return [...judged, ...judged];
}

export function judgedBy(readers: Readers, calls: readonly HeardCall[]): Judged[] {
  return calls.flatMap((call) => judgedOf(call, toldBy(readers, call)));
}

export function judgedOf(call: HeardCall, { facts, told }: { facts: CallFacts; told: ToldCall }): Judged[] {
  return defaultRubric.categories.flatMap(({ checks }) =>
    checks.flatMap((check): Judged[] => {
      const key = opinionKeyOf(check, facts.language);
      const truth = call.answers[check.key];
      if (key === null || truth === undefined) return [];
      const byRules = answerCheck(check, { facts, isCovered: true, answerOf: () => undefined });
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
          inputs: inputsOf(key, { facts, told, byRules }),
          features: callFeatures(key, { facts, told, byRules }),
        },
      ];
    }),
  );
}
