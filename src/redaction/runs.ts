import { FILLERS } from './lexicon.ts';
import { readNumbers, type NumberGroup } from './numbers.ts';
import type { Token } from './tokens.ts';

/** Numbers that are said one after the other, with hardly a word between: tokens `[from, to)`. */
export type Run = { groups: NumberGroup[]; digits: string; from: number; to: number };

/** Milliseconds of a segment, for the pause between two. */
export type SegmentTimes = { startMs: number; endMs: number };

const fillersMax = 4;
const pauseMsMax = 20_000;

/** Joins numbers into runs: "four one one one, then one one one one", over segments too. */
export function readRuns(tokens: readonly Token[], times: readonly SegmentTimes[]): Run[] {
  const runs: Run[] = [];
  for (const group of readNumbers(tokens)) {
    const last = runs.at(-1);
    if (last && isContinued(tokens, times, { from: last.to, to: group.from })) {
      last.groups.push(group);
      last.digits += group.digits;
      last.to = group.to;
    } else {
      runs.push({ groups: [group], digits: group.digits, from: group.from, to: group.to });
    }
  }
  return runs;
}

/** Part of a run, by its groups `[first, end)`. */
export function sliceRun({ groups }: Run, first: number, end: number): Run {
  const part = groups.slice(first, end);
  return {
    groups: part,
    digits: part.map(({ digits }) => digits).join(''),
    from: part[0]?.from ?? 0,
    to: part.at(-1)?.to ?? 0,
  };
}

type Between = { from: number; to: number };

function isContinued(tokens: readonly Token[], times: readonly SegmentTimes[], { from, to }: Between): boolean {
  if (to - from > fillersMax) return false;
  for (let at = from; at <= to; at += 1) {
    const token = tokens[at];
    if (!token || (at < to && !(token.kind === 'word' && FILLERS.has(token.word)))) return false;
    const before = tokens[at - 1];
    if (before?.segment === token.segment) {
      // A question or an exclamation ends a number, and so does the sign of a quantity.
      if (/[?!;$£€¥₽%]/.test(token.gap)) return false;
    } else if (before && pauseBetween(times, before.segment, token.segment) > pauseMsMax) return false;
  }
  return true;
}

function pauseBetween(times: readonly SegmentTimes[], before: number, after: number): number {
  return (times[after]?.startMs ?? 0) - (times[before]?.endMs ?? 0);
}
