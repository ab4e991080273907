import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { DateOrTime, isOrderedPeriod, parsePeriod, Timestamp, unorderedPeriod } from '../../lib/timestamp.ts';

const orgId = z.string().meta({
  description: 'The selected organization; any other is 403.',
  examples: ['org_01m7ysd48fenfrajcn47wkxf75'],
});
const money = (description: string) => z.number().meta({ description: `${description} At most 4 decimals.` });

export const BillingParams = z.strictObject({ orgId });

export const UsageSummary = z
  .object({
    orgId,
    period: z.string().meta({ description: 'The current month (UTC), `YYYY-MM`.', examples: ['2026-03'] }),
    totalRecords: z.int().meta({ description: 'Recordings processed this month.' }),
    totalMinutes: z.number().meta({ description: 'Their length in minutes, each rounded up to 0.1.' }),
    totalCost: money('What they and further analyses cost.'),
    budgetLimit: z.number().nullable().meta({ description: 'For one month; null where there is no limit.' }),
    budgetUsedPercent: z
      .number()
      .meta({ description: '`totalCost` in percent of `budgetLimit`; 0 where there is no limit.' }),
    credits: z
      .object({
        available: money('The balance: what was credited less all usage so far, so it can be negative.'),
        used: money('All usage so far.'),
      })
      .meta({ description: 'Over all months.' }),
  })
  .meta({ id: 'UsageSummary' });
export type UsageSummary = z.infer<typeof UsageSummary>;

/** Prices per unit, in the operator's currency. */
export const PriceList = z.object({
  transcriptionPerMinute: z.number(),
  analysisPerRecord: z.number(),
  /** Additional price of a million tokens of a language model; 0 if none are billed. */
  inputPerMillion: z.number(),
  outputPerMillion: z.number(),
});
export type PriceList = z.infer<typeof PriceList>;

const daysMaxByDay = 366;
const daysMaxByMonth = 3_660;
const dayMs = 86_400_000;

export const UsageInput = z
  .strictObject({
    orgId,
    from: DateOrTime.optional().meta({
      description: 'First day (UTC), not later than `to`; default: the first of the month of `to`.',
    }),
    to: DateOrTime.optional().meta({ description: 'Last day (UTC), inclusive; default: today.' }),
    granularity: z
      .enum(['day', 'month'])
      .default('day')
      .meta({ description: `\`day\` for at most ${daysMaxByDay} days, \`month\` for at most ${daysMaxByMonth}.` }),
    groupBy: z.enum(['project']).optional().meta({ description: '`project` makes an item for each project.' }),
    projectId: z.string().optional().meta({ description: 'Only usage of this project.' }),
  })
  .refine(isOrderedPeriod, unorderedPeriod)
  .refine(isShortEnough, { path: ['from'], message: 'The period is too long for this granularity' });
export type UsageInput = z.infer<typeof UsageInput>;

const usage = {
  records: z.int().meta({ description: 'Recordings processed.' }),
  minutes: z.number().meta({ description: 'Their length in minutes, each rounded up to 0.1.' }),
  transcriptionCost: money('Of speech-to-text; none where the transcript was supplied.'),
  analysisCost: money('Of analyses, further ones included.'),
  cost: money('Both together.'),
};

export const UsageReport = z
  .object({
    orgId,
    period: z.object({ from: Timestamp, to: Timestamp }).meta({ description: 'In whole days (UTC).' }),
    items: z
      .array(
        z.object({
          date: z.string().meta({ description: '`YYYY-MM-DD` by day, `YYYY-MM` by month.', examples: ['2026-03-02'] }),
          projectId: z.string().optional().meta({ description: 'With `groupBy=project`.' }),
          ...usage,
        }),
      )
      .meta({ description: 'In order of time; days and months without usage are left out.' }),
    totals: z.object(usage),
  })
  .meta({ id: 'UsageReport' });
export type UsageReport = z.infer<typeof UsageReport>;

export const CreditType = z.enum(['grant', 'purchase', 'usage', 'refund', 'expiry']).meta({ id: 'CreditType' });

export const CreditEntry = z
  .object({
    id: z.string().meta({ description: 'Entry id (`crd_…`).' }),
    type: CreditType,
    amount: money('What the entry adds to the balance; negative for usage and expiry.'),
    balance: money('After this entry.'),
    description: z.string(),
    createdAt: Timestamp.meta({ description: 'For usage, when something was last billed on its day.' }),
  })
  .meta({ id: 'CreditEntry' });
export type CreditEntry = z.infer<typeof CreditEntry>;

export const ListCreditsInput = listInput({ sorts: ['createdAt', 'amount'], order: 'desc' }, { orgId });
export type ListCreditsInput = z.infer<typeof ListCreditsInput>;

const creditPage = pageOf(CreditEntry);
export const CreditPage = creditPage
  .extend({ meta: creditPage.shape.meta.extend({ balance: money('The present balance.') }) })
  .meta({ id: 'CreditPage' });
export type CreditPage = z.infer<typeof CreditPage>;

const limitMax = 1_000_000_000;

export const UpdateBudgetInput = z.strictObject({
  orgId,
  budgetLimit: z
    .number()
    .min(0)
    .max(limitMax)
    .refine((value) => Number(value.toFixed(4)) === value, 'Expected at most 4 decimals')
    .meta({ multipleOf: 0.0001 })
    .nullable()
    .optional()
    .meta({ description: 'What a month (UTC) may cost; null takes the limit away. At most 4 decimals.' }),
});
export type UpdateBudgetInput = z.infer<typeof UpdateBudgetInput>;

/** For the operator. */
export const GrantCreditsInput = z.strictObject({
  orgId: z.string(),
  type: CreditType.exclude(['usage']),
  amount: z.string().regex(/^(?=.*[1-9])\d{1,10}(\.\d{1,4})?$/, 'Expected an amount above 0 with at most 4 decimals'),
  description: z.string().trim().min(1).max(500),
});
export type GrantCreditsInput = z.infer<typeof GrantCreditsInput>;

/** Both ends as whole days (UTC). By default, the current month so far. */
export function usagePeriod(query: { from?: string | undefined; to?: string | undefined }): { from: Date; to: Date } {
  const given = parsePeriod(query);
  const to = endOfDay(given.to ?? new Date(Math.max(Date.now(), given.from?.getTime() ?? 0)));
  const from = given.from ?? new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 1));
  return { from: startOfDay(from), to };
}

function isShortEnough(query: { from?: string | undefined; to?: string | undefined; granularity: string }): boolean {
  const { from, to } = usagePeriod(query);
  const days = Math.ceil((to.getTime() - from.getTime()) / dayMs);
  return days <= (query.granularity === 'day' ? daysMaxByDay : daysMaxByMonth);
}

function startOfDay(date: Date): Date {
  return new Date(Math.floor(date.getTime() / dayMs) * dayMs);
}

function endOfDay(date: Date): Date {
  return new Date(startOfDay(date).getTime() + dayMs - 1);
}
