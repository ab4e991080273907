import { z } from 'zod';
import { detailsOf } from '../../lib/details.ts';
import { AppError } from '../../lib/errors.ts';
import type { HeavyContext } from '../context.ts';
import { Rubric } from '../../model/rubric.ts';
import type { RubricToCheck } from '../../model/rubric-to-check.ts';

type Checking = Pick<HeavyContext, 'actor' | 'heavyWork'>;

/** Shorter rubrics are checked faster here than in another process: in about five milliseconds. */
const shortMax = 25_000;

/** Returns the rubric as it is stored. Long ones are checked in another process. Throws VALIDATION_ERROR. */
export async function checkRubric(context: Checking, rubric: unknown, within: readonly string[] = []): Promise<Rubric> {
  return JSON.parse(await check(context, { json: JSON.stringify(rubric), isWhole: true, within })) as Rubric;
}

/** Checks parts without the rest of their rubric. Throws VALIDATION_ERROR if a part is invalid in any rubric. */
export async function checkParts(context: Checking, parts: object, within: readonly string[] = []): Promise<void> {
  await check(context, { json: JSON.stringify(parts), isWhole: false, within });
}

async function check({ actor, heavyWork }: Checking, rubric: RubricToCheck): Promise<string> {
  if (rubric.json.length <= shortMax) return checkRubricJson(rubric);
  return heavyWork.run('checkRubric', rubric, { orgId: actor.orgId, isAwaited: true });
}

const Parts = z.strictObject(Rubric.shape).partial();

/**
 * Returns the rubric with its defaults. Throws VALIDATION_ERROR if a part is invalid, or the parts contradict each
 * other.
 */
export function checkRubricJson({ json, isWhole, within }: RubricToCheck): string {
  const parsed = (isWhole ? Rubric : Parts).safeParse(JSON.parse(json));
  if (parsed.success) return JSON.stringify(parsed.data);
  throw new AppError('VALIDATION_ERROR', 'The rubric is not valid.', { details: detailsOf(parsed.error, within) });
}
