import { and, eq, gte, lte, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Visibility } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { portals, recordDays, records } from '../../db/schema/index.ts';
import { listInput, severalOf } from '../../lib/paging.ts';
import { DateOrTime, isOrderedPeriod, parsePeriod, type Period } from '../../lib/timestamp.ts';
import { RecordStatus, shortText } from '../../model/record.ts';
import { ComplianceStatus } from '../../model/scorecard.ts';
import { isOrderedShare, unorderedShare } from '../judged-share.ts';
import { givenVisibility, visibilityValues, visibleRecords } from '../visible-records.ts';

type Filter = {
  /** Schema of the request parameter. */
  input: z.ZodType;
  /** The condition on `records`, with a placeholder for the value. */
  where: (value: Placeholder, orgId: Placeholder) => SQL;
  /** The same for several values, where the parameter takes a list: any of them will do. One value is asked alone. */
  whereAny?: (values: Placeholder) => SQL;
  /** What the database is asked for, if it is not the value as it was given. */
  meant?: (given: string) => unknown;
  /**
   * The condition on `record_days`, which counts whole days, or `status`, for which each day has a counter. Null if
   * only the rows can tell: then all of them are counted.
   */
  days: ((value: Placeholder) => SQL) | 'status' | null;
};

/** All filters of the list of records. Lists, their totals and the API parameters are derived from this table. */
export const recordFilters = {
  projectId: {
    input: z.string().optional().meta({ description: 'Only records of this project.' }),
    where: (value) => eq(records.projectId, value),
    days: (value) => eq(recordDays.projectId, value),
  },
  status: {
    input: severalOf(RecordStatus).meta({
      description: 'Only records in this status, or in one of several: `failed,completed`.',
    }),
    where: (value) => eq(records.status, value),
    whereAny: (values) => sql`${records.status} = any(${values})`,
    days: 'status',
  },
  agentName: {
    input: z.string().max(255).optional().meta({ description: 'Only calls of this agent; the exact name.' }),
    where: (value) => eq(records.agentName, value),
    days: null,
  },
  agentNameContains: {
    input: shortText
      .optional()
      .meta({ description: 'Only calls whose agent has this in the name, whatever the case.' }),
    where: (value) => sql`strpos(lower(${records.agentName}), lower(${value})) > 0`,
    days: null,
  },
  agentId: {
    input: z.string().max(255).optional().meta({ description: 'Only calls of this member (`usr_…`).' }),
    where: (value) => eq(records.agentUserId, value),
    days: null,
  },
  externalId: {
    input: shortText.optional().meta({ description: 'Only the call, or the calls, with this id of yours.' }),
    where: (value) => eq(records.externalId, value),
    days: null,
  },
  tag: {
    input: severalOf(shortText).meta({
      description: 'Only calls with this tag, or with one of several: `vip,refund`.',
    }),
    where: (value) => sql`${value} = any(${records.tags})`,
    whereAny: (values) => sql`${records.tags} && ${values}::text[]`,
    days: null,
  },
  complianceStatus: {
    input: ComplianceStatus.optional().meta({ description: 'Only records with this (final) status.' }),
    where: (value) => eq(records.complianceStatus, value),
    days: null,
  },
  minScore: {
    input: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: 'Only (final) scores of at least this; not above `maxScore`.' }),
    where: (value) => gte(records.qualityScore, value),
    days: null,
  },
  maxScore: {
    input: z.int().min(0).max(100).optional().meta({ description: 'Only (final) scores of at most this.' }),
    where: (value) => lte(records.qualityScore, value),
    days: null,
  },
  minJudgedShare: {
    input: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Only calls of which at least this was judged; not above `maxJudgedShare`.' }),
    where: (value) => gte(records.judgedShare, value),
    days: null,
  },
  maxJudgedShare: {
    input: z.number().min(0).max(1).optional().meta({ description: 'Only calls of which at most this was judged.' }),
    where: (value) => lte(records.judgedShare, value),
    days: null,
  },
  awaitsReview: {
    input: z.boolean().optional().meta({
      description:
        'Only calls that need a review for a score, or only others: too little of them was judged, and nobody has reviewed them.',
    }),
    where: (value) => eq(records.awaitsReview, value),
    days: null,
  },
  reviewed: {
    input: z.boolean().optional().meta({ description: 'Only records that a person has, or has not, reviewed.' }),
    where: (value) => eq(records.reviewed, value),
    days: null,
  },
  crmEntityType: {
    input: shortText
      .optional()
      .meta({ description: 'With `crmEntityId`: only calls of this entity of the CRM.', examples: ['deal'] }),
    where: (value) => eq(records.crmEntityType, value),
    days: null,
  },
  crmEntityId: {
    input: shortText
      .optional()
      .meta({ description: 'With `crmEntityType`: id of the entity at the CRM.', examples: ['1742'] }),
    where: (value) => eq(records.crmEntityId, value),
    days: null,
  },
  crmPortal: {
    input: shortText.optional().meta({
      description:
        'With `crmEntityType` and `crmEntityId`: only calls of this portal (`memberId`), and such as name none while it is the only one.',
      examples: ['a223c6b3710f85df22e9377d6c4f7553'],
    }),
    where: ofPortal,
    days: null,
  },
  receivedFrom: {
    input: DateOrTime.optional().meta({
      description: 'Received at or after, not later than `receivedTo`. A bare date begins its day (UTC).',
    }),
    where: (value) => gte(records.createdAt, value),
    meant: (from) => parsePeriod({ from }).from?.toISOString(),
    days: null,
  },
  receivedTo: {
    input: DateOrTime.optional().meta({ description: 'Received at or before. A bare date ends its day (UTC).' }),
    where: (value) => lte(records.createdAt, value),
    meant: (to) => parsePeriod({ to }).to?.toISOString(),
    days: null,
  },
} satisfies Record<string, Filter>;

