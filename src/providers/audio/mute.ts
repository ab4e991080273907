import { joinStretches, type Stretch } from '../../model/stretches.ts';
import type { AudioFormat, AudioSource } from './formats.ts';
import { fillersOf, inputOf, patienceOf } from './input.ts';
import { audioLimits, timeoutMsFor } from './limits.ts';
import { undecodable } from './probe.ts';
import { runTool } from './tool.ts';

/** The filter checks the time once per frame. */
const frameMs = 10;

/** The codec for each format, so that players of the recording can play this. */
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
  /** According to the header. */
  durationMs: number;
  to: string;
  signal: AbortSignal;
};

/**
 * Writes the recording with these stretches muted on every channel, in the same format, to a local file. Only the sound
 * is copied, no tags or pictures. A damaged recording is read as it is for transcription, so that both have the same
 * clock. Throws `AudioError`, or the signal's reason.
 */
export async function muteAudio(request: MuteRequest): Promise<void> {
  const first = await writeMuted(request);
  if (!first.hasErrors) return;
  const second = await writeMuted({ ...request, source: { ...request.source, isDamaged: true } });
  if (second.code !== 0) throw undecodable(second.stderr);
}

async function writeMuted(request: MuteRequest): Promise<{ code: number; stderr: string; hasErrors: boolean }> {
  const { source, stretches, sampleRate, durationMs, to, signal } = request;
  const { args: input, stdin } = inputOf(source);
  const args = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...patienceOf(source), '-threads', '1'];
  args.push(...input, '-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1');
  args.push('-fflags', '+bitexact', '-af', [...fillersOf(source), filterOf(stretches, sampleRate)].join(','));
  args.push(...encoders[source.format], `file:${to}`, '-progress', 'pipe:1');
  let writtenMs = 0;
  const { code, stderr } = await runTool({
    tool: 'ffmpeg',
    purpose: 'Muting the recording',
    args,
    stdin,
    signal,
    timeoutMs: () => timeoutMsFor(audioLimits, Math.max(durationMs, writtenMs)),
    memoryBytesMax: audioLimits.memoryBytesMax,
    onStdout: (chunk) => void (writtenMs = progressMs(chunk.toString()) ?? writtenMs),
  });
  return { code, stderr, hasErrors: code !== 0 || stderr !== '' };
}

/** The progress that ffmpeg reports. */
function progressMs(report: string): number | undefined {
  const micros = [...report.matchAll(/out_time_us=(\d+)/g)].at(-1)?.[1];
  return micros === undefined ? undefined : Number(micros) / 1000;
}

/**
 * Time is counted in samples, as for transcription; then the sound is cut into small frames, since whole frames are
 * muted.
 */
function filterOf(stretches: readonly Stretch[], sampleRate: number): string {
  const frame = Math.max(1, Math.round((sampleRate * frameMs) / 1000));
  const times = joinStretches(stretches).map(
    ({ startMs, endMs }) => String.raw`between(t\,${seconds(startMs)}\,${seconds(endMs)})`,
  );
  return `asetpts=N/SR/TB,asetnsamples=n=${frame}:p=0,volume=volume=0:enable='${times.join('+')}'`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
