import { z } from 'zod';
import { contradictions } from './rubric-consistency.ts';
import { Category, ComplianceRule } from './checks.ts';
import { Language } from './rubric-parts.ts';

/** The default of a rubric. */
export const JUDGED_SHARE_MIN = 0.6;

/** What a call is judged by. Keys are unique, references resolve, and no level has a total weight of zero. */
export const Rubric = z
  .strictObject({
    languages: z
      .array(Language)
      .max(12)
      .optional()
      .meta({
        description:
          'Languages of the calls that it can judge, each named once, first the one in which `phrases` are written; `translations` are of the others. In other calls what rests on words is `needs_review`. Left out or empty: any language.',
        examples: [['en', 'de']],
      }),
    judgedShareMin: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({
        description: `Share (0-1) of the weight that must be judged for a quality score. A call with less has no score until it is reviewed. Default: ${String(JUDGED_SHARE_MIN)}.`,
        examples: [JUDGED_SHARE_MIN],
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
