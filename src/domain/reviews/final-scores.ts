import { validationError } from '../../lib/errors.ts';
import { scoreReviewed } from '../../scoring/arithmetic.ts';
import type { CheckResult } from '../../model/scorecard.ts';
import type { Scores } from '../../model/analysis.ts';
import type { Rubric } from '../../model/rubric.ts';
import type { SubmitReviewInput } from './schemas.ts';

type Judged = { automatic: Scores; checks: readonly CheckResult[]; rubric: Rubric };
type Judgement = Pick<SubmitReviewInput, 'verdict' | 'categories' | 'complianceStatus'>;

/**
 * The scores that result from a review, by the weights and the critical cap of the profile version that scored the
 * call. Throws VALIDATION_ERROR for an unknown category, for an approval that changes something and for an adjustment
 * that changes nothing.
 */
export function finalScores(input: Judgement, { automatic, checks, rubric }: Judged): Scores {
  const { verdict, categories: given = {}, complianceStatus } = input;
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(automatic.categories, key)) {
      throw validationError(`categories.${key}`, `The analysis has no category \`${key}\`.`);
    }
  }
  if (verdict === 'approved') {
    refuseChanges(input, automatic);
    return automatic;
  }
  const keeps = verdict === 'adjusted';
  const entries = Object.entries(automatic.categories).map(([key, score]): [string, number | null] => [
    key,
    Object.hasOwn(given, key) ? (given[key] ?? null) : keeps ? score : null,
  ]);
  const categories = Object.fromEntries(entries);
  const scored = new Set(Object.keys(keeps ? given : categories));
  const final: Scores = {
    ...scoreReviewed(rubric, { checks, automatic: automatic.categories, reviewed: categories, scored }),
    categories,
    complianceStatus: complianceStatus ?? (keeps ? automatic.complianceStatus : 'needs_review'),
  };
  if (keeps) requireChange(final, { automatic, complianceStatus });
  return final;
}

/** Confirming the rules' score of a category with open checks is a change: the whole category then counts as judged. */
function requireChange(
  final: Scores,
  { automatic, complianceStatus }: { automatic: Scores } & Pick<Judgement, 'complianceStatus'>,
): void {
  const isSame =
    final.complianceStatus === automatic.complianceStatus &&
    final.needsReviewCount === (automatic.needsReviewCount ?? final.needsReviewCount) &&
    changedCategory(final.categories, automatic) === undefined;
  if (!isSame) return;
  throw validationError(
    complianceStatus === undefined ? 'categories' : 'complianceStatus',
    'The review adjusts nothing: these are the automatic scores. Use the verdict `approved`, or change what is wrong.',
  );
}

function changedCategory(categories: Judgement['categories'] = {}, automatic: Scores): string | undefined {
  return Object.keys(categories).find((key) => categories[key] !== automatic.categories[key]);
}

function refuseChanges({ categories, complianceStatus }: Judgement, automatic: Scores): void {
  const message = 'An approved review leaves the automatic scores as they are. Use the verdict `adjusted`.';
  const changed = changedCategory(categories, automatic);
  if (changed !== undefined) throw validationError(`categories.${changed}`, message);
  if (complianceStatus !== undefined && complianceStatus !== automatic.complianceStatus) {
    throw validationError('complianceStatus', message);
  }
}
