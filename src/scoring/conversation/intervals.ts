export type Interval = { startMs: number; endMs: number };

export function compareByTime(a: Interval & { index?: number }, b: Interval & { index?: number }): number {
  return a.startMs - b.startMs || (a.index ?? 0) - (b.index ?? 0) || a.endMs - b.endMs;
}

/** The union of intervals as sorted, disjoint ones. Empty and reversed intervals are ignored. */
export function mergeIntervals(intervals: readonly Interval[], gapMsMax = 0): Interval[] {
  const merged: Interval[] = [];
  for (const { startMs, endMs } of [...intervals].sort(compareByTime)) {
    if (endMs <= startMs) continue;
    const last = merged.at(-1);
    if (last && startMs <= last.endMs + gapMsMax) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged;
}

export function totalMs(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

/** The gaps between sorted, disjoint intervals. */
export function gapsBetween(intervals: readonly Interval[]): Interval[] {
  return intervals.slice(1).map((next, index) => ({ startMs: intervals[index]?.endMs ?? 0, endMs: next.startMs }));
}
