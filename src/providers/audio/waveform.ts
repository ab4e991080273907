import type { DrawnWaveform } from '../../model/waveform.ts';
import type { AudioSource } from './formats.ts';
import { blockMs, LevelMeter } from './level-meter.ts';
import { type AudioLimits, audioLimits } from './limits.ts';
import { readRecording } from './read-recording.ts';

/** More than a screen can show, yet only 8 KB for two voices. */
const pointsMax = 4000;
const fullScale = 32_768;
/** A channel that is never louder than this is drawn as the noise that it is, not amplified. */
const loudestDbMin = -45;
/** A click or a cough may be clipped, so that it does not make everything else small. */
const clippedShare = 0.005;
/** Enough for loudness: telephone lines carry no more, and speech has its energy below 4 kHz. */
const sampleRate = 8000;

type DrawOptions = { signal: AbortSignal; limits?: AudioLimits | undefined };

/** Decodes a recording only for its waveform. Throws `AudioError`, or the signal's reason. */
export async function drawWaveform(source: AudioSource, { signal, limits }: DrawOptions): Promise<DrawnWaveform> {
  const { sink, soundMs, missingMs } = await readRecording(source, {
    sampleRate,
    limits: limits ?? audioLimits,
    signal,
    open: ({ channels }) => {
      const meter = new LevelMeter(channels, sampleRate);
      return { meter, write: (split) => meter.add(split) };
    },
  });
  return { ...toWaveform(sink.meter, soundMs), missingMs };
}

/** The loudness over time of each channel with its own voice: a point for 50 ms, or longer in a long call. */
export function toWaveform(meter: LevelMeter, durationMs: number): Omit<DrawnWaveform, 'missingMs'> {
  const points = Math.min(pointsMax, Math.max(1, Math.round(durationMs / blockMs)));
  const channels = meter.distinctChannels();
  return {
    durationMs,
    points,
    channels,
    levels: Buffer.concat(channels.map((channel) => toLevels(meter.loudness(channel), points))),
  };
}

/** Relative to the loudest of the channel, so that a quiet line is as readable as the other one. */
function toLevels(blocks: readonly number[], points: number): Buffer {
  const loudness = Float64Array.from({ length: points }, (_, point) => {
    const from = Math.floor((point * blocks.length) / points);
    const to = Math.max(from + 1, Math.floor(((point + 1) * blocks.length) / points));
    let energy = 0;
    for (let block = from; block < to; block += 1) energy += (blocks[block] ?? 0) ** 2;
    return Math.sqrt(energy / (to - from));
  });
  const loudest = loudness.toSorted()[Math.ceil(points * (1 - clippedShare)) - 1] ?? 0;
  const full = Math.max(loudest, fullScale * 10 ** (loudestDbMin / 20));
  return Buffer.from(loudness.map((level) => Math.min(255, Math.round((level / full) * 255))));
}
