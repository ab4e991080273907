import type { z } from 'zod';
import type { ErrorDetail } from './errors.ts';

/** Of a body that is nothing but mistakes, the first ones are enough to see what is wrong with it. */
const detailsMax = 100;

/** What a schema found wrong, by place. `within` is where the value stood in the request. */
export function detailsOf({ issues }: Pick<z.core.$ZodError, 'issues'>, within: readonly string[] = []): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const issue of issues) {
    if (details.length >= detailsMax) break;
    details.push(...detailsOfIssue(issue, within));
  }
  return details.slice(0, detailsMax);
}

/** Fields that an object does not have are one issue, with a line of its message for each of them (messages.ts). */
function detailsOfIssue(issue: z.core.$ZodIssue, within: readonly string[]): ErrorDetail[] {
  const place = [...within, ...issue.path.map(String)];
  if (issue.code !== 'unrecognized_keys') return [{ path: place.join('.'), message: issue.message }];
  const messages = issue.message.split('\n');
  return issue.keys
    .slice(0, messages.length)
    .map((key, index) => ({ path: [...place, key].join('.'), message: messages[index] ?? issue.message }));
}
