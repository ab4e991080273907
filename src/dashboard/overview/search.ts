import * as z from 'zod/mini';
import { dayOf } from '../lib/format.ts';
import type { Inputs, Outputs } from '../lib/trpc.ts';
import { pick } from '../lib/search.ts';

export const periods = { today: 'Today', '7d': 'Last 7 days', '30d': 'Last 30 days', '90d': 'Last 90 days' } as const;
export type PeriodName = keyof typeof periods;
export const periodDefault: PeriodName = '7d';

/** The state of the overview in the address. */
export const OverviewSearch = z.object({
  period: pick(z.enum(['today', '7d', '30d', '90d'])),
  projectId: pick(z.string()),
});
export type OverviewSearch = z.infer<typeof OverviewSearch>;
export type Overview = Outputs['overview']['get'];

const daysBack: Record<PeriodName, number> = { today: 0, '7d': 6, '30d': 29, '90d': 89 };

/** Whole days in the user's time zone, including today. */
export function toInput({ period = periodDefault, projectId }: OverviewSearch): Inputs['overview']['get'] {
  const first = new Date();
  first.setDate(first.getDate() - daysBack[period]);
  return {
    from: dayOf(first),
    to: dayOf(new Date()),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(projectId !== undefined && { projectId }),
  };
}
