import { z } from 'zod';
import { detailsOf } from '../../lib/details.ts';
import { AppError } from '../../lib/errors.ts';
import type { HeavyContext } from '../context.ts';
import { Rubric } from '../../model/rubric.ts';
import type { RubricToCheck } from '../../model/rubric-to-check.ts';

type Checking = Pick<HeavyContext, 'actor' | 'heavyWork'>;

/** What is this short is checked sooner here than anywhere else: in some five milliseconds. */
const shortMax = 25_000;

/** A rubric as it can be stored. Thousands of phrases are measured in another process. Throws VALIDATION_ERROR. */
export async function checkRubric(context: Checking, rubric: unknown, within: readonly string[] = []): Promise<Rubric> {
  return JSON.parse(await check(context, { json: JSON.stringify(rubric), isWhole: true, within })) as Rubric;
}

/** For parts of a rubric that is not there. Throws VALIDATION_ERROR where one of them could be a part of none. */
export async function checkParts(context: Checking, parts: object, within: readonly string[] = []): Promise<void> {
  await check(context, { json: JSON.stringify(parts), isWhole: false, within });
}

async function check({ actor, heavyWork }: Checking, rubric: RubricToCheck): Promise<string> {
  if (rubric.json.length <= shortMax) return checkRubricJson(rubric);
  return heavyWork.run('checkRubric', rubric, { orgId: actor.orgId, isAwaited: true });
}

const Parts = z.strictObject(Rubric.shape).partial();

/** Gives it with its defaults. Throws VALIDATION_ERROR where a part is not valid, or the parts do not fit together. */
export function checkRubricJson({ json, isWhole, within }: RubricToCheck): string {
  const parsed = (isWhole ? Rubric : Parts).safeParse(JSON.parse(json));
  if (parsed.success) return JSON.stringify(parsed.data);
  throw new AppError('VALIDATION_ERROR', 'The rubric is not valid.', { details: detailsOf(parsed.error, within) });
}
