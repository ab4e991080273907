import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CheckAnswer } from '../../../src/model/scorecard.ts';
import { defaultRubric } from '../../../src/domain/profiles/default-rubric.ts';
import { answerCheck } from '../../../src/scoring/checks/answer-check.ts';
import { type CallFacts, readFacts } from '../../../src/scoring/facts/facts.ts';
import { callFeatures } from '../../../src/scoring/opinion/call-features.ts';
import { featuresOf } from '../../../src/scoring/opinion/features.ts';
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
import type { FoldTask, WordReaders } from './readers.ts';
import { probabilities, type Role } from './turns.ts';

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

/**
 * Readers that have learned from all, and every call judged by readers that have learned from the other folds alone. Each fold, and all, in a
 * thread of its own; what comes of it hangs on no order of theirs.
 */
export async function learnFrom({ calls, beside }: Pick<Learning, 'calls' | 'beside'>): Promise<{
  readers: Readers;
  judged: Judged[];
}> {
  const groups = foldsOf(beside, FOLDS);
  const folds = foldsOf(calls, FOLDS).map(({ others, own }, fold) => {
    const { others: besideOthers = [], own: besideOwn = [] } = groups[fold] ?? {};
    return startFold({
      seen: { calls: others, beside: besideOthers },
      read: own.flatMap(([call]) => call ?? []),
      judge: [...own.flat(), ...besideOwn.flat()],
    });
  });
  const whole = startFold({ seen: { calls, beside }, read: [], judge: [] });
  const reads = await Promise.all(folds.map(async ({ learned }) => (await learned).read));
  const judged = await Promise.all(
    folds.map(async ({ judge }, fold) => judge(amongOf(reads.flatMap((read, at) => (at === fold ? [] : read))))),
  );
  const readers = { ...(await whole.learned).readers, among: amongOf(reads.flat()) };
  await whole.judge(readers.among);
  return { readers, judged: judged.flat() };
}

type Learned = { read: ReadCall[]; readers: WordReaders };

function startFold(task: FoldTask): {
  learned: Promise<Learned>;
  judge: (among: Readers['among']) => Promise<Judged[]>;
} {
  const thread = new Worker(new URL('fold-thread.ts', import.meta.url), { workerData: task });
  const answer = async <Each>(): Promise<Each> => {
    const [value] = (await once(thread, 'message')) as [Each];
    return value;
  };
  return {
    learned: answer<Learned>(),
    judge: async (among) => {
      thread.postMessage(among, []);
      return answer<Judged[]>();
    },
  };
}

function amongOf(read: readonly ReadCall[]): Readers['among'] {
  return { agent: fitNeighbours(read, 'agent'), customer: fitNeighbours(read, 'customer') };
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

/** Plain calls are fewer than others, and the rules read them well: each counts so often that they are a tenth of all. */
const PLAIN_TIMES = 8;

export function judgedPlainly(readers: Readers): Judged[] {
  const judged = judgedBy(readers, plainCalls());
  return Array.from({ length: PLAIN_TIMES }, () => judged).flat();
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
