import type { CheckAnswer, CheckResult, ComplianceFinding, ComplianceStatus } from '../model/scorecard.ts';
import { JUDGED_SHARE_MIN, type Rubric } from '../model/rubric.ts';

export const CRITICAL_CAP = 49;
const CRITICAL_CATEGORY_MIN = 50;

/** pass 100, partial 50, fail 0; what cannot be judged has no score and is left out of the weights. */
export function scoreOfAnswer(answer: CheckAnswer): number | null {
  switch (answer) {
    case 'pass':
      return 100;
    case 'partial':
      return 50;
    case 'fail':
      return 0;
    case 'not_applicable':
    case 'needs_review':
      return null;
    default:
      return answer satisfies never;
  }
}

/**
 * Weighted mean of whole scores, rounded half up; null where nothing has both a score and a weight. Computed in whole
 * numbers, so that no weight is rounded on the way: 0.05, 0.1 and 0.45 weigh as 5, 10 and 45 do.
 */
export function weightedMean(parts: readonly { weight: number; score: number | null }[]): number | null {
  const judged = parts.flatMap(({ weight, score }) => (score === null ? [] : [{ weight: toDecimal(weight), score }]));
  const unit = Math.min(...judged.map(({ weight }) => weight.exponent));
  let points = 0n;
  let weights = 0n;
  for (const { weight, score } of judged) {
    const whole = weight.digits * 10n ** BigInt(weight.exponent - unit);
    points += whole * BigInt(score);
    weights += whole;
  }
  return weights > 0n ? Number((2n * points + weights) / (2n * weights)) : null;
}

/** More than a weight that somebody writes, and less than what a sum or product of binary fractions keeps right. */
const weightDigits = 12;

/** `digits · 10^exponent`. Zero has the exponent 0, so that it does not make the unit smaller than the others need. */
function toDecimal(weight: number): { digits: bigint; exponent: number } {
  if (weight === 0) return { digits: 0n, exponent: 0 };
  const [digits = '0', exponent] = weight.toExponential(weightDigits - 1).split('e');
  return { digits: BigInt(digits.replace('.', '')), exponent: Number(exponent) - (weightDigits - 1) };
}

export type Scores = {
  qualityScore: number | null;
  /** See `JudgedShare`. */
  judgedShare: number | null;
  needsReviewCount: number;
  categories: Record<string, number | null>;
};

type Weighing = {
  categories: readonly Pick<Rubric['categories'][number], 'key' | 'weight' | 'critical'>[];
  judgedShareMin?: Rubric['judgedShareMin'];
};
type Answered = Pick<CheckResult, 'category' | 'weight' | 'critical' | 'answer' | 'score'>;

/**
 * The score by arithmetic alone. A category is the weighted mean of its checks, rounded; the quality score is the
 * weighted mean of these rounded categories, so that it can be recomputed from what is shown. It is capped at 49 when a
 * critical check fails, or when a category that is critical itself scores below 50. There is none where less of the weight
 * was judged than the rubric asks for.
 */
export function computeScores(rubric: Weighing, checks: readonly Answered[]): Scores {
  const categories = rubric.categories.map(({ key, weight, critical }) => {
    const own = checks.filter((check) => check.category === key);
    const score = weightedMean(own);
    const hasFailed = own.some((check) => check.critical && check.answer === 'fail');
    const isCriticallyFailed = hasFailed || (critical && score !== null && score < CRITICAL_CATEGORY_MIN);
    return { key, weight, score, judgedShare: judgedShareOf(own), isCriticallyFailed };
  });
  return {
    ...overallScore(categories, rubric.judgedShareMin),
    needsReviewCount: countOpen(checks),
    categories: Object.fromEntries(categories.map(({ key, score }) => [key, score])),
  };
}

type ReviewedCategories = {
  checks: readonly Answered[];
  automatic: Record<string, number | null>;
  /** The scores that count now, whoever gave them. */
  reviewed: Record<string, number | null>;
  /** Keys of the categories that the reviewer scored as a whole, whatever the answers of their checks. */
  scored: ReadonlySet<string>;
};

