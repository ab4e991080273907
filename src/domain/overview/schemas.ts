import { z } from 'zod';
import { DateOrTime, Timestamp } from '../../lib/timestamp.ts';
import { ComplianceStatus } from '../../model/scorecard.ts';
import { isTimeZone, periodOf, periodMaxDays } from './period.ts';

/** With years further away, half hours and days in a time zone would exceed Postgres's range. */
function isOfOurTimes(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1900 && year <= 9000;
}

export const OverviewInput = z
  .strictObject({
    projectId: z.string().optional(),
    /** A bare date means the start of that day in the time zone; times are rounded to the half hour. */
    from: DateOrTime,
    /** A bare date means the end of that day. */
    to: DateOrTime,
    /** IANA name. */
    timeZone: z.string().max(64).refine(isTimeZone, 'Expected a time zone such as Europe/Berlin').default('UTC'),
  })
  .superRefine((input, context) => {
    if (!isTimeZone(input.timeZone)) return;
    const strange = (['from', 'to'] as const).filter((end) => !isOfOurTimes(input[end]));
    for (const end of strange)
      context.addIssue({ code: 'custom', path: [end], message: 'Expected the years 1900 to 9000' });
    if (strange.length > 0) return;
    const { from, until } = periodOf(input);
    if (until <= from) context.addIssue({ code: 'custom', path: ['from'], message: '`from` is after `to`' });
    if (until.getTime() - from.getTime() > (periodMaxDays + 1) * 86_400_000) {
      context.addIssue({ code: 'custom', path: ['to'], message: `Expected at most ${periodMaxDays} days` });
    }
  });
export type OverviewInput = z.infer<typeof OverviewInput>;

const score = z.number().min(0).max(100).nullable();
/** Of the weight that was judged, over calls to which any check applies. */
const share = z.number().min(0).max(1).nullable();
const count = z.int().nonnegative();

export const OverviewTotals = z.object({
  /** Took place in the period, whatever their status. */
  calls: count,
  completed: count,
  failed: count,
  /** Final scores, so reviews count. Null if no call has one, here and below. */
  averageScore: score,
  /** Share (0-1) of passed calls among those that passed or failed. */
  complianceRate: z.number().min(0).max(1).nullable(),
  averageDurationMs: z.int().nonnegative().nullable(),
  reviewed: count,
  averageJudgedShare: share,
  /** Without a score, since too little of them was judged, and not reviewed. */
  awaitingReview: count,
});
export type OverviewTotals = z.infer<typeof OverviewTotals>;

/** Those with the most calls first, at most 50. */
const agents = z.array(
  z.object({
    name: z.string(),
    /** User id, if the agent is a member. */
    agentId: z.string().nullable(),
    calls: count,
    averageScore: score,
    previousAverageScore: score,
    complianceFailed: count,
    averageJudgedShare: share,
    awaitingReview: count,
  }),
);

export const OverviewAgents = z.object({ agents });
export type OverviewAgents = z.infer<typeof OverviewAgents>;

export const Overview = z.object({
  totals: OverviewTotals,
  /** Totals of the preceding period of the same length. */
  previous: OverviewTotals,
  /** Every day of the period in the time zone, oldest first. */
  days: z.array(z.object({ date: z.string(), calls: count, averageScore: score, complianceFailed: count })),
  categories: z.array(
    z.object({ key: z.string(), title: z.string(), averageScore: score, previousAverageScore: score }),
  ),
  agents,
  /** The lowest unreviewed scores, at most 10. */
  worst: z.array(
    z.object({
      recordId: z.string(),
      analysisId: z.string(),
      projectId: z.string(),
      fileName: z.string().nullable(),
      agentName: z.string().nullable(),
      startedAt: Timestamp.nullable(),
      /** `startedAt`, else `createdAt`. */
      callAt: Timestamp,
      createdAt: Timestamp,
      score: z.int().min(0).max(100),
      complianceStatus: ComplianceStatus.nullable(),
      summary: z.string(),
    }),
  ),
  /** The most frequently failed checks first, at most 10. */
  topFailedChecks: z.array(z.object({ key: z.string(), title: z.string(), failed: count, applicable: count })),
});
export type Overview = z.infer<typeof Overview>;
