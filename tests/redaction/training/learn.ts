import type { CommonWords } from '../../../src/redaction/tagger/common-words.ts';
import { unpackTagger, type Tagger } from '../../../src/redaction/tagger/tagger.ts';
import type { PackedTagger } from '../../../src/redaction/tagger/packed-tagger.ts';
import { commonWordsOf, foldOf, type Sourced } from './corpora.ts';
import { toExamples, type Example, type Told } from './examples.ts';
import { fit, type FitOptions } from './fit.ts';
import { fillFrames } from './frames.ts';
import { packTagger } from './pack.ts';
import { poolOf, vary, type Variation } from './vary.ts';

export function learn(all: readonly Sourced[], options: FitOptions = {}): PackedTagger {
  const common = commonWordsOf(all);
  return packTagger(fit(examplesOf(all, common), options), common);
}

/** What is learned from a set: each call as it is and said again, with all, some or nothing of what the rules tell of it. */
export function examplesOf(all: readonly Sourced[], common: CommonWords): Example[] {
  const pool = poolOf(all);
  const examples: Example[] = [];
  for (const marked of all) {
    for (const { variation, told, seed } of waysOf(marked)) {
      const said = variation ? vary(marked, variation, { pool, seed }) : marked;
      examples.push(...toExamples(said, { common, told }));
    }
  }
  for (const [index, filled] of fillFrames(pool).entries()) {
    examples.push(...toExamples(filled, { common, told: TOLD[index % TOLD.length] ?? 'all' }));
  }
  return examples;
}

export function learnTagger(all: readonly Sourced[], options: FitOptions = {}): Tagger {
  return unpackTagger(learn(all, options));
}

const TOLD: readonly Told[] = ['all', 'no names', 'nothing'];

type Way = { variation: Variation | null; told: Told; seed: number };

function waysOf({ id, style, isOfRules }: Sourced): Way[] {
  const isOdd = foldOf(id, 2) === 1;
  const ways: Way[] = [
    { variation: null, told: isOfRules && isOdd ? 'nothing' : 'all', seed: 0 },
    { variation: 'other values', told: isOfRules && !isOdd ? 'nothing' : 'all', seed: 1 },
    { variation: 'other requests', told: isOdd ? 'no names' : 'nothing', seed: 2 },
    { variation: 'other requests', told: 'all', seed: 5 },
    { variation: 'redacted', told: isOdd ? 'no names' : 'all', seed: 3 },
  ];
  return style === 'typed' ? [...ways, { variation: 'spoken', told: isOdd ? 'all' : 'no names', seed: 4 }] : ways;
}
