/** Milliseconds from the start of the recording. */
export type Stretch = { startMs: number; endMs: number };

/** A recogniser's times are approximate, so this much is muted before and after. */
const marginMs = 200;
const gapMsMin = 10;
const stretchesMax = 1000;

/**
 * The stretches to mute: with margins, in order, and merged where they nearly touch. The more there are, the more are
 * merged.
 */
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
