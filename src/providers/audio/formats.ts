/** The five formats that are accepted, as told by the bytes of a file. */
export const audioFormats = ['wav', 'mp3', 'ogg', 'flac', 'm4a'] as const;
export type AudioFormat = (typeof audioFormats)[number];

/** A local file and what its bytes say it is. */
export type AudioSource = { path: string; format: AudioFormat };

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

/** Arguments that open a local file and nothing else; they stand before the file's other options. */
export function inputArguments(source: AudioSource): string[] {
  return ['-protocol_whitelist', 'file,pipe', '-f', demuxers[source.format], '-i', `file:${source.path}`];
}
