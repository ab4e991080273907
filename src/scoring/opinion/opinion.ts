import type { CheckAnswer } from '../../model/scorecard.ts';
import type { Finding } from '../findings/answer.ts';
import type { CallFacts } from '../facts/facts.ts';
import { featuresOf } from './features.ts';
import { ACCUSED, type Accused, readSuspicion } from './accused.ts';
import { readAmong } from './neighbours.ts';
import { commonWords, readActs } from './read-acts.ts';
import { callFeatures } from './call-features.ts';
import { sharesOf, softmax, together } from './softmax.ts';
import type { OpinionKey } from './signals.ts';
import { saidIn, toldOf } from './told.ts';
import { TREE_WEIGHTS } from './tree-weights.ts';
import { climb, type Trees, unpackTrees } from './trees.ts';
import { ANSWERS, inputsOf } from './verdict-inputs.ts';
import { VERDICT_WEIGHTS } from './verdict-weights.ts';
import type { ToldCall } from './windows.ts';

/** What a learned reader would answer, and how sure it is; `shares` are of all answers. */
export type Opinion = { answer: CheckAnswer; confidence: number; shares: Record<(typeof ANSWERS)[number], number> };

const told = new WeakMap<CallFacts, ToldCall>();

/** The likeliest accusation of each kind, and which utterance it would be; the index is -1 where no agent speaks. */
export type Suspicions = Record<Accused, { share: number; index: number }>;
const suspicions = new WeakMap<CallFacts, Suspicions>();

/** What the agent may be accused of, read along with what the utterances do. */
export function readSuspicions(facts: CallFacts): Suspicions {
  readTold(facts);
  return suspicions.get(facts) ?? nobodyAccused();
}

function nobodyAccused(): Suspicions {
  const nothing = { share: 0, index: -1 };
  return { 'professionalism.respect': nothing, 'compliance.pressure': nothing, 'compliance.sensitive': nothing };
}

/** What each utterance of the call probably does, read once for all checks. */
export function readTold(facts: CallFacts): ToldCall {
  const known = told.get(facts);
  if (known) return known;
  const said = saidIn(facts);
  const features = featuresOf(said, { language: facts.language, common: commonWords() });
  const strongest = nobodyAccused();
  const byWords = features.map((each, index) => {
    const role = said[index]?.role ?? 'agent';
    if (role === 'agent') keepStrongest(strongest, readSuspicion(each), index);
    return { role, acts: readActs(role, each) };
  });
  const read = toldOf(facts, readAmong(byWords));
  told.set(facts, read);
  suspicions.set(facts, strongest);
  return read;
}

function keepStrongest(strongest: Suspicions, shares: Float32Array, index: number): void {
  for (const [at, key] of ACCUSED.entries()) {
    const share = shares[at] ?? 0;
    if (share > strongest[key].share) strongest[key] = { share, index };
  }
}

/** The second opinion on a check, of a line and of trees: from what the rules say of it and from what the utterances probably do. */
export function readOpinion(key: OpinionKey, facts: CallFacts, byRules: Finding): Opinion {
  const told = readTold(facts);
  const inputs = inputsOf(key, { facts, told, byRules });
  const line = softmax(
    VERDICT_WEIGHTS[key],
    inputs.map((value) => value / 1000),
  );
  return opinionOf(together(line, sharesOf(climb(treesFor(key), callFeatures(key, { facts, told, byRules })))));
}

const trees = new Map<OpinionKey, Trees>();

function treesFor(key: OpinionKey): Trees {
  const known = trees.get(key) ?? unpackTrees(TREE_WEIGHTS[key]);
  trees.set(key, known);
  return known;
}

/** Of shares in the order of the answers. */
export function opinionOf(shares: readonly number[]): Opinion {
  const best = shares.indexOf(Math.max(...shares));
  const [pass = 0, partial = 0, fail = 0, none = 0] = shares;
  return {
    answer: ANSWERS[best] ?? 'needs_review',
    confidence: shares[best] ?? 0,
    shares: { pass, partial, fail, not_applicable: none },
  };
}
