import { fromAnswers } from './answered.ts';
import { fromContrast } from './contrasts.ts';
import type { CommonWords } from '../../../src/scoring/opinion/features.ts';
import type { LabelledCall } from '../labelled.ts';
import type { Learning } from './learning.ts';
import type { ReadCall } from './neighbours.ts';
import { commonWordsOf, fitTurns, probabilities, toExamples, type TurnExample, type TurnWeights } from './turns.ts';

export type WordReaders = { agent: TurnWeights; customer: TurnWeights; common: CommonWords };

/** What one thread learns from, which calls it reads before it knows of those beside, and which it judges in the end. */
export type FoldTask = { seen: Pick<Learning, 'calls' | 'beside'>; read: LabelledCall[]; judge: LabelledCall[] };

export function wordReadersOf(calls: readonly LabelledCall[][]): WordReaders {
  const common = commonWordsOf(calls.flatMap(([call]) => call ?? []));
  const examples = calls.flatMap((group) => fromActs(group, common));
  return { agent: fitTurns(examples, 'agent'), customer: fitTurns(examples, 'customer'), common };
}

/** Once more, with what answers tell of calls without acts; of a group, the first is as good as all but for what they differ in. */
export function withAnswered(first: WordReaders, { calls, beside }: Pick<Learning, 'calls' | 'beside'>): WordReaders {
  const { common } = first;
  const examples = [
    ...calls.flatMap((group) => fromActs(group, common)),
    ...beside.flatMap(([call]) => (call ? fromAnswers(call, first.agent, common) : [])),
    ...beside.flatMap((group) => fromContrast(group, first, common)),
  ];
  return { common, agent: fitTurns(examples, 'agent'), customer: fitTurns(examples, 'customer') };
}

/** A call, and what its variants say otherwise. */
function fromActs([call, ...variants]: readonly LabelledCall[], common: CommonWords): TurnExample[] {
  if (!call) return [];
  return [
    ...toExamples(call, common),
    ...variants.flatMap((variant) => {
      const said = variant.utterances.filter(({ role }) => role === 'agent' || role === 'customer');
      const before = call.utterances.filter(({ role }) => role === 'agent' || role === 'customer');
      return toExamples(variant, common).filter((_, at) => said[at]?.text !== before[at]?.text);
    }),
  ];
}

export function readCall(readers: WordReaders, call: LabelledCall): ReadCall {
  return toExamples(call, readers.common).map(({ role, features, labels }) => {
    return { role, labels, acts: probabilities(readers[role], features) };
  });
}
