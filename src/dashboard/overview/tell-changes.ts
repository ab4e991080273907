import { formatNumber, formatPercent } from '../lib/format.ts';
import type { Overview } from './search.ts';

export type ChangeNote = { key: string; text: string; isGood: boolean | null };

/** Fewer calls than this show no trend of a person. */
const agentCallsMin = 3;
const pointsMin = 1;

/** Differences from the previous period in words, the most important first. */
export function tellChanges(
  { totals, previous, categories, agents }: Overview,
  { isOwn }: { isOwn: boolean },
): ChangeNote[] {
  if (previous.calls === 0) return [];
  return [
    tellScore(totals.averageScore, previous.averageScore),
    tellCompliance(totals.complianceRate, previous.complianceRate),
    tellVolume(totals.calls, previous.calls),
    ...tellMoves(
      'category',
      categories.map(({ title, ...rest }) => ({ name: title, ...rest })),
    ),
    ...(isOwn
      ? []
      : tellMoves(
          'agent',
          agents.filter(({ calls }) => calls >= agentCallsMin),
        )),
  ].filter((told) => told !== null);
}

function tellScore(now: number | null, before: number | null): ChangeNote | null {
  if (now === null || before === null) return null;
  const by = now - before;
  if (Math.abs(by) < pointsMin)
    return { key: 'score', text: `The average score stays at ${Math.round(now)}.`, isGood: null };
  const verb = by > 0 ? 'rose' : 'fell';
  return { key: 'score', text: `The average score ${verb} by ${points(by)} to ${Math.round(now)}.`, isGood: by > 0 };
}

function tellCompliance(now: number | null, before: number | null): ChangeNote | null {
  if (now === null || before === null || Math.abs(now - before) < 0.005) return null;
  const verb = now > before ? 'rose' : 'fell';
  return {
    key: 'compliance',
    text: `Compliance ${verb} from ${formatPercent(before)} to ${formatPercent(now)}.`,
    isGood: now > before,
  };
}

function tellVolume(now: number, before: number): ChangeNote | null {
  if (now === before) return null;
  const share = Math.abs(now - before) / before;
  const than = `${formatNumber(now)} calls instead of ${formatNumber(before)}`;
  return {
    key: 'calls',
    text: `${than}: ${formatPercent(share)} ${now > before ? 'more' : 'fewer'}.`,
    isGood: null,
  };
}

type Scored = { name: string; averageScore: number | null; previousAverageScore: number | null };

/** The largest gain and the largest loss. */
function tellMoves(kind: 'category' | 'agent', scored: Scored[]): ChangeNote[] {
  const moves = scored
    .flatMap(({ name, averageScore: now, previousAverageScore: before }) =>
      now === null || before === null ? [] : [{ name, now, by: now - before }],
    )
    .toSorted((a, b) => a.by - b.by);
  const [worst, best] = [moves[0], moves.at(-1)];
  const told: ChangeNote[] = [];
  if (worst && worst.by <= -pointsMin) {
    told.push({
      key: `${kind} down`,
      text: `${worst.name} lost most: ${points(worst.by)}, now ${Math.round(worst.now)}.`,
      isGood: false,
    });
  }
  if (best && best.by >= pointsMin) {
    told.push({
      key: `${kind} up`,
      text: `${best.name} gained most: ${points(best.by)}, now ${Math.round(best.now)}.`,
      isGood: true,
    });
  }
  return told;
}

function points(by: number): string {
  const rounded = Math.abs(Math.round(by * 10) / 10);
  return `${formatNumber(rounded)} ${rounded === 1 ? 'point' : 'points'}`;
}
