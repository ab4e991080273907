import * as z from 'zod/mini';
import { dayOf } from '../lib/format.ts';
import type { Inputs } from '../lib/trpc.ts';
import { count, page, pick } from '../lib/search.ts';

/** The router parses digits in an address as a number. */
const text = z.pipe(
  z.union([z.string(), z.pipe(z.number(), z.transform(String))]),
  z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
);
const score = z.pipe(z.coerce.number(), count(0).check(z.maximum(100)));

export const periods = { today: 'Today', '7d': 'Last 7 days', '30d': 'Last 30 days' } as const;
export type Preset = keyof typeof periods;

/** The state of the list in the address. Invalid values are dropped. */
export const CallsSearch = z.object({
  page,
  q: pick(text),
  projectId: pick(z.string()),
  status: pick(z.enum(['pending', 'processing', 'completed', 'failed'])),
  agent: pick(text),
  minScore: pick(score),
  maxScore: pick(score),
  listen: pick(z.literal(true)),
  compliance: pick(z.enum(['passed', 'failed', 'needs_review', 'not_applicable'])),
  reviewed: pick(z.boolean()),
  period: pick(z.enum(['today', '7d', '30d'])),
  from: pick(z.iso.date()),
  to: pick(z.iso.date()),
  sort: pick(z.enum(['callAt', 'createdAt', 'duration', 'qualityScore', 'judgedShare'])),
  order: pick(z.enum(['asc', 'desc'])),
});
export type CallsSearch = z.infer<typeof CallsSearch>;

/** Parameters that filter the list, without those that sort or page it. */
export const filterNames = [
  'projectId',
  'status',
  'agent',
  'minScore',
  'maxScore',
  'listen',
  'compliance',
  'reviewed',
  'period',
  'from',
  'to',
] as const satisfies (keyof CallsSearch)[];

export type ListInput = Inputs['records']['list'];

/** The request to the server. Days are in the user's time zone. */
export function toListInput(search: CallsSearch): ListInput {
  const { projectId, status, agent, minScore, maxScore, listen, compliance, reviewed, sort = 'callAt', order } = search;
  const { from, to } = daysOf(search);
  return withoutUndefined({
    projectId,
    status: status && [status],
    agentName: agent,
    minScore,
    maxScore,
    awaitsReview: listen,
    complianceStatus: compliance,
    reviewed,
    from: from && new Date(`${from}T00:00:00`).toISOString(),
    to: to && new Date(`${to}T23:59:59.999`).toISOString(),
    sort,
    order,
  });
}

/** The days of a preset, or the given ones. */
export function daysOf({ period, from, to }: CallsSearch): { from?: string | undefined; to?: string | undefined } {
  if (period === undefined) return { from, to };
  const first = new Date();
  first.setDate(first.getDate() - { today: 0, '7d': 6, '30d': 29 }[period]);
  return { from: dayOf(first) };
}

function withoutUndefined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as never;
}
