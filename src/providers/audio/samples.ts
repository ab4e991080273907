import { AudioError } from './errors.ts';
import { type AudioSource, inputArguments } from './formats.ts';
import { type AudioLimits, timeoutMsFor } from './limits.ts';
import { assertDuration, undecodable } from './probe.ts';
import { runTool } from './tool.ts';

type SamplesRequest = {
  source: AudioSource;
  /** Of the source. */
  channels: number;
  /** Hz that the samples are to have. */
  sampleRate: number;
  /** What its header tells; the time that it may take goes by it, and by what has come out. */
  durationMs: number;
  limits: AudioLimits;
  signal: AbortSignal | undefined;
  /** Takes the next samples, the same number of every channel; the decoder waits meanwhile. */
  onSamples: (split: Int16Array[]) => Promise<void> | void;
};

/**
 * Decodes a recording to 16-bit samples of each channel, in constant memory. Gives the milliseconds that were decoded.
 * Throws `AudioError`, or the signal's reason.
 */
export async function decodeSamples(request: SamplesRequest): Promise<number> {
  const { source, channels, sampleRate, limits, signal, onSamples } = request;
  const args = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-threads', '1', ...inputArguments(source)];
  args.push('-map', '0:a:0', '-vn', '-sn', '-dn', '-ar', String(sampleRate));
  args.push('-f', 's16le', '-c:a', 'pcm_s16le', 'pipe:1');
  const splitter = new Splitter(channels);
  const durationMs = (): number => Math.round((splitter.samples * 1000) / sampleRate);
  const result = await runTool({
    tool: 'ffmpeg',
    purpose: 'Decoding the recording',
    args,
    signal,
    timeoutMs: () => timeoutMsFor(limits, Math.max(request.durationMs, durationMs())),
    memoryBytesMax: limits.memoryBytesMax,
    onStdout: (chunk) => {
      const split = splitter.take(chunk);
      assertDuration(durationMs(), limits.durationMaxMs);
      return split && onSamples(split);
    },
  });
  if (splitter.samples > 0) return durationMs();
  if (result.code === 0 && !result.stderr) throw new AudioError('AUDIO_EMPTY', 'The recording holds no sound.');
  throw undecodable(result.stderr);
}

/** Splits interleaved samples, which come in chunks of any length. */
class Splitter {
  samples = 0;
  readonly #channels: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(channels: number) {
    this.#channels = channels;
  }

  take(chunk: Buffer): Int16Array[] | undefined {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const count = Math.floor(bytes.length / (2 * this.#channels));
    this.#rest = Buffer.from(bytes.subarray(count * 2 * this.#channels));
    if (count === 0) return undefined;
    this.samples += count;
    return Array.from({ length: this.#channels }, (_, channel) => {
      const samples = new Int16Array(count);
      for (let i = 0; i < count; i += 1) samples[i] = bytes.readInt16LE((i * this.#channels + channel) * 2);
      return samples;
    });
  }
}
