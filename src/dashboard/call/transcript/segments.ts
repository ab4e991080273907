import type { Outputs } from '../../lib/trpc.ts';

export type Segment = Outputs['analyses']['get']['segments'][number];

/** Index of the last segment that has started by then; -1 before the first. Segments are sorted by start. */
export function segmentAt(segments: readonly Segment[], ms: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.startMs ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
