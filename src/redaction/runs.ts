import { FILLERS } from './lexicon.ts';
import { readNumbers, type NumberGroup } from './numbers.ts';
import type { Token } from './tokens.ts';

/** Consecutive numbers with hardly a word between them: tokens `[from, to)`. */
export type Run = { groups: NumberGroup[]; digits: string; from: number; to: number };

/** Times of a segment, for the pauses between segments. */
export type SegmentTimes = { startMs: number; endMs: number };
type Said = SegmentTimes & { speaker: string };

const fillersMax = 5;
const pauseMsMax = 20_000;

/** Joins numbers into runs, also across segments: "four one one one, then one one one one". */
export function readRuns(tokens: readonly Token[], segments: readonly Said[]): Run[] {
  const runs: Run[] = [];
  for (const group of readNumbers(tokens)) {
    const last = runs.at(-1);
    const isRepeated = last !== undefined && isSaidBack(tokens, segments, { last, group });
    if (last && !isRepeated && isContinued(tokens, segments, { from: last.to, to: group.from })) {
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

/** Somebody else begins with the same digits: they repeat the number, and do not continue it. */
function isSaidBack(
  tokens: readonly Token[],
  segments: readonly Said[],
  { last, group }: { last: Run; group: NumberGroup },
): boolean {
  const [before, now] = [tokens[last.to - 1]?.segment, tokens[group.from]?.segment];
  if (before === undefined || now === undefined || segments[before]?.speaker === segments[now]?.speaker) return false;
  return last.digits.startsWith(group.digits) || group.digits.startsWith(last.digits);
}

type Between = { from: number; to: number };

function isContinued(tokens: readonly Token[], times: readonly SegmentTimes[], { from, to }: Between): boolean {
  if (to - from > fillersMax) return false;
  for (let at = from; at <= to; at += 1) {
    const token = tokens[at];
    if (!token || (at < to && !(token.kind === 'word' && FILLERS.has(token.word)))) return false;
    const before = tokens[at - 1];
    if (before?.segment === token.segment) {
      // A question mark or an exclamation mark ends a number, and so does the symbol of a quantity.
      if (/[?!;$£€¥₽%]/.test(token.gap)) return false;
    } else if (before && pauseBetween(times, before.segment, token.segment) > pauseMsMax) return false;
  }
  return true;
}

function pauseBetween(times: readonly SegmentTimes[], before: number, after: number): number {
  return (times[after]?.startMs ?? 0) - (times[before]?.endMs ?? 0);
}
