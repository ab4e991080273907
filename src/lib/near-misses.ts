import type { z } from 'zod';
import { isNearly } from './nearest-name.ts';

/**
 * For objects that accept additional fields: a name that looks like a known one is probably a typo, and its value would
 * be stored where nobody looks for it.
 */
export function refuseNearMisses(known: readonly string[]) {
  const names = new Set(known);
  return (value: object, ctx: z.RefinementCtx): void => {
    for (const key of Object.keys(value)) {
      if (names.has(key)) continue;
      const meant = known.find((name) => isNearly(key, name));
      if (meant === undefined) continue;
      const message = `Unknown field \`${key}\`. Did you mean \`${meant}\`? Rename your own fields if their names look like known ones.`;
      ctx.addIssue({ code: 'custom', path: [key], input: value, message });
    }
  };
}
