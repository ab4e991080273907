/** Replaces impossible times by interpolating their neighbours. -1 marks pages that end no packet. */
export function mendTimes(times: readonly number[], offsets: readonly number[]): number[] {
  const rising = [...risingMost(times)].toSorted((a, b) => a - b);
  while (isLeap(rising, { times, offsets })) rising.pop();
  const mended = [...times];
  for (const [place, index] of rising.entries()) {
    const next = rising[place + 1] ?? times.length;
    const from = times[index] ?? 0;
    const to = times[next] ?? from;
    for (let between = index + 1; between < next; between += 1) {
      if (times[between] === -1) continue;
      mended[between] = Math.round(from + ((to - from) * (between - index)) / (next - index));
    }
  }
  return mended;
}

type Track = { times: readonly number[]; offsets: readonly number[] };

/** Whether the last time is far later than its offset in the file suggests: no later page shows that it is wrong. */
function isLeap(rising: readonly number[], { times, offsets }: Track): boolean {
  const between = (values: readonly number[], place: number): number =>
    (values[rising[place + 1] ?? 0] ?? 0) - (values[rising[place] ?? 0] ?? 0);
  const paces = rising.slice(1).map((_, place) => between(times, place) / between(offsets, place));
  const usual = paces.toSorted((a, b) => a - b)[paces.length >> 1] ?? 0;
  return usual > 0 && (paces.at(-1) ?? 0) > usual * 10;
}

/** Indexes of the longest increasing subsequence of times: the others cannot be right. */
function risingMost(times: readonly number[]): Set<number> {
  /** For each length, the last index of the best subsequence of that length. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, time] of times.entries()) {
    if (time < 0) continue;
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((times[ends[middle] ?? 0] ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1];
    ends[low] = index;
  }
  const row = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = before[index]) row.add(index);
  return row;
}
