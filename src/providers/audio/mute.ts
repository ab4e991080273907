import { runChild } from './child.ts';
import { AudioError } from './errors.ts';
import { type AudioFormat, type AudioSource, inputArguments } from './formats.ts';
import { type AudioLimits, audioLimits, toolFailure, undecodable } from './probe.ts';

export type Stretch = { startMs: number; endMs: number };

/** A recogniser's times are about right: so much before and after is silent as well. */
const marginMs = 200;
/** The filter looks at the clock once for each of these. */
const frameMs = 10;
const stretchesMax = 1000;

/** The codec for each format, so that what plays the recording plays this. */
const encoders: Record<AudioFormat, string[]> = {
  wav: ['-c:a', 'pcm_s16le', '-f', 'wav'],
  mp3: ['-c:a', 'libmp3lame', '-q:a', '4', '-f', 'mp3'],
  ogg: ['-c:a', 'libvorbis', '-q:a', '4', '-f', 'ogg'],
  flac: ['-c:a', 'flac', '-f', 'flac'],
  m4a: ['-c:a', 'aac', '-movflags', '+faststart', '-f', 'ipod'],
};

type MuteRequest = {
  source: AudioSource;
  stretches: readonly Stretch[];
  /** Sample rate of the source. */
  sampleRate: number;
  to: string;
  signal: AbortSignal;
  limits?: AudioLimits | undefined;
};

/**
 * Writes the recording with these stretches silent on every channel, in the same format, to a local file. Nothing but
 * the sound is taken over: tags and pictures stay behind. Throws `AudioError`, or the signal's reason.
 */
export async function muteAudio({ source, stretches, sampleRate, to, signal, limits }: MuteRequest): Promise<void> {
  const { timeoutMs, memoryBytesMax } = limits ?? audioLimits;
  const args = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-threads', '1', ...inputArguments(source)];
  args.push('-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact');
  args.push('-af', filterOf(stretches, sampleRate), ...encoders[source.format], `file:${to}`);
  const result = await runChild({ command: 'ffmpeg', args, signal, timeoutMs, memoryBytesMax }).catch(
    (error: unknown) => {
      throw toolFailure(error);
    },
  );
  if (result.isTimedOut) throw new AudioError('AUDIO_TIMEOUT', 'Muting the recording took too long.');
  if (result.code !== 0) throw undecodable(result.stderr);
}

/** Time is counted by samples, as it is where the recording is transcribed; then cut small, since whole frames are muted. */
function filterOf(stretches: readonly Stretch[], sampleRate: number): string {
  const frame = Math.max(1, Math.round((sampleRate * frameMs) / 1000));
  const times = joinStretches(stretches).map(
    ({ startMs, endMs }) => String.raw`between(t\,${seconds(startMs)}\,${seconds(endMs)})`,
  );
  return `asetpts=N/SR/TB,asetnsamples=n=${frame}:p=0,volume=volume=0:enable='${times.join('+')}'`;
}

/** With their margins, in order; those that nearly touch are one, and more of them the more there are. */
export function joinStretches(stretches: readonly Stretch[]): Stretch[] {
  const padded = stretches
    .map(({ startMs, endMs }) => ({ startMs: Math.max(0, startMs - marginMs), endMs: endMs + marginMs }))
    .sort((a, b) => a.startMs - b.startMs);
  for (let gapMs = frameMs; ; gapMs *= 2) {
    const joined: Stretch[] = [];
    for (const { startMs, endMs } of padded) {
      const last = joined.at(-1);
      if (last && startMs - last.endMs <= gapMs) last.endMs = Math.max(last.endMs, endMs);
      else joined.push({ startMs, endMs });
    }
    if (joined.length <= stretchesMax) return joined;
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