type Filters = typeof recordFilters;
const entries = Object.entries<Filter>(recordFilters);

export const ListRecordsInput = listInput(
  {
    sorts: ['createdAt', 'callAt', 'duration', 'qualityScore', 'judgedShare'],
    order: 'desc',
    dated: 'Took place',
  },
  inputsOf(recordFilters),
)
  .refine(({ crmEntityType, crmEntityId }) => (crmEntityType === undefined) === (crmEntityId === undefined), {
    path: ['crmEntityId'],
    message: 'crmEntityType and crmEntityId go together',
  })
  .refine(({ crmEntityId, crmPortal }) => crmPortal === undefined || crmEntityId !== undefined, {
    path: ['crmPortal'],
    message: 'crmPortal goes with crmEntityType and crmEntityId',
  })
  .refine(({ minScore, maxScore }) => minScore === undefined || maxScore === undefined || minScore <= maxScore, {
    path: ['minScore'],
    message: '`minScore` is above `maxScore`',
  })
  .refine(({ receivedFrom, receivedTo }) => isOrderedPeriod({ from: receivedFrom, to: receivedTo }), {
    path: ['receivedFrom'],
    message: '`receivedFrom` is after `receivedTo`',
  })
  .refine(isOrderedShare, { path: ['minJudgedShare'], message: unorderedShare });
export type ListRecordsInput = z.infer<typeof ListRecordsInput>;

/** The filters of a request, and the actor's visibility. */
export type RecordFilter = Period & { visibility: Visibility } & {
  [Name in keyof Filters]?: z.infer<Filters[Name]['input']>;
};

type Values = { orgId: string } & Record<string, unknown>;

/** The given filters only: which ones are given determines the SQL of the statement. */
export function filterValues(tx: OrgTx, filter: RecordFilter): Values {
  const { from, to, visibility } = filter;
  return {
    orgId: tx.orgId,
    ...Object.fromEntries(Object.entries(pick(filter, () => true)).map(asParameter)),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
    ...visibilityValues(visibility),
  };
}

/** A list of one value is asked for by the index of that value; of several, the name tells them apart. */
function asParameter([name, value]: [string, unknown]): [string, unknown] {
  if (!Array.isArray(value)) return [name, value];
  return value.length === 1 ? [name, value[0]] : [anyOf(name), value];
}

const anyOf = (name: string): string => `${name}...`;

/** The conditions on `records`, with the placeholders of `filterValues`. */
export function recordConditions(values: { [Name in keyof Values]: Placeholder }): SQL | undefined {
  const { orgId, from, to, projectIds, ownUserId } = values;
  return and(
    eq(records.orgId, orgId),
    ...entries.map(([name, { where, whereAny }]) => {
      const several = values[anyOf(name)];
      return values[name] ? where(values[name], orgId) : several && whereAny?.(several);
    }),
    from && gte(records.callAt, from),
    to && lte(records.callAt, to),
    visibleRecords(givenVisibility({ projectIds, ownUserId })),
  );
}

/** Whether the daily counters answer the whole query. They know nothing about single agents. */
export function isCountedByDay(filter: RecordFilter): boolean {
  const asked: Record<string, unknown> = filter;
  return (
    filter.visibility.ownUserId === null &&
    entries.every(([name, { days }]) => days !== null || asked[name] === undefined)
  );
}

/** The values for the daily counters, except period and status. */
export function dayValues({ visibility, ...filter }: RecordFilter): Record<string, unknown> {
  const asked: Record<string, unknown> = filter;
  const { projectIds } = visibility;
  return {
    ...pick(asked, ({ days }) => typeof days === 'function'),
    ...(projectIds !== null && { projectIds }),
  };
}

/** The conditions on `record_days`, with the placeholders of `dayValues`. */
export function dayConditions(values: Record<string, Placeholder>): SQL | undefined {
  return and(
    ...entries.map(([name, { days }]) => (typeof days === 'function' && values[name] ? days(values[name]) : undefined)),
    values['projectIds'] && sql`${recordDays.projectId} = any(${values['projectIds']})`,
  );
}

function pick(asked: Record<string, unknown>, isMeant: (filter: Filter) => boolean): Record<string, unknown> {
  return Object.fromEntries(
    entries.flatMap(([name, filter]) => {
      const value = asked[name];
      if (value === undefined || !isMeant(filter)) return [];
      return [[name, filter.meant && typeof value === 'string' ? filter.meant(value) : value] as const];
    }),
  );
}

/** Entity ids are unique within a portal. A call without a portal can only match if there is just one portal. */
function ofPortal(portal: Placeholder, orgId: Placeholder): SQL {
  // Older calls have the portal in the reference to their recording.
  const named = sql`coalesce(${records.crm} ->> 'portal', substring(${records.recordingUrl} from '^bitrix24:([^/]*)/'))`;
  const others = sql`(select count(*) from ${portals} where ${portals.orgId} = ${orgId})`;
  return sql`(${named} = ${portal} or (${named} is null and ${others} < 2))`;
}

/** The schema of each filter by its name. TypeScript cannot infer this, hence the cast. */
function inputsOf<F extends Record<string, Filter>>(filters: F): { [Name in keyof F]: F[Name]['input'] } {
  return Object.fromEntries(Object.entries(filters).map(([name, { input }]) => [name, input])) as {
    [Name in keyof F]: F[Name]['input'];
  };
}
