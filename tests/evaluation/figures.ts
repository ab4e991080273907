import type { CheckAnswer } from '../../src/model/scorecard.ts';

/** One check of one call: what was answered, what the reader says, and how much it weighs in the call. */
export type Judgement = {
  call: string;
  key: string;
  language: string;
  trade: string;
  style: string;
  given: CheckAnswer;
  truth: CheckAnswer;
  confidence: number;
  weight: number;
  isContested: boolean;
  why: string;
};

export type Agreement = {
  answers: number;
  /** Answered otherwise than `needs_review`. */
  judged: number;
  right: number;
  /** Share of the answers given that the reader shares; null where none is given. */
  agreement: number | null;
  kappa: number | null;
  /** Share of the weight that was judged. */
  coverage: number | null;
};

export function agreementOf(judgements: readonly Judgement[]): Agreement {
  const judged = judgements.filter(({ given }) => given !== 'needs_review');
  const right = judged.filter(({ given, truth }) => given === truth);
  return {
    answers: judgements.length,
    judged: judged.length,
    right: right.length,
    agreement: share(right.length, judged.length),
    kappa: kappaOf(judged),
    coverage: share(weightOf(judged), weightOf(judgements)),
  };
}

/** Cohen's kappa (1960): agreement beyond what the frequencies of the answers make by chance. */
export function kappaOf(judged: readonly Pick<Judgement, 'given' | 'truth'>[]): number | null {
  if (judged.length === 0) return null;
  const frequency = (side: 'given' | 'truth', answer: string): number =>
    judged.filter((each) => each[side] === answer).length / judged.length;
  const observed = judged.filter(({ given, truth }) => given === truth).length / judged.length;
  const answers = new Set(judged.flatMap(({ given, truth }) => [given, truth]));
  const expected = [...answers].reduce((sum, each) => sum + frequency('given', each) * frequency('truth', each), 0);
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}

/** Wilson's interval (1927) of a share, by default for 95 %. */
export function wilson(hits: number, of: number, z = 1.96): [number, number] {
  if (of === 0) return [0, 1];
  const p = hits / of;
  const middle = p + (z * z) / (2 * of);
  const spread = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

export type CurvePoint = { confidence: number; coverage: number; agreement: number };

/** How much is judged, and how well, where answers below a confidence are left out. */
export function curveOf(judgements: readonly Judgement[]): CurvePoint[] {
  const all = weightOf(judgements);
  return [0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98].flatMap((confidence) => {
    const kept = judgements.filter((each) => each.given !== 'needs_review' && each.confidence >= confidence);
    const agreement = share(kept.filter(({ given, truth }) => given === truth).length, kept.length);
    return agreement === null ? [] : [{ confidence, coverage: weightOf(kept) / all, agreement }];
  });
}

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [left, right] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return left === undefined || right === undefined ? null : (left + right) / 2;
}

export function share(part: number, of: number): number | null {
  return of === 0 ? null : part / of;
}

function weightOf(judgements: readonly Judgement[]): number {
  return judgements.reduce((sum, { weight }) => sum + weight, 0);
}
