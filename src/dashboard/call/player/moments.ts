import type { Outputs } from '../../lib/trpc.ts';
import type { Span } from './player.ts';

export type Segment = Outputs['analyses']['get']['segments'][number];
export type Interruption = Span & { by: 'agent' | 'customer' };

/** Shorter pauses belong to any conversation. */
const silenceMsMin = 5_000;
/** As the figures of the analysis have it: both speak for this long, and the other has begun for real. */
const overlapMsMin = 500;
const leadMsMin = 300;
const listeningWordsMax = 2;

/** Stretches of at least five seconds between the first and the last word in which nobody speaks. */
export function findSilences(segments: readonly Segment[]): Span[] {
  const silences: Span[] = [];
  let spokenUntilMs = segments[0]?.endMs ?? 0;
  for (const { startMs, endMs } of segments) {
    if (startMs - spokenUntilMs >= silenceMsMin) silences.push({ startMs: spokenUntilMs, endMs: startMs });
    spokenUntilMs = Math.max(spokenUntilMs, endMs);
  }
  return silences;
}

/** Where agent or customer begins while the other still speaks, in order. A word or two are listening. */
export function findInterruptions(segments: readonly Segment[]): Interruption[] {
  const interruptions: Interruption[] = [];
  const latest: Partial<Record<Segment['role'], Segment>> = {};
  for (const segment of segments) {
    const { role } = segment;
    if (role !== 'agent' && role !== 'customer') continue;
    const other = latest[role === 'agent' ? 'customer' : 'agent'];
    const endMs = Math.min(segment.endMs, other?.endMs ?? 0);
    const hasBegun = other !== undefined && segment.startMs - other.startMs >= leadMsMin;
    const isListening = segment.text.split(/\s+/, listeningWordsMax + 1).length <= listeningWordsMax;
    if (hasBegun && !isListening && endMs - segment.startMs >= overlapMsMin) {
      interruptions.push({ by: role, startMs: segment.startMs, endMs });
    }
    if ((latest[role]?.endMs ?? 0) < segment.endMs) latest[role] = segment;
  }
  return interruptions;
}

/** Place of the last segment that has begun by then; -1 before the first. Segments are ordered by their beginning. */
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
