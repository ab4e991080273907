import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { ChildResult } from '../../lib/child.ts';
import { findBrokenEnd } from './broken-end.ts';
import { AudioError } from './errors.ts';
import type { AudioSource } from './formats.ts';
import { inputOf } from './input.ts';
import { type AudioLimits, audioLimits, timeoutMsFor } from './limits.ts';
import { estimateOggLength } from './ogg-mend.ts';
import { runTool } from './tool.ts';

export type AudioProbe = {
  durationMs: number;
  channels: number;
  sampleRate: number;
  codec: string;
  /** Whether the file states the duration, as opposed to an estimate from its size. */
  isDurationExact: boolean;
};

export const channelsMax = 8;

const ProbeOutput = z.object({
  streams: z
    .array(
      z.object({
        codec_name: z.string().default('unknown'),
        channels: z.number().int().default(0),
        sample_rate: z.coerce.number().default(0),
        duration: z.coerce.number().optional(),
      }),
    )
    .default([]),
  format: z.object({ duration: z.coerce.number().optional() }).default({}),
});

/**
 * Reads a recording's header without decoding it. Durations are milliseconds; 0 if the header has none. Throws
 * `AudioError`: undecodable, empty, truncated, too long, or no ffprobe.
 */
export async function probeAudio(
  source: AudioSource,
  options: { signal?: AbortSignal | undefined; limits?: AudioLimits } = {},
): Promise<AudioProbe> {
  const limits = options.limits ?? audioLimits;
  if ((await stat(source.path)).size === 0) throw new AudioError('AUDIO_EMPTY', 'The recording is an empty file.');
  const result = await runProbe(source, limits, options.signal);
  const brokenEnd = source.isDamaged ? null : await findBrokenEnd(source);
  if (brokenEnd) throw new AudioError('AUDIO_TRUNCATED', `The recording is cut off: ${brokenEnd}.`);
  const stream = readOutput(result);
  if (stream.channels < 1 || stream.channels > channelsMax || stream.sampleRate < 1000) {
    throw new AudioError('AUDIO_UNDECODABLE', unsupported(stream));
  }
  if (source.isDamaged && source.format === 'ogg') {
    stream.durationMs = Math.round(((await estimateOggLength(source.path)) * 1000) / stream.sampleRate);
    stream.isDurationExact = false;
  }
  assertDuration(stream.durationMs, limits.durationMaxMs);
  return stream;
}

export function assertDuration(durationMs: number, durationMaxMs: number): void {
  if (durationMs <= durationMaxMs) return;
  const minutes = Math.round(durationMaxMs / 60_000);
  throw new AudioError('AUDIO_TOO_LONG', `The recording is longer than ${minutes} minutes.`);
}

export function undecodable(stderr: string): AudioError {
  const message = 'The recording cannot be decoded: it is damaged, or its type is wrong.';
  return new AudioError('AUDIO_UNDECODABLE', message, { internal: stderr });
}

async function runProbe(source: AudioSource, limits: AudioLimits, signal?: AbortSignal): Promise<ChildResult> {
  const entries = 'format=duration:stream=codec_name,channels,sample_rate,duration';
  const { args: input, stdin } = inputOf(source);
  const args = ['-v', 'warning', '-hide_banner', ...input];
  args.push('-select_streams', 'a:0', '-show_entries', entries, '-of', 'json=compact=1');
  const { memoryBytesMax } = limits;
  const purpose = 'Reading the recording';
  const timeoutMs = timeoutMsFor(limits, 0);
  return runTool({ tool: 'ffprobe', purpose, args, stdin, signal, timeoutMs, memoryBytesMax });
}

function readOutput(result: ChildResult): AudioProbe {
  const parsed = ProbeOutput.safeParse(parseJson(result.stdout));
  const stream = parsed.data?.streams[0];
  if (!parsed.success || !stream) throw undecodable(result.stderr);
  const seconds = stream.duration ?? parsed.data.format.duration ?? 0;
  return {
    durationMs: Number.isFinite(seconds) ? Math.max(0, Math.round(seconds * 1000)) : 0,
    channels: stream.channels,
    sampleRate: stream.sample_rate,
    codec: stream.codec_name,
    isDurationExact: seconds > 0 && !result.stderr.includes('Estimating duration from bitrate'),
  };
}

function unsupported(stream: AudioProbe): string {
  return `The recording cannot be used: ${stream.channels} channels at ${stream.sampleRate} Hz (${stream.codec}).`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
