import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrawnWaveform } from '../../domain/records/waveform.ts';
import { AudioError } from './errors.ts';
import type { AudioSource } from './formats.ts';
import { LevelMeter } from './level-meter.ts';
import { type AudioLimits, audioLimits } from './limits.ts';
import { type AudioProbe, probeAudio } from './probe.ts';
import { decodeSamples } from './samples.ts';
import { voiceSampleRate } from './voice-rate.ts';
import { toWaveform } from './waveform.ts';
import { WavWriter } from './wav-file.ts';

/** One channel with a voice of its own, as a 16 kHz mono 16-bit WAV. */
export type VoiceChannel = {
  /** Index in the recording, from 0. */
  channel: number;
  path: string;
  /** Loudest level held for a quarter of a second, dBFS. */
  peakDb: number;
  isSilent: boolean;
  /** Whether the sound ends at 4 kHz, as telephone lines do. */
  isNarrowBand: boolean;
};

export type DecodedAudio = {
  durationMs: number;
  /** Channels of the file, whatever they carry. */
  channels: number;
  sampleRate: number;
  codec: string;
  /** `separate`: one voice a channel. `mixed`: all voices on one track, whether mono or fake stereo. */
  layout: 'separate' | 'mixed';
  /** Distinct channels, silent ones included, in order. A mix is its loudest channel. */
  voices: VoiceChannel[];
};

export type MeasuredAudio = DecodedAudio & { waveform: DrawnWaveform };

export type DecodeOptions = { workDir: string; signal?: AbortSignal | undefined; limits?: AudioLimits };

/** A decoded length may fall short of the announced one by so much before the recording counts as cut off. */
const shortfallMs = 1000;
const shortfallShare = 0.02;

/**
 * Decodes a recording to one WAV for each distinct voice in `workDir`, in constant memory.
 * Throws `AudioError`, or the signal's reason.
 */
export async function decodeAudio(source: AudioSource, options: DecodeOptions): Promise<MeasuredAudio> {
  const limits = options.limits ?? audioLimits;
  const probe = await probeAudio(source, { signal: options.signal, limits });
  const sink = await ChannelSink.create(options.workDir, probe.channels);
  try {
    sink.durationMs = await decodeSamples({
      source,
      channels: probe.channels,
      sampleRate: voiceSampleRate,
      durationMs: probe.durationMs,
      limits,
      signal: options.signal,
      onSamples: (split) => sink.write(split),
    });
  } finally {
    await sink.close();
  }
  assertWhole(probe, sink.durationMs);
  const voices = await sink.keepDistinct(probe.sampleRate);
  return {
    durationMs: sink.durationMs,
    channels: probe.channels,
    sampleRate: probe.sampleRate,
    codec: probe.codec,
    layout: voices.length > 1 ? 'separate' : 'mixed',
    voices,
    waveform: sink.waveform(),
  };
}

function assertWhole(probe: AudioProbe, durationMs: number): void {
  const missingMs = probe.durationMs - durationMs;
  if (!probe.isDurationExact || missingMs <= Math.max(shortfallMs, probe.durationMs * shortfallShare)) return;
  const message = `The recording is cut off: ${seconds(durationMs)} s of the announced ${seconds(probe.durationMs)} s can be read.`;
  throw new AudioError('AUDIO_TRUNCATED', message);
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1);
}

/** Writes one file a channel and measures it on the way. */
class ChannelSink {
  durationMs = 0;
  readonly #writers: WavWriter[];
  readonly #meter: LevelMeter;

  private constructor(writers: WavWriter[]) {
    this.#writers = writers;
    this.#meter = new LevelMeter(writers.length, voiceSampleRate);
  }

  static async create(workDir: string, channels: number): Promise<ChannelSink> {
    const writers: WavWriter[] = [];
    for (let channel = 0; channel < channels; channel += 1) {
      writers.push(await WavWriter.create(join(workDir, `channel-${channel}.wav`), voiceSampleRate));
    }
    return new ChannelSink(writers);
  }

  async write(split: Int16Array[]): Promise<void> {
    this.#meter.add(split);
    for (const [channel, writer] of this.#writers.entries()) await writer.write(split[channel] ?? new Int16Array(0));
  }

  async close(): Promise<void> {
    for (const writer of this.#writers) await writer.close();
  }

  /** Removes the files of channels that repeat another one and describes those that stay. */
  async keepDistinct(sampleRate: number): Promise<VoiceChannel[]> {
    const kept = this.#meter.distinctChannels();
    for (const [channel, { path }] of this.#writers.entries()) {
      if (!kept.includes(channel)) await rm(path, { force: true });
    }
    return kept.map((channel) => this.#describe(channel, sampleRate));
  }

  waveform(): DrawnWaveform {
    return toWaveform(this.#meter, this.durationMs);
  }

  #describe(channel: number, sampleRate: number): VoiceChannel {
    return {
      channel,
      path: this.#writers[channel]?.path ?? '',
      peakDb: this.#meter.peakDb(channel),
      isSilent: this.#meter.isSilent(channel),
      isNarrowBand: sampleRate < 9000 || this.#meter.isNarrowBand(channel),
    };
  }
}
