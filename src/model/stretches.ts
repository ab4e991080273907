/** Milliseconds from the start of the recording. */
export type Stretch = { startMs: number; endMs: number };

/** A recogniser's times are about right: so much before and after is silent as well. */
const marginMs = 200;
const gapMsMin = 10;
const stretchesMax = 1000;

/** What is silent: with margins, in order; those that nearly touch are one, and more of them the more there are. */
export function joinStretches(stretches: readonly Stretch[]): Stretch[] {
  const padded = stretches
    .map(({ startMs, endMs }) => ({ startMs: Math.max(0, startMs - marginMs), endMs: endMs + marginMs }))
    .sort((a, b) => a.startMs - b.startMs);
  for (let gapMs = gapMsMin; ; gapMs *= 2) {
    const joined: Stretch[] = [];
    for (const { startMs, endMs } of padded) {
      const last = joined.at(-1);
      if (last && startMs - last.endMs <= gapMs) last.endMs = Math.max(last.endMs, endMs);
      else joined.push({ startMs, endMs });
    }
    if (joined.length <= stretchesMax) return joined;
  }
}
