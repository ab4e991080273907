import { ACCUSED, type Accused } from '../../../src/scoring/opinion/accused.ts';
import { type Features, WIDE_PLACES } from '../../../src/scoring/opinion/feature-list.ts';
import { type CommonWords, featuresOf } from '../../../src/scoring/opinion/features.ts';
import { createTokenReader } from '../../../src/model/text/tokens.ts';
import type { LabelledCall, Snippet } from '../labelled.ts';
import { ownSnippets } from '../../scoring/accusations/snippets.ts';
import type { Learning } from './learning.ts';

/** An utterance of an agent, with the checks that it fails, and those of which nobody knows whether it does. */
export type AccusationExample = {
  features: Features;
  guilty: ReadonlySet<Accused>;
  unknown?: ReadonlySet<Accused>;
  size: number;
};

/** Acts that fail a check wherever they are done. A threat may be either's, and is learned from as no example of either. */
const FAILS: Record<string, Accused> = {
  sarcasm: 'professionalism.respect',
  insult: 'professionalism.respect',
  blame: 'professionalism.respect',
  pressure: 'compliance.pressure',
  guarantee: 'compliance.pressure',
  secret_aloud: 'compliance.sensitive',
};
/** One act of a call counts less than a snippet that is all about it, which is rarer than what is said in calls. */
const ACT_SIZE = 0.5;
const SNIPPET_SIZE = 2;

export function fromSnippet(snippet: Snippet, common: CommonWords): AccusationExample[] {
  const { about, truth, target } = snippet;
  const features = featuresFor(snippet, common).get(target ?? -1);
  const guilty = new Set(ACCUSED.filter((key) => truth === 'guilty' && key === about));
  return features ? [{ features, guilty, size: SNIPPET_SIZE }] : [];
}

/** A call, and what its variants say otherwise. */
function fromActs([call, ...variants]: readonly LabelledCall[], common: CommonWords): AccusationExample[] {
  if (!call) return [];
  return [
    ...fromCall(call, common),
    ...variants.flatMap((variant) => fromCall(variant, common, ({ text }, at) => text !== call.utterances[at]?.text)),
  ];
}

export function fromCall(
  call: LabelledCall,
  common: CommonWords,
  isMeant: (said: LabelledCall['utterances'][number], index: number) => boolean = () => true,
): AccusationExample[] {
  const features = featuresFor(call, common);
  return call.utterances.flatMap((said, index) => {
    const { role, acts } = said;
    const own = isMeant(said, index) ? features.get(index) : undefined;
    if (role !== 'agent' || !own || acts.includes('threat')) return [];
    const guilty = new Set(acts.flatMap((act) => FAILS[act] ?? []));
    return [{ features: own, guilty, size: guilty.size > 0 ? ACT_SIZE : 1 }];
  });
}

/** Of calls without acts: what nobody is accused of, nothing in them fails; and in pairs what only one side fails is what they differ in. */
export function fromAnswered(group: readonly LabelledCall[], common: CommonWords): AccusationExample[] {
  const [first, second] = group;
  return group.flatMap((call) => {
    const other = call === first ? second : first;
    const features = featuresFor(call, common);
    const unknown = new Set(ACCUSED.filter((key) => answerOf(call, key) !== 'pass'));
    const contrasts = new Set(ACCUSED.filter((key) => other && unknown.has(key) && answerOf(other, key) === 'pass'));
    return call.utterances.flatMap(({ role, text }, index) => {
      const own = features.get(index);
      if (role !== 'agent' || !own) return [];
      const isOwn = other !== undefined && other.utterances[index]?.text !== text;
      if (isOwn) return [{ features: own, guilty: contrasts, unknown: unknown.difference(contrasts), size: 1 }];
      return call === first ? [{ features: own, guilty: new Set<Accused>(), unknown, size: 1 }] : [];
    });
  });
}

function answerOf({ answers, compliance }: LabelledCall, key: Accused): string | undefined {
  return answers[key] ?? compliance[key];
}

function featuresFor(
  { utterances, language }: Pick<LabelledCall, 'utterances' | 'language'>,
  common: CommonWords,
): Map<number, Features> {
  const read = createTokenReader();
  const said = utterances.flatMap(({ role, text }, index) =>
    role === 'agent' || role === 'customer' ? [{ role, tokens: read(text), index }] : [],
  );
  const features = featuresOf(said, { language, common });
  return new Map(said.flatMap(({ index }, at) => (features[at] ? [[index, features[at]]] : [])));
}

/** Learned from snippets, from calls, and from the sentences of our own tests. */
export function accusationsOf({ snippets, calls, beside }: Learning, common: CommonWords): Float32Array {
  return fitAccusations([
    ...[...snippets, ...ownSnippets()].flatMap((snippet) => fromSnippet(snippet, common)),
    ...calls.flatMap((group) => fromActs(group, common)),
    ...beside.flatMap((group) => fromAnswered(group, common)),
  ]);
}

const ROUNDS = 20;
const RATE = 0.3;
const PENALTY = 3e-4;
const SQUARES_START = 1;
/** A prime, so that neighbouring examples are not learned one after another. */
const STRIDE = 7919;

/** Logistic regressions side by side, one for each check, by what is said anywhere; the last row is the bias. */
export function fitAccusations(examples: readonly AccusationExample[]): Float32Array {
  const keys = ACCUSED.length;
  const values = new Float32Array((WIDE_PLACES + 1) * keys);
  const squares = new Float32Array((WIDE_PLACES + 1) * keys).fill(SQUARES_START);
  const step = (at: number, gradient: number): void => {
    squares[at] = (squares[at] ?? 0) + gradient * gradient;
    values[at] = (values[at] ?? 0) - (RATE * gradient) / Math.sqrt(squares[at] ?? 1);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < examples.length; turn += 1) {
      const example = examples[(turn * STRIDE + round) % examples.length];
      if (!example) continue;
      const { features, guilty, unknown, size } = example;
      const { places, values: sizes } = features.anywhere;
      for (const [key, name] of ACCUSED.entries()) {
        if (unknown?.has(name)) continue;
        // What fails one check may as well fail the other: neither is an example against it.
        if (
          guilty.size > 0 &&
          !guilty.has(name) &&
          !guilty.has('compliance.sensitive') &&
          name !== 'compliance.sensitive'
        )
          continue;
        const slope = size * (suspicionOf(values, features, key) - Number(guilty.has(name)));
        for (let at = 0; at < places.length; at += 1) {
          const place = (places[at] ?? 0) * keys + key;
          step(place, slope * (sizes[at] ?? 0) + PENALTY * (values[place] ?? 0));
        }
        step(WIDE_PLACES * keys + key, slope);
      }
    }
  }
  return values;
}

export function suspicionOf(
  values: Float32Array,
  { anywhere: { places, values: sizes } }: Features,
  key: number,
): number {
  const keys = ACCUSED.length;
  let sum = values[WIDE_PLACES * keys + key] ?? 0;
  for (let at = 0; at < places.length; at += 1) sum += (sizes[at] ?? 0) * (values[(places[at] ?? 0) * keys + key] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
