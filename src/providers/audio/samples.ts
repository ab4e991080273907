import { AudioError } from './errors.ts';
import type { AudioSource } from './formats.ts';
import { fillersOf, inputOf, patienceOf } from './input.ts';
import { type AudioLimits, timeoutMsFor } from './limits.ts';
import { assertDuration, undecodable } from './probe.ts';
import { runTool } from './tool.ts';

type SamplesRequest = {
  source: AudioSource;
  /** Channels of the source. */
  channels: number;
  /** Sample rate of the source, Hz. */
  sourceRate: number;
  /** Sample rate of the output, Hz. */
  sampleRate: number;
  /** According to the header. The time limit depends on it, and on the output so far. */
  durationMs: number;
  limits: AudioLimits;
  signal: AbortSignal | undefined;
  /** Receives the next samples, the same number for every channel, while the decoder waits. */
  onSamples: (split: Int16Array[]) => Promise<void> | void;
};

export type Decoded = {
  /** Length of the output. */
  durationMs: number;
  /** Length of what was really decoded: in a damaged recording, the rest is silence. */
  decodedMs: number;
  /** Whether the decoder reported errors. */
  hasErrors: boolean;
};

/**
 * Decodes a recording to 16-bit samples of each channel, in constant memory. Throws `AudioError`, or the signal's
 * reason.
 */
export async function decodeSamples(request: SamplesRequest): Promise<Decoded> {
  const { source, channels, sampleRate, limits, signal, onSamples } = request;
  const { args: input, stdin } = inputOf(source);
  const args = ['-nostdin', '-hide_banner', ...logging(source), ...patienceOf(source), '-threads', '1', ...input];
  args.push('-map', '0:a:0', '-vn', '-sn', '-dn', ...fillersOf(source).flatMap((filter) => ['-af', filter]));
  args.push('-ar', String(sampleRate), '-f', 's16le', '-c:a', 'pcm_s16le', 'pipe:1');
  const splitter = new Splitter(channels);
  const durationMs = (): number => Math.round((splitter.samples * 1000) / sampleRate);
  const result = await runTool({
    tool: 'ffmpeg',
    purpose: 'Decoding the recording',
    args,
    stdin,
    signal,
    timeoutMs: () => timeoutMsFor(limits, Math.max(request.durationMs, durationMs())),
    memoryBytesMax: limits.memoryBytesMax,
    onStdout: (chunk) => {
      const split = splitter.take(chunk);
      assertDuration(durationMs(), limits.durationMaxMs);
      return split && onSamples(split);
    },
  });
  if (splitter.samples > 0) {
    const decodedMs = source.isDamaged ? (reportedMs(result.stderr, request) ?? durationMs()) : durationMs();
    return { durationMs: durationMs(), decodedMs, hasErrors: result.code !== 0 || result.stderr !== '' };
  }
  if (result.code === 0 && !result.stderr) throw new AudioError('AUDIO_EMPTY', 'The recording contains no sound.');
  throw undecodable(result.stderr);
}

/** For a damaged recording, ffmpeg reports at the end how much it decoded. */
function logging({ isDamaged = false }: AudioSource): string[] {
  return ['-loglevel', isDamaged ? 'verbose' : 'error'];
}

/** As in `431 frames decoded (496512 samples)`; newer releases insert the number of errors. */
function reportedMs(report: string, { sourceRate }: SamplesRequest): number | null {
  const samples = /frames decoded[^(\n]*\((\d+) samples\)/.exec(report)?.[1];
  return samples === undefined ? null : Math.round((Number(samples) * 1000) / sourceRate);
}

/** Splits interleaved samples, which arrive in chunks of any length. */
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