/**
 * The quality score of categories that a reviewer has judged. In a category that they changed, their score alone says
 * whether it has failed critically; if they left it alone, a failed critical check still counts. What they scored counts as judged.
 */
export function scoreReviewed(
  rubric: Weighing,
  { checks, automatic, reviewed, scored }: ReviewedCategories,
): Omit<Scores, 'categories'> {
  const categories = rubric.categories.map(({ key, weight, critical }) => {
    const own = checks.filter((check) => check.category === key);
    const score = reviewed[key] ?? null;
    const hasFailed = own.some((check) => check.critical && check.answer === 'fail');
    const isLow = score !== null && score < CRITICAL_CATEGORY_MIN;
    const isChanged = score !== (automatic[key] ?? null);
    const isCriticallyFailed = (isLow && (critical || hasFailed)) || (hasFailed && !isChanged);
    // Scored by the reviewer, or from answers that are no longer stored.
    const isWhole = scored.has(key) || own.length === 0;
    const judgedShare = !isWhole ? judgedShareOf(own) : score === null ? null : 1;
    return { weight, score, judgedShare, isCriticallyFailed };
  });
  return {
    ...overallScore(categories, rubric.judgedShareMin),
    needsReviewCount: countOpen(checks.filter(({ category }) => !scored.has(category))),
  };
}

type JudgedCategory = {
  weight: number;
  score: number | null;
  /** Of the weight of its checks; null where none applies. */
  judgedShare: number | null;
  isCriticallyFailed: boolean;
};

function overallScore(
  categories: readonly JudgedCategory[],
  judgedShareMin: number = JUDGED_SHARE_MIN,
): Pick<Scores, 'qualityScore' | 'judgedShare'> {
  const share = meanShare(categories);
  const judgedShare = share === null ? null : inThousandths(share);
  const mean = judgedShare === null || judgedShare < judgedShareMin ? null : weightedMean(categories);
  const isCapped = categories.some(({ isCriticallyFailed }) => isCriticallyFailed);
  return { qualityScore: mean !== null && isCapped ? Math.min(mean, CRITICAL_CAP) : mean, judgedShare };
}

/** For the checks of one category: the share of the applicable weight that has a score; null if no check applies. */
function judgedShareOf(checks: readonly Pick<Answered, 'weight' | 'answer'>[]): number | null {
  const applying = checks.filter(({ answer }) => answer !== 'not_applicable');
  const judged = applying.filter(({ answer }) => answer !== 'needs_review');
  const weight = sumOf(applying);
  return weight > 0 ? sumOf(judged) / weight : null;
}

function sumOf(parts: readonly { weight: number }[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}

/** A category weighs as much as in the score, however many of its checks apply. */
function meanShare(categories: readonly JudgedCategory[]): number | null {
  const applying = categories.filter(({ judgedShare }) => judgedShare !== null);
  const weight = sumOf(applying);
  if (weight === 0) return null;
  return applying.reduce((sum, each) => sum + each.weight * (each.judgedShare ?? 0), 0) / weight;
}

/** Rounded down, except for errors of binary fractions: 0.6 of the weight is 0.6. */
function inThousandths(share: number): number {
  return Math.floor(Math.round(share * 1e12) / 1e9) / 1000;
}

function countOpen(checks: readonly Pick<Answered, 'answer'>[]): number {
  return checks.filter(({ answer }) => answer === 'needs_review').length;
}

/** `failed` on a broken high rule, `needs_review` on any other broken or unjudged one, `not_applicable` without rules. */
export function complianceStatusOf(findings: readonly ComplianceFinding[]): ComplianceStatus {
  if (findings.length === 0) return 'not_applicable';
  if (findings.some(({ answer, severity }) => answer === 'fail' && severity === 'high')) return 'failed';
  const isOpen = findings.some(({ answer }) => answer === 'fail' || answer === 'partial' || answer === 'needs_review');
  return isOpen ? 'needs_review' : 'passed';
}
