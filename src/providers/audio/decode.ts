import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrawnWaveform } from '../../model/waveform.ts';
import type { AudioSource } from './formats.ts';
import { LevelMeter } from './level-meter.ts';
import { type AudioLimits, audioLimits } from './limits.ts';
import { readRecording } from './read-recording.ts';
import { isSteady, measureLevels } from './voice-activity.ts';
import { voiceSampleRate } from './voice-rate.ts';
import { toWaveform } from './waveform.ts';
import { WavWriter } from './wav-file.ts';

/** One channel with its own voice, as a 16 kHz mono 16-bit WAV. */
export type VoiceChannel = {
  /** Index in the recording, from 0. */
  channel: number;
  path: string;
  /** The highest level that lasts a quarter of a second, dBFS. */
  peakDb: number;
  /** Nobody speaks on it: silence, or only hum, noise and tones. */
  isSilent: boolean;
};

export type DecodedAudio = {
  durationMs: number;
  /** How much of it is damaged and cannot be read; replaced by silence where its position is known. */
  missingMs: number;
  /** Channels of the file, whatever they contain. */
  channels: number;
  sampleRate: number;
  codec: string;
  /**
   * `separate`: one voice per channel. `mixed`: all voices on one track, be it mono, fake stereo or beside a silent
   * one.
   */
  layout: 'separate' | 'mixed';
  /** Distinct channels in order, including silent ones. A mix is its loudest channel. */
  voices: VoiceChannel[];
};

export type MeasuredAudio = DecodedAudio & { waveform: DrawnWaveform };

export type DecodeOptions = { workDir: string; signal?: AbortSignal | undefined; limits?: AudioLimits };

/**
 * Decodes a recording to one WAV for each distinct voice in `workDir`, in constant memory. A damaged recording is read
 * as far as possible, with silence for the rest. Throws `AudioError`, or the signal's reason.
 */
export async function decodeAudio(source: AudioSource, options: DecodeOptions): Promise<MeasuredAudio> {
  const { workDir, signal, limits = audioLimits } = options;
  const { probe, sink, soundMs, durationMs, missingMs } = await readRecording(source, {
    sampleRate: voiceSampleRate,
    limits,
    signal,
    open: ({ channels }) => ChannelSink.create(workDir, channels),
  });
  const voices = await sink.keepDistinct();
  return {
    durationMs,
    missingMs,
    channels: probe.channels,
    sampleRate: probe.sampleRate,
    codec: probe.codec,
    layout: voices.filter(({ isSilent }) => !isSilent).length > 1 ? 'separate' : 'mixed',
    voices,
    waveform: { ...sink.waveform(soundMs), missingMs },
  };
}

/** A voice can be heard beside a much louder hum. */
const humFilters = 2;

/** Writes one file per channel, and measures it meanwhile. */
class ChannelSink {
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

  /** Deletes the files of channels that duplicate another one, and describes the others. */
  async keepDistinct(): Promise<VoiceChannel[]> {
    const kept = this.#meter.distinctChannels();
    for (const [channel, { path }] of this.#writers.entries()) {
      if (!kept.includes(channel)) await rm(path, { force: true });
    }
    const voices = kept.map((channel) => this.#describe(channel));
    const steady = await this.#steadyAmong(voices.filter(({ isSilent }) => !isSilent));
    return voices.map((voice) => ({ ...voice, isSilent: voice.isSilent || steady.has(voice.channel) }));
  }

  /** Channels that hum while others speak. If none speaks, each may contain a faint voice. */
  async #steadyAmong(sounding: VoiceChannel[]): Promise<Set<number>> {
    const steady = new Set<number>();
    for (const { channel, path } of sounding.length > 1 ? sounding : []) {
      if (this.#meter.isSteady(channel) && isSteady(await measureLevels(path, { filters: humFilters })))
        steady.add(channel);
    }
    return steady.size < sounding.length ? steady : new Set();
  }

  waveform(durationMs: number): Omit<DrawnWaveform, 'missingMs'> {
    return toWaveform(this.#meter, durationMs);
  }

  #describe(channel: number): VoiceChannel {
    return {
      channel,
      path: this.#writers[channel]?.path ?? '',
      peakDb: this.#meter.peakDb(channel),
      isSilent: this.#meter.isSilent(channel),
    };
  }
}
