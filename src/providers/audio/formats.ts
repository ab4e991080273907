/** The five accepted formats, recognized by the bytes of a file. */
export const audioFormats = ['wav', 'mp3', 'ogg', 'flac', 'm4a'] as const;
export type AudioFormat = (typeof audioFormats)[number];

/** A local file and its detected format. `isDamaged`: read as much of it as possible. */
export type AudioSource = { path: string; format: AudioFormat; isDamaged?: boolean };
