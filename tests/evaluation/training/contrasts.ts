import type { CheckAnswer } from '../../../src/model/scorecard.ts';
import type { CommonWords } from '../../../src/scoring/opinion/features.ts';
import type { LabelledCall } from '../labelled.ts';
import { ACTS, probabilities, toExamples, UNKNOWN, type Role, type TurnExample, type TurnWeights } from './turns.ts';

/** What an utterance does, one of several things, and what it does not, where the answer hangs on it. */
type Tells = { does?: readonly string[]; doesNot?: readonly string[] };
type Contrast = { role: Role; tells: Partial<Record<CheckAnswer, Tells>> };

const CONTRASTS: Record<string, Contrast> = {
  'greeting.opens': doneOrNot('greeting'),
  'greeting.company': doneOrNot('company'),
  'greeting.name': doneOrNot('own_name'),
  'greeting.offer': doneOrNot('offer_help'),
  'problem.understood': doneOrNot('question_clarifying', 'restatement'),
  'problem.details': doneOrNot('detail_readback'),
  'problem.resolved': {
    role: 'agent',
    tells: {
      pass: { does: ['result_done', 'explanation'], doesNot: ['refusal'] },
      partial: { does: ['next_step', 'next_step_vague'], doesNot: ['result_done'] },
      fail: { doesNot: ['result_done', 'next_step'] },
    },
  },
  'problem.accepted': {
    role: 'customer',
    tells: {
      pass: { does: ['acceptance', 'thanks'], doesNot: ['objection', 'acceptance_reserved'] },
      partial: { does: ['acceptance_reserved'] },
      fail: { does: ['objection'], doesNot: ['acceptance'] },
    },
  },
  'professionalism.courtesy': {
    role: 'agent',
    tells: {
      pass: { does: ['courtesy', 'apology'] },
      partial: { doesNot: ['courtesy'] },
      fail: { doesNot: ['courtesy', 'apology'] },
    },
  },
  'professionalism.respect': {
    role: 'agent',
    tells: { fail: { does: ['slight'] }, pass: { doesNot: ['slight'] } },
  },
  'closing.more': doneOrNot('more_help'),
  'closing.thanks': doneOrNot('closing_thanks'),
  'closing.farewell': doneOrNot('farewell'),
};

function doneOrNot(...acts: string[]): Contrast {
  return { role: 'agent', tells: { pass: { does: acts }, fail: { doesNot: acts } } };
}

/** So often an utterance is learned from on which an answer hangs: in a call that is usual otherwise, little else tells. */
const TIMES = 3;

/** The utterances that two calls differ in, with what they do as far as the answers tell that differ as well; nothing of a single call. */
export function fromContrast(
  group: readonly LabelledCall[],
  readers: Record<Role, TurnWeights>,
  common: CommonWords,
): TurnExample[] {
  const [first, second] = group;
  if (!first || !second) return [];
  const differing = Object.keys(first.answers).filter((key) => first.answers[key] !== second.answers[key]);
  const examples = group.flatMap((side) => {
    const other = side === first ? second : first;
    const changed = new Set(
      side.utterances.flatMap(({ text }, at) => (text === other.utterances[at]?.text ? [] : [at])),
    );
    return toExamples(side, common)
      .filter((_, at) => changed.has(at))
      .flatMap((example) => labelled(example, { readers, answers: side.answers, differing }));
  });
  return Array.from({ length: TIMES }, () => examples).flat();
}

type Known = { readers: Record<Role, TurnWeights>; answers: LabelledCall['answers']; differing: readonly string[] };

function labelled(example: TurnExample, { readers, answers, differing }: Known): TurnExample[] {
  const labels = example.labels.slice().fill(UNKNOWN);
  const acts = ACTS[example.role];
  for (const key of differing) {
    const { role, tells } = CONTRASTS[key] ?? {};
    const told = answers[key] && tells?.[answers[key]];
    if (role !== example.role || !told) continue;
    for (const act of told.doesNot ?? []) labels[acts.indexOf(act)] = 0;
    const shares = probabilities(readers[example.role], example.features);
    const [likeliest] = (told.does ?? []).toSorted(
      (a, b) => (shares[acts.indexOf(b)] ?? 0) - (shares[acts.indexOf(a)] ?? 0),
    );
    if (likeliest !== undefined) labels[acts.indexOf(likeliest)] = 1;
  }
  return labels.some((label) => label !== UNKNOWN) ? [{ ...example, labels }] : [];
}
