import type { z } from 'zod';
import type { ErrorDetail } from './errors.ts';

/** The first mistakes are enough to see what is wrong with a body that is full of them. */
const detailsMax = 100;

/** Validation errors by path. `within` is the path of the value in the request. */
export function detailsOf({ issues }: Pick<z.core.$ZodError, 'issues'>, within: readonly string[] = []): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const issue of issues) {
    if (details.length >= detailsMax) break;
    details.push(...detailsOfIssue(issue, within));
  }
  return details.slice(0, detailsMax);
}

/** zod reports unknown fields of one object as a single issue, with one line of its message for each (messages.ts). */
function detailsOfIssue(issue: z.core.$ZodIssue, within: readonly string[]): ErrorDetail[] {
  const place = [...within, ...issue.path.map(String)];
  if (issue.code !== 'unrecognized_keys') return [{ path: place.join('.'), message: issue.message }];
  const messages = issue.message.split('\n');
  return issue.keys
    .slice(0, messages.length)
    .map((key, index) => ({ path: [...place, key].join('.'), message: messages[index] ?? issue.message }));
}
