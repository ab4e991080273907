import { visibilityOf, type Actor } from '../../auth/principal.ts';
import type { OrgContext } from '../context.ts';
import { daysOf, isWholeDay, periodBefore, periodOf, stretchesOf } from './period.ts';
import * as queries from './queries.ts';
import type { Overview, OverviewAgents, OverviewInput, OverviewTotals } from './schemas.ts';

const agentsMax = 50;
const checksMax = 10;

/**
 * Results of the calls that were created in the period and that the actor may see, compared with the preceding period.
 */
export async function getOverview({ db, actor }: OrgContext, input: OverviewInput): Promise<Overview> {
  const { period, scope, counted, stretches } = askedBy(actor, input);
  const days = daysOf(period, input.timeZone);
  const grain = [...days, { date: '', from: period.until }, { date: '', from: period.from }].every(isWholeDay)
    ? ('day' as const)
    : ('slot' as const);
  const [totals, byDay, breakdown, worst, titles] = await db.readOrg(actor.orgId, (tx) =>
    Promise.all([
      queries.selectTotals(tx, { ...counted, stretches }),
      queries.selectDays(tx, { ...counted, stretches: [{ grain, ...period }], days: days.map(({ from }) => from) }),
      queries.selectBreakdown(tx, { ...counted, stretches }),
      queries.selectWorst(tx, { ...scope, ...period }),
      queries.selectTitles(tx),
    ]),
  );
  const titleOf = (kind: string, key: string): string =>
    titles.find((title) => title.kind === kind && title.key === key)?.title ?? key;
  return {
    totals: toTotals(totals.find(({ isPresent }) => isPresent)),
    previous: toTotals(totals.find(({ isPresent }) => !isPresent)),
    days: days.map(({ date }, index) => {
      const day = byDay.find((row) => row.day === index + 1);
      return {
        date,
        calls: day?.calls ?? 0,
        averageScore: mean(day?.scoreSum, day?.scoreCount),
        complianceFailed: day?.violated ?? 0,
      };
    }),
    categories: toCategories(breakdown, titleOf),
    agents: toAgents(breakdown),
    worst,
    topFailedChecks: toFailedChecks(breakdown, titleOf),
  };
}

/** Only the agents of the same period, compared with the preceding one. */
export async function listAgents({ db, actor }: OrgContext, input: OverviewInput): Promise<OverviewAgents> {
  const { counted, stretches } = askedBy(actor, input);
  const breakdown = await db.readOrg(actor.orgId, (tx) => queries.selectBreakdown(tx, { ...counted, stretches }));
  return { agents: toAgents(breakdown) };
}

function askedBy(actor: Actor, input: OverviewInput) {
  const period = periodOf(input);
  const before = periodBefore(period);
  const scope = { projectId: input.projectId, visibility: visibilityOf(actor) };
  const counted = { ...scope, from: before.from, until: period.until, presentFrom: period.from };
  return { period, scope, counted, stretches: [...stretchesOf(before), ...stretchesOf(period)] };
}

function toTotals(row: queries.Measures | undefined): OverviewTotals {
  const { calls = 0, completed = 0, failed = 0, reviewed = 0, passed = 0, violated = 0 } = row ?? {};
  const averageDurationMs = row && row.durationCount > 0 ? (row.durationSum * 1000) / row.durationCount : null;
  return {
    calls,
    completed,
    failed,
    averageScore: mean(row?.scoreSum, row?.scoreCount),
    complianceRate: passed + violated > 0 ? round(passed / (passed + violated), 4) : null,
    averageDurationMs: averageDurationMs === null ? null : Math.round(averageDurationMs),
    reviewed,
    averageJudgedShare: meanShare(row),
    awaitingReview: row?.awaiting ?? 0,
  };
}

/** Shares are counted in thousandths. */
function meanShare(row: Pick<queries.Measures, 'shareSum' | 'shareCount'> | undefined): number | null {
  return row && row.shareCount > 0 ? round(row.shareSum / row.shareCount / 1000, 3) : null;
}

type TitleOf = (kind: string, key: string) => string;
type Group = { present: queries.BreakdownRow | undefined; previous: queries.BreakdownRow | undefined };

/** In the order of their keys, the only order that several profiles share. */
function toCategories(rows: queries.BreakdownRow[], titleOf: TitleOf): Overview['categories'] {
  return groupsOf(rows, 'category')
    .map(([key, { present, previous }]) => ({
      key,
      title: titleOf('category', key),
      averageScore: mean(present?.scoreSum, present?.scoreCount),
      previousAverageScore: mean(previous?.scoreSum, previous?.scoreCount),
    }))
    .filter(({ averageScore }) => averageScore !== null)
    .toSorted((a, b) => a.key.localeCompare(b.key));
}

function toAgents(rows: queries.BreakdownRow[]): Overview['agents'] {
  return groupsOf(rows, 'agent')
    .flatMap(([name, { present, previous }]) => (present && present.calls > 0 ? [{ name, present, previous }] : []))
    .toSorted((a, b) => b.present.calls - a.present.calls || a.name.localeCompare(b.name))
    .slice(0, agentsMax)
    .map(({ name, present, previous }) => ({
      name,
      agentId: present.ref === '' ? null : present.ref,
      calls: present.calls,
      averageScore: mean(present.scoreSum, present.scoreCount),
      previousAverageScore: mean(previous?.scoreSum, previous?.scoreCount),
      complianceFailed: present.violated,
      averageJudgedShare: meanShare(present),
      awaitingReview: present.awaiting,
    }));
}

function toFailedChecks(rows: queries.BreakdownRow[], titleOf: TitleOf): Overview['topFailedChecks'] {
  return rows
    .filter(({ kind, isPresent, failed }) => kind === 'check' && isPresent && failed > 0)
    .toSorted((a, b) => b.failed - a.failed || a.key.localeCompare(b.key))
    .slice(0, checksMax)
    .map(({ key, failed, calls }) => ({ key, title: titleOf('check', key), failed, applicable: calls }));
}

function groupsOf(rows: queries.BreakdownRow[], kind: queries.BreakdownRow['kind']): [key: string, Group][] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    if (row.kind !== kind) continue;
    const group = groups.get(row.key) ?? { present: undefined, previous: undefined };
    groups.set(row.key, { ...group, [row.isPresent ? 'present' : 'previous']: row });
  }
  return [...groups];
}

function mean(sum = 0, count = 0): number | null {
  return count > 0 ? round(sum / count, 2) : null;
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
