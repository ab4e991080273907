import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VoiceChannel } from '../audio/decode.ts';
import { cutWav, encodeVoices } from '../audio/encode.ts';
import { joinRegions, type SpeechRegion } from '../audio/voice-activity.ts';
import { SpeechError } from './errors.ts';

export type TimeRange = { startMs: number; endMs: number };

/** A file to send; its times count from `startMs` of the recording. */
export type UploadPart = TimeRange & { path: string; format: 'wav' | 'flac' };

export type PartLimits = { sizeBytesMax: number; durationMsMax: number };

const phraseGapMs = 700;
const paddingMs = 200;
const partMsMin = 2_000;

/**
 * Cuts part of a voice, in the middle of silences, into parts of limited length. Silent parts are omitted, since
 * recognisers invent words for them.
 */
export function planParts(range: TimeRange, regions: SpeechRegion[], durationMsMax: number): TimeRange[] {
  const inside = regions.filter(({ startMs, endMs }) => endMs > range.startMs && startMs < range.endMs);
  if (inside.length === 0) return [];
  if (range.endMs - range.startMs <= durationMsMax) return [range];
  const latestMs = range.startMs + durationMsMax;
  const cutMs = findCut(inside, range.startMs + durationMsMax / 2, latestMs);
  const first = { startMs: range.startMs, endMs: cutMs };
  return [
    ...planParts(first, inside, durationMsMax),
    ...planParts({ startMs: cutMs, endMs: range.endMs }, inside, durationMsMax),
  ];
}

/**
 * One part for each phrase, for models that return no times: the position of a phrase is known when it is sent. Each
 * has some silence around it, and nothing is sent twice.
 */
export function planPhrases(regions: SpeechRegion[], within: TimeRange, phraseMsMax: number): TimeRange[] {
  const phrases = joinRegions(regions, phraseGapMs).flatMap((phrase) => planParts(phrase, regions, phraseMsMax));
  return phrases.map(({ startMs, endMs }, at) => {
    const before = phrases[at - 1];
    const after = phrases[at + 1];
    const earliestMs = before ? Math.ceil((before.endMs + startMs) / 2) : within.startMs;
    const latestMs = after ? Math.floor((endMs + after.startMs) / 2) : within.endMs;
    return { startMs: Math.max(earliestMs, startMs - paddingMs), endMs: Math.min(latestMs, endMs + paddingMs) };
  });
}

/** The regions within a range. */
export function clipRegions(regions: SpeechRegion[], within: TimeRange): SpeechRegion[] {
  return regions
    .map(({ startMs, endMs }) => ({
      startMs: Math.max(startMs, within.startMs),
      endMs: Math.min(endMs, within.endMs),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

/** Cuts out one part; over the size limit it becomes FLAC, and if that is still too large, two parts. */
export async function makeParts(input: {
  voice: VoiceChannel;
  range: TimeRange;
  regions: SpeechRegion[];
  limits: PartLimits;
  workDir: string;
  signal: AbortSignal;
}): Promise<UploadPart[]> {
  const { voice, range, limits, workDir, signal } = input;
  const name = `${voice.channel}-${range.startMs}-${range.endMs}`;
  const wav = join(workDir, `${name}.wav`);
  if ((await cutWav({ from: voice.path, ...range, to: wav })) <= limits.sizeBytesMax) {
    return [{ ...range, path: wav, format: 'wav' }];
  }
  const flac = join(workDir, `${name}.flac`);
  const unfinished = `${flac}.part`;
  await encodeVoices({ inputs: [wav], path: unfinished, signal });
  await rm(wav);
  await rename(unfinished, flac);
  if ((await stat(flac)).size <= limits.sizeBytesMax) return [{ ...range, path: flac, format: 'flac' }];
  await rm(flac);
  const lengthMs = range.endMs - range.startMs;
  if (lengthMs < partMsMin)
    throw new SpeechError('SPEECH_REJECTED', 'The size limit of the provider is too small for speech.');
  const parts: UploadPart[] = [];
  for (const half of planParts(range, input.regions, Math.ceil(lengthMs * 0.6))) {
    parts.push(...(await makeParts({ ...input, range: half })));
  }
  return parts;
}

/** The middle of the longest silence between two times, or the later time if there is none. */
function findCut(regions: SpeechRegion[], earliestMs: number, latestMs: number): number {
  let best = { widthMs: 0, cutMs: latestMs };
  for (const [index, region] of regions.entries()) {
    const startMs = Math.max(earliestMs, region.endMs);
    const endMs = Math.min(latestMs, regions[index + 1]?.startMs ?? Number.POSITIVE_INFINITY);
    if (endMs - startMs > best.widthMs) best = { widthMs: endMs - startMs, cutMs: Math.round((startMs + endMs) / 2) };
  }
  return best.cutMs;
}
