import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { AudioError } from './errors.ts';
import { type AudioSource, inputArguments } from './formats.ts';
import { LevelMeter } from './level-meter.ts';
import {
  assertDuration,
  type AudioLimits,
  audioLimits,
  type AudioProbe,
  probeAudio,
  toolFailure,
  undecodable,
} from './probe.ts';
import { voiceSampleRate } from './voice-rate.ts';
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

export type DecodeOptions = { workDir: string; signal?: AbortSignal | undefined; limits?: AudioLimits };

/** A decoded length may fall short of the announced one by so much before the recording counts as cut off. */
const shortfallMs = 1000;
const shortfallShare = 0.02;

/**
 * Decodes a recording to one WAV for each distinct voice in `workDir`, in constant memory.
 * Throws `AudioError`, or the signal's reason.
 */
export async function decodeAudio(source: AudioSource, options: DecodeOptions): Promise<DecodedAudio> {
  const limits = options.limits ?? audioLimits;
  const probe = await probeAudio(source, { signal: options.signal, limits });
  const sink = await ChannelSink.create(options.workDir, probe.channels);
  try {
    await runDecoder({ source, sink, limits, signal: options.signal });
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
  };
}

type DecoderRun = { source: AudioSource; sink: ChannelSink; limits: AudioLimits; signal: AbortSignal | undefined };

async function runDecoder({ source, sink, limits, signal }: DecoderRun): Promise<void> {
  const args = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '1', ...inputArguments(source)];
  args.push('-map', '0:a:0', '-vn', '-sn', '-dn', '-ar', String(voiceSampleRate));
  args.push('-f', 's16le', '-c:a', 'pcm_s16le', 'pipe:1');
  const result = await runChild({
    command: 'ffmpeg',
    args,
    signal,
    timeoutMs: limits.timeoutMs,
    memoryBytesMax: limits.memoryBytesMax,
    onStdout: (chunk) => sink.write(chunk),
    isEnough: () => sink.durationMs > limits.durationMaxMs,
  }).catch((error: unknown) => {
    throw toolFailure(error);
  });
  assertDuration(sink.durationMs, limits.durationMaxMs);
  if (result.isTimedOut) throw new AudioError('AUDIO_TIMEOUT', 'Decoding the recording took too long.');
  if (sink.samples > 0) return;
  if (result.code === 0 && !result.stderr) throw new AudioError('AUDIO_EMPTY', 'The recording holds no sound.');
  throw undecodable(result.stderr);
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

/** Splits interleaved samples into one file a channel and measures them on the way. */
class ChannelSink {
  samples = 0;
  readonly #writers: WavWriter[];
  readonly #meter: LevelMeter;
  #rest: Buffer = Buffer.alloc(0);

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

  get durationMs(): number {
    return Math.round((this.samples * 1000) / voiceSampleRate);
  }

  async write(chunk: Buffer): Promise<void> {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const channels = this.#writers.length;
    const count = Math.floor(bytes.length / (2 * channels));
    this.#rest = Buffer.from(bytes.subarray(count * 2 * channels));
    if (count === 0) return;
    const split = this.#writers.map((_, channel) => {
      const samples = new Int16Array(count);
      for (let i = 0; i < count; i += 1) samples[i] = bytes.readInt16LE((i * channels + channel) * 2);
      return samples;
    });
    this.samples += count;
    this.#meter.add(split);
    for (const [channel, writer] of this.#writers.entries()) await writer.write(split[channel] ?? new Int16Array(0));
  }

  async close(): Promise<void> {
    for (const writer of this.#writers) await writer.close();
  }

  /** Removes the files of channels that repeat another one and describes those that stay. */
  async keepDistinct(sampleRate: number): Promise<VoiceChannel[]> {
    const kept: number[] = [];
    const byLoudness = this.#writers.map((_, channel) => channel);
    byLoudness.sort((a, b) => this.#meter.peakDb(b) - this.#meter.peakDb(a) || a - b);
    for (const channel of byLoudness) {
      const isRepeated = kept.some(
        (other) => !this.#meter.isSilent(channel) && this.#meter.isSameVoice(other, channel),
      );
      if (!isRepeated) kept.push(channel);
      else await rm(this.#writers[channel]?.path ?? '', { force: true });
    }
    return kept.sort((a, b) => a - b).map((channel) => this.#describe(channel, sampleRate));
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
