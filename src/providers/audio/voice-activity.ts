import { readWav } from './wav-file.ts';
import { voiceSampleRate } from './voice-rate.ts';

/** Speech, in milliseconds of the recording's clock. */
export type SpeechRegion = { startMs: number; endMs: number };

export const frameMs = 10;
const frameSamples = (voiceSampleRate * frameMs) / 1000;

const levelFloorDb = -90;
/** A voice is louder than the noise around it by this much… */
const aboveNoiseDb = 7;
/** …and at most this much below the loudest speech of its channel: anything weaker is echo or a codec artefact. */
const belowSpeechDb = 36;
const quietestDb = -74;
/** The noise floor is the quieter part of a window around the frame. */
const noiseWindowFrames = 1000;
const noiseStepFrames = 100;
const noiseShare = 0.1;
/** Noise cannot be closer to speech than this: a window without a pause contains no noise to measure. */
const noiseBelowSpeechDb = 20;
/** A voice varies by 18 dB and more over 10 ms frames, a wavering hum by up to 5 (measured). */
const steadyRangeDb = 6;
const activeRangeDb = 30;
const wordFrames = 25;
const onsetFrames = 4;
const gapMsMax = 120;
const regionMsMin = 60;

/** Level in dBFS of each 10 ms of a 16 kHz WAV, without hum and rumble. Needs constant memory. */
export async function measureLevels(path: string, { filters = 1 } = {}): Promise<Float32Array> {
  const levels: number[] = [];
  let energy = 0;
  let count = 0;
  const rumble = Array.from({ length: filters }, () => new RumbleFilter());
  for await (const samples of readWav(path)) {
    for (const sample of samples) {
      let voiced = sample;
      for (const filter of rumble) voiced = filter.next(voiced);
      energy += voiced * voiced;
      count += 1;
      if (count === frameSamples) {
        levels.push(energy > 0 ? Math.max(levelFloorDb, 10 * Math.log10(energy / count / 32_768 ** 2)) : levelFloorDb);
        energy = 0;
        count = 0;
      }
    }
  }
  return Float32Array.from(levels);
}

/**
 * Where a channel has speech. The threshold follows the noise floor, so it works for quiet and noisy lines. Regions are
 * sorted, do not touch, and fit the voice without padding.
 */
export function findSpeech(levels: Float32Array): SpeechRegion[] {
  const speechDb = speechLevel(levels);
  if (speechDb <= quietestDb) return [];
  const noise = noiseFloor(levels, speechDb);
  const regions: SpeechRegion[] = [];
  let start = -1;
  let run = 0;
  for (let frame = 0; frame <= levels.length; frame += 1) {
    const threshold = Math.max(
      (noise[Math.floor(frame / noiseStepFrames)] ?? levelFloorDb) + aboveNoiseDb,
      speechDb - belowSpeechDb,
      quietestDb,
    );
    const isLoud = (levels[frame] ?? levelFloorDb) > threshold;
    run = isLoud ? run + 1 : 0;
    if (start < 0 && run >= onsetFrames) start = frame - run + 1;
    if (start >= 0 && !isLoud) {
      addRegion(regions, { startMs: start * frameMs, endMs: frame * frameMs });
      start = -1;
    }
  }
  return regions.filter((region) => region.endMs - region.startMs >= regionMsMin);
}

/** Whether the levels never vary as those of a voice do, not even for a word: only hum, noise or tones. */
export function isSteady(levels: Float32Array): boolean {
  const sorted = levels.toSorted();
  const loudest = sorted[Math.max(0, sorted.length - wordFrames)] ?? levelFloorDb;
  const active = sorted.filter((level) => level > loudest - activeRangeDb);
  return loudest - (active[Math.floor(active.length * noiseShare)] ?? levelFloorDb) < steadyRangeDb;
}

/** Joins regions whose gap is at most `gapMs`. */
export function joinRegions(regions: SpeechRegion[], gapMs: number): SpeechRegion[] {
  const joined: SpeechRegion[] = [];
  for (const region of regions) {
    const last = joined.at(-1);
    if (last && region.startMs - last.endMs <= gapMs) last.endMs = Math.max(last.endMs, region.endMs);
    else joined.push({ ...region });
  }
  return joined;
}

/** Two first-order high-passes at 160 Hz: mains hum and rumble would be mistaken for a voice. */
class RumbleFilter {
  #x1 = 0;
  #y1 = 0;
  #y2 = 0;

  next(sample: number): number {
    const first = 0.94 * (this.#y1 + sample - this.#x1);
    this.#y2 = 0.94 * (this.#y2 + first - this.#y1);
    this.#x1 = sample;
    this.#y1 = first;
    return this.#y2;
  }
}

function addRegion(regions: SpeechRegion[], region: SpeechRegion): void {
  const last = regions.at(-1);
  if (last && region.startMs - last.endMs <= gapMsMax) last.endMs = region.endMs;
  else regions.push(region);
}

/** The level that the loudest tenth of all audible frames reaches. */
function speechLevel(levels: Float32Array): number {
  const audible = levels.filter((level) => level > quietestDb).sort();
  if (audible.length < onsetFrames) return levelFloorDb;
  return audible[Math.floor(audible.length * 0.9)] ?? levelFloorDb;
}

/** Noise floor of each second: a low quantile of the ten seconds around it. */
function noiseFloor(levels: Float32Array, speechDb: number): Float32Array {
  const steps = Math.ceil(levels.length / noiseStepFrames) + 1;
  return Float32Array.from({ length: steps }, (_, step) => {
    const middle = step * noiseStepFrames + noiseStepFrames / 2;
    const from = Math.max(0, Math.min(middle - noiseWindowFrames / 2, levels.length - noiseWindowFrames));
    const window = levels.slice(from, from + noiseWindowFrames).sort();
    return Math.min(window[Math.floor(window.length * noiseShare)] ?? levelFloorDb, speechDb - noiseBelowSpeechDb);
  });
}
