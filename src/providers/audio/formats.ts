/** The five formats that are accepted, as told by the bytes of a file. */
export const audioFormats = ['wav', 'mp3', 'ogg', 'flac', 'm4a'] as const;
export type AudioFormat = (typeof audioFormats)[number];

/** A local file and what its bytes say it is. `isDamaged`: it is to be read as far as it can be. */
export type AudioSource = { path: string; format: AudioFormat; isDamaged?: boolean };
