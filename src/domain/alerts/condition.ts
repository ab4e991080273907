import { z } from 'zod';
import { ComplianceStatus } from '../../model/scorecard.ts';

export const AlertOperator = z.enum(['lt', 'lte', 'gt', 'gte', 'eq', 'neq']).meta({ id: 'AlertOperator' });

const shares = ['judgedShare', 'talkRatio'];
const numberFields = [
  'qualityScore',
  'needsReviewCount',
  'duration',
  'nonTalkTimeMs',
  'interruptions',
  'sentiment',
  ...shares,
];
const categoryField = /^categories\.[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/u;
/** For the document; the check itself says which fields there are. */
const fieldPattern = `^(?:complianceStatus|${numberFields.join('|')})$|${categoryField.source}`;

/** The category that a condition is about; null if it is about something else. */
export function categoryOf(field: string): string | null {
  return categoryField.test(field) ? field.slice('categories.'.length) : null;
}

/** Whether a share is given as something else, as 60 for 60 %: such a rule would never fire, or always. */
export function isImpossibleShare({ field, value }: AlertCondition): boolean {
  return shares.includes(field) && typeof value === 'number' && (value < 0 || value > 1);
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
        pattern: fieldPattern,
        examples: ['qualityScore'],
      }),
    operator: AlertOperator.meta({ description: '`complianceStatus` takes `eq` and `neq` only.' }),
    value: z.union([z.number(), z.string()]).meta({
      description: 'A number; for `complianceStatus` one of `passed`, `failed`, `needs_review`, `not_applicable`.',
      examples: [60],
    }),
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
