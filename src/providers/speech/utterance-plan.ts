import { joinRegions, type SpeechRegion } from '../audio/voice-activity.ts';

/** `from`/`to` are what the recogniser gets, including the silence that it needs around the speech. */
export type PlannedUtterance = SpeechRegion & { fromMs: number; toMs: number };

const gapMs = 400;
const paddingMs = 200;
const utteranceMsMax = 25_000;
const frameMs = 10;

/** Cuts a channel at its silences into utterances, which are recognised one by one. None overlaps another. */
export function planUtterances(regions: SpeechRegion[], durationMs: number): PlannedUtterance[] {
  const joined = joinRegions(regions, gapMs).flatMap((utterance) => splitLong(utterance, regions));
  return joined.map((utterance, index) => {
    const before = joined[index - 1];
    const after = joined[index + 1];
    const earliestMs = before ? (before.endMs + utterance.startMs) / 2 : 0;
    const latestMs = after ? (utterance.endMs + after.startMs) / 2 : durationMs;
    return {
      ...utterance,
      fromMs: onFrame(Math.max(earliestMs, utterance.startMs - paddingMs)),
      toMs: onFrame(Math.min(latestMs, utterance.endMs + paddingMs)),
    };
  });
}

/** Halves an utterance that is too long at its longest pause, or in the middle if it has none. */
function splitLong(utterance: SpeechRegion, regions: SpeechRegion[]): SpeechRegion[] {
  const { startMs, endMs } = utterance;
  if (endMs - startMs <= utteranceMsMax) return [utterance];
  const marginMs = (endMs - startMs) / 8;
  const inside = regions.filter((region) => region.startMs >= startMs && region.endMs <= endMs);
  const middleMs = onFrame((startMs + endMs) / 2);
  let cut = { endMs: middleMs, startMs: middleMs };
  for (const [index, region] of inside.entries()) {
    const next = inside[index + 1];
    if (!next || region.endMs < startMs + marginMs || next.startMs > endMs - marginMs) continue;
    if (next.startMs - region.endMs > cut.startMs - cut.endMs) cut = { endMs: region.endMs, startMs: next.startMs };
  }
  return [...splitLong({ startMs, endMs: cut.endMs }, regions), ...splitLong({ startMs: cut.startMs, endMs }, regions)];
}

function onFrame(timeMs: number): number {
  return Math.floor(timeMs / frameMs) * frameMs;
}
