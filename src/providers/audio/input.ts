import type { AudioFormat, AudioSource } from './formats.ts';
import { mendOgg } from './ogg-mend.ts';

/**
 * The ffmpeg demuxer of each format. Always given on the command line: if ffmpeg probed the file itself, it would
 * follow a playlist (HLS, concat, SDP) disguised as audio.
 */
const demuxers: Record<AudioFormat, string> = {
  wav: 'wav',
  mp3: 'mp3',
  ogg: 'ogg',
  flac: 'flac',
  m4a: 'mov',
};

/** What a tool reads: arguments before its other options, and its standard input if it reads from there. */
export type AudioInput = { args: string[]; stdin?: AsyncIterable<Uint8Array> };

/** Opens a local file and nothing else. */
export function inputOf({ path, format, isDamaged = false }: AudioSource): AudioInput {
  const only = ['-protocol_whitelist', 'file,pipe', '-f', demuxers[format], '-i'];
  if (isDamaged && format === 'ogg') return { args: [...only, 'pipe:0'], stdin: mendOgg(path) };
  return { args: [...only, `file:${path}`] };
}

/** For a damaged recording, ffmpeg must continue however much is lost, and accept gaps of any length. */
export function patienceOf({ isDamaged = false }: AudioSource): string[] {
  return isDamaged ? ['-max_error_rate', '1', '-dts_delta_threshold', '1000000'] : [];
}

/**
 * Filters that insert silence where nothing could be decoded, so that the rest keeps its position. MP3 has no
 * timestamps for that.
 */
export function fillersOf({ format, isDamaged = false }: AudioSource): string[] {
  return isDamaged && format !== 'mp3' ? ['aresample=async=1:first_pts=0'] : [];
}
