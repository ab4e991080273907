import type { CheckAnswer, CheckResult, ComplianceFinding, ComplianceStatus } from '../model/scorecard.ts';
import type { Rubric } from '../model/rubric.ts';

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

export type Scores = { qualityScore: number | null; categories: Record<string, number | null> };

/**
 * The score by arithmetic alone. A category is the weighted mean of its checks, rounded; the quality score is the
 * weighted mean of these rounded categories, so that it can be recomputed from what is shown. It is capped at 49 when a
 * critical check fails, or when a category that is critical itself scores below 50.
 */
export function computeScores(rubric: Pick<Rubric, 'categories'>, checks: readonly CheckResult[]): Scores {
  const categories = rubric.categories.map(({ key, weight, critical }) => {
    const own = checks.filter((check) => check.category === key);
    const score = weightedMean(own);
    const hasFailed = own.some((check) => check.critical && check.answer === 'fail');
    return {
      key,
      weight,
      score,
      isCriticallyFailed: hasFailed || (critical && score !== null && score < CRITICAL_CATEGORY_MIN),
    };
  });
  return {
    qualityScore: overallScore(categories),
    categories: Object.fromEntries(categories.map(({ key, score }) => [key, score])),
  };
}

type ReviewedCategories = {
  checks: readonly Pick<CheckResult, 'category' | 'critical' | 'answer'>[];
  automatic: Record<string, number | null>;
  reviewed: Record<string, number | null>;
};

/**
 * The quality score of categories that a reviewer has judged. In a category that they changed, their score alone says
 * whether it has failed critically; where they left it, a failed critical check still counts.
 */
export function scoreReviewed(
  rubric: { categories: readonly Pick<Rubric['categories'][number], 'key' | 'weight' | 'critical'>[] },
  { checks, automatic, reviewed }: ReviewedCategories,
): number | null {
  return overallScore(
    rubric.categories.map(({ key, weight, critical }) => {
      const score = reviewed[key] ?? null;
      const hasFailed = checks.some((check) => check.category === key && check.critical && check.answer === 'fail');
      const isLow = score !== null && score < CRITICAL_CATEGORY_MIN;
      const isChanged = score !== (automatic[key] ?? null);
      const isCriticallyFailed = (isLow && (critical || hasFailed)) || (hasFailed && !isChanged);
      return { weight, score, isCriticallyFailed };
    }),
  );
}

type JudgedCategory = { weight: number; score: number | null; isCriticallyFailed: boolean };

function overallScore(categories: readonly JudgedCategory[]): number | null {
  const mean = weightedMean(categories);
  const isCapped = categories.some(({ isCriticallyFailed }) => isCriticallyFailed);
  return mean !== null && isCapped ? Math.min(mean, CRITICAL_CAP) : mean;
}

/** `failed` on a broken high rule, `needs_review` on any other broken or unjudged one, `not_applicable` without rules. */
export function complianceStatusOf(findings: readonly ComplianceFinding[]): ComplianceStatus {
  if (findings.length === 0) return 'not_applicable';
  if (findings.some(({ answer, severity }) => answer === 'fail' && severity === 'high')) return 'failed';
  const isOpen = findings.some(({ answer }) => answer === 'fail' || answer === 'partial' || answer === 'needs_review');
  return isOpen ? 'needs_review' : 'passed';
}
