import { z } from 'zod';
import { contradictions } from './rubric-consistency.ts';
import { Category, ComplianceRule } from './checks.ts';
import { Language } from './rubric-parts.ts';

/** What a call is judged by. Keys are unique, references resolve, and no level has a total weight of zero. */
export const Rubric = z
  .strictObject({
    languages: z
      .array(Language)
      .max(12)
      .optional()
      .meta({
        description:
          'Languages of the calls that it can judge, first the one in which `phrases` are written. In other calls what rests on words is `needs_review`. Left out or empty: any language.',
        examples: [['en', 'de']],
      }),
    categories: z.array(Category).min(1).max(20),
    compliance: z.array(ComplianceRule).max(50),
  })
  .check((ctx) => {
    for (const { path, message } of contradictions(ctx.value)) {
      ctx.issues.push({ code: 'custom', input: ctx.value, path, message });
    }
  });
export type Rubric = z.infer<typeof Rubric>;
