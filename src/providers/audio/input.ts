import type { AudioFormat, AudioSource } from './formats.ts';
import { mendOgg } from './ogg-mend.ts';

/**
 * The one ffmpeg demuxer that may read a format. It is always named on the command line: left to
 * probe by itself, ffmpeg would follow a playlist (HLS, concat, SDP) that is dressed as audio.
 */
const demuxers: Record<AudioFormat, string> = {
  wav: 'wav',
  mp3: 'mp3',
  ogg: 'ogg',
  flac: 'flac',
  m4a: 'mov',
};

/** What a tool reads: arguments that stand before its other options, and its standard input where that is it. */
export type AudioInput = { args: string[]; stdin?: AsyncIterable<Uint8Array> };

/** Opens a local file and nothing else. */
export function inputOf({ path, format, isDamaged = false }: AudioSource): AudioInput {
  const only = ['-protocol_whitelist', 'file,pipe', '-f', demuxers[format], '-i'];
  if (isDamaged && format === 'ogg') return { args: [...only, 'pipe:0'], stdin: mendOgg(path) };
  return { args: [...only, `file:${path}`] };
}

/** Of a damaged recording ffmpeg is to go on however much of it is lost, and believe in gaps of any length. */
export function patienceOf({ isDamaged = false }: AudioSource): string[] {
  return isDamaged ? ['-max_error_rate', '1', '-dts_delta_threshold', '1000000'] : [];
}

/**
 * Filters that put silence where nothing could be decoded, so that what follows stays in its place. MP3 has no clock that
 * could tell where that is.
 */
export function fillersOf({ format, isDamaged = false }: AudioSource): string[] {
  return isDamaged && format !== 'mp3' ? ['aresample=async=1:first_pts=0'] : [];
}
