import { z } from 'zod';
import { ComplianceStatus } from '../../model/scorecard.ts';

export const AlertOperator = z.enum(['lt', 'lte', 'gt', 'gte', 'eq', 'neq']).meta({ id: 'AlertOperator' });

type Range = { min: number; max?: number; isWhole?: boolean };

const ranges = new Map<string, Range>(
  Object.entries({
    qualityScore: { min: 0, max: 100 },
    judgedShare: { min: 0, max: 1 },
    needsReviewCount: { min: 0, isWhole: true },
    duration: { min: 0 },
    talkRatio: { min: 0, max: 1 },
    nonTalkTimeMs: { min: 0 },
    interruptions: { min: 0, isWhole: true },
    sentiment: { min: -1, max: 1 },
  }),
);
const numberFields = [...ranges.keys()];
const categoryField = /^categories\.[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/u;

/** The category that a condition is about; null if it is about something else. */
export function categoryOf(field: string): string | null {
  return categoryField.test(field) ? field.slice('categories.'.length) : null;
}

/** Which values a number can have; undefined for what is no number. */
export function rangeOf(field: string): Range | undefined {
  return categoryOf(field) === null ? ranges.get(field) : ranges.get('qualityScore');
}

/** What a rule tests. Only comparable pairs pass; each mistake is reported with its path. */
export const AlertCondition = z
  .strictObject({
    field: z
      .string()
      .max(100)
      .meta({
        description:
          '`qualityScore`, `categories.<key>` (0-100), `judgedShare` (0-1, of the weight), `needsReviewCount` (checks that are left to a person), `duration` (seconds), `talkRatio` (0-1), `nonTalkTimeMs`, `interruptions` (by both parties), `sentiment` (overall, -1 to 1), or `complianceStatus`.',
        examples: ['qualityScore'],
      }),
    operator: AlertOperator.meta({ description: '`complianceStatus` takes `eq` and `neq` only.' }),
    value: z.union([z.number(), z.string()]).meta({ description: 'A number, or a compliance status.', examples: [60] }),
  })
  .superRefine(({ field, operator, value }, ctx) => {
    const refuse = (path: string, message: string): void =>
      void ctx.addIssue({ code: 'custom', path: [path], message });
    if (field === 'complianceStatus') {
      if (operator !== 'eq' && operator !== 'neq') refuse('operator', 'A compliance status takes `eq` and `neq` only');
      if (!ComplianceStatus.safeParse(value).success) {
        refuse('value', `Expected one of ${ComplianceStatus.options.join(', ')}`);
      }
      return;
    }
    if (!numberFields.includes(field) && !categoryField.test(field)) {
      refuse('field', `Expected complianceStatus, categories.<key>, ${numberFields.join(', ')}`);
    } else if (typeof value !== 'number') {
      refuse('value', 'Expected a number');
    }
  })
  .meta({ id: 'AlertCondition' });
export type AlertCondition = z.infer<typeof AlertCondition>;
