import type { AudioFormat } from '../../src/providers/audio/formats.ts';
import { seededRandom } from './random.ts';

/** Where the sound of a recording begins and ends: what comes before and after says how to read it. */
export function soundOf(bytes: Buffer, format: AudioFormat): { from: number; to: number } {
  switch (format) {
    case 'wav':
      return { from: bytes.indexOf('data') + 8, to: bytes.length };
    case 'mp3':
      return { from: 1000, to: bytes.length };
    case 'flac':
      return { from: bytes.indexOf(Buffer.from([0xff, 0xf8]), 42), to: bytes.length };
    case 'ogg':
      return { from: firstSoundPage(bytes), to: bytes.length };
    case 'm4a': {
      const at = bytes.indexOf('mdat');
      return { from: at + 4, to: at - 4 + bytes.readUInt32BE(at - 4) };
    }
    default:
      return format satisfies never;
  }
}

/** Gives bytes another value, so many of all of the sound, or of all that is in the file but for the mark at its start. */
export function flipBytes(
  bytes: Buffer,
  {
    format,
    share,
    seed,
    isAnywhere = false,
  }: { format: AudioFormat; share: number; seed: number; isAnywhere?: boolean },
): Buffer {
  const random = seededRandom(seed);
  const damaged = Buffer.from(bytes);
  const { from, to } = isAnywhere ? { from: 4, to: bytes.length } : soundOf(bytes, format);
  for (let count = Math.round((to - from) * share); count > 0; count -= 1) {
    const at = from + Math.floor(random() * (to - from));
    damaged[at] = (damaged[at] ?? 0) ^ (1 + Math.floor(random() * 255));
  }
  return damaged;
}

/** Replaces a stretch of the sound by noise, given as shares of all of it. */
export function overwrite(
  bytes: Buffer,
  { format, start, end, seed }: { format: AudioFormat; start: number; end: number; seed: number },
): Buffer {
  const random = seededRandom(seed);
  const damaged = Buffer.from(bytes);
  const { from, to } = soundOf(bytes, format);
  const at = (share: number): number => Math.round(from + (to - from) * share);
  for (let index = at(start); index < at(end); index += 1) damaged[index] = Math.floor(random() * 256);
  return damaged;
}

/** The first page that ends later than at the start. */
function firstSoundPage(bytes: Buffer): number {
  for (let at = bytes.indexOf('OggS'); at >= 0; at = bytes.indexOf('OggS', at + 4)) {
    if (bytes.readBigInt64LE(at + 6) > 0n) return at;
  }
  throw new Error('There is no page with sound.');
}
