import { open, type FileHandle } from 'node:fs/promises';
import type { AudioSource } from './formats.ts';
import { readFrame } from './sniff.ts';

const tailBytes = 128 * 1024;
const lacingValueMax = 255;

/**
 * Whether and how a file ends in the middle of what its own structure announces; null if it does not. Only certain
 * signs count: a recording with merely an odd end is still worth a transcript.
 */
export async function findBrokenEnd(source: AudioSource): Promise<string | null> {
  if (source.format === 'flac') return null;
  const file = await open(source.path, 'r');
  try {
    const { size } = await file.stat();
    if (source.format === 'wav') return await brokenWav(file, size);
    if (source.format === 'm4a') return await brokenM4a(file, size);
    const tail = await readAt(file, Math.max(0, size - tailBytes), Math.min(size, tailBytes));
    return source.format === 'ogg' ? brokenOgg(tail) : brokenMp3(tail);
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The `data` chunk must fit into the file. */
async function brokenWav(file: FileHandle, size: number): Promise<string | null> {
  const { promisedBytes = null, presentBytes = 0 } = (await findWavData(file, size)) ?? {};
  const missing = promisedBytes === null ? 0 : promisedBytes - presentBytes;
  return missing > 1 ? `${missing} bytes of its sound are missing` : null;
}

/** `promisedBytes` is null for a placeholder, as programs write that stream. */
type WavData = { promisedBytes: number | null; presentBytes: number; hasFormat: boolean };

/** The `data` chunk of a RIFF (or RF64) file, and whether a format precedes it; null if there is no such chunk. */
export async function findWavData(file: FileHandle, size: number): Promise<WavData | null> {
  let hasFormat = false;
  let position = 12;
  for (let chunks = 0; chunks < 1000 && position + 8 <= size; chunks += 1) {
    const header = await readAt(file, position, 8);
    if (header.length < 8) return null;
    const name = header.toString('latin1', 0, 4);
    const length = header.readUInt32LE(4);
    if (name === 'fmt ') hasFormat = length >= 14;
    if (name === 'data') {
      const promisedBytes = length === 0 || length >= 0x7fff0000 ? null : length;
      return { promisedBytes, presentBytes: size - position - 8, hasFormat };
    }
    position += 8 + length + (length % 2);
  }
  return null;
}

/** ISO 14496-12: a file of boxes, of which one must be the index; none may reach past the end. */
async function brokenM4a(file: FileHandle, size: number): Promise<string | null> {
  let position = 0;
  let hasIndex = false;
  for (let boxes = 0; boxes < 100_000 && position + 8 <= size; boxes += 1) {
    const header = await readAt(file, position, 16);
    const type = header.toString('latin1', 4, 8);
    if (boxes === 0 && type !== 'ftyp') return null;
    if (type === 'moov' || type === 'moof') hasIndex = true;
    let length = header.readUInt32BE(0);
    if (length === 1 && header.length === 16) length = Number(header.readBigUInt64BE(8));
    else if (length === 0) length = size - position;
    if (length < 8) return null;
    if (position + length > size && type === 'mdat')
      return `${position + length - size} bytes of its sound are missing`;
    position += length;
  }
  return hasIndex || position === 0 ? null : 'its index (moov) is missing';
}

/** RFC 3533: pages follow each other without a gap, so the last one must end where the file ends. */
function brokenOgg(tail: Buffer): string | null {
  const last = tail.lastIndexOf('OggS');
  if (last < 0 || tail.length < last + 27) return last < 0 ? null : 'its last Ogg page is incomplete';
  const segments = tail[last + 26] ?? 0;
  let end = last + 27 + segments;
  for (let i = 0; i < segments; i += 1) end += tail[last + 27 + i] ?? 0;
  // It says that it is the last page, so one damaged lacing value explains the difference; the file is not cut off.
  const isLast = ((tail[last + 5] ?? 0) & 4) !== 0;
  const explained = isLast ? lacingValueMax : 0;
  return end - tail.length > explained ? 'its last Ogg page is incomplete' : null;
}

/** The frames of an MP3 are whole unless the file was cut; a tag at the end is not a frame. */
function brokenMp3(tail: Buffer): string | null {
  let position = synchronise(tail);
  if (position === null) return null;
  while (position + 4 <= tail.length) {
    const length = readFrame(tail, position)?.sizeBytes;
    if (length === undefined) return null;
    if (position + length > tail.length) return 'its last MP3 frame is incomplete';
    position += length;
  }
  return null;
}

/** The first position from which five consecutive frames follow. */
function synchronise(tail: Buffer): number | null {
  for (let start = 0; start + 4 <= tail.length; start += 1) {
    let position = start;
    let frames = 0;
    while (frames < 5) {
      const length = readFrame(tail, position)?.sizeBytes;
      if (length === undefined) break;
      position += length;
      frames += 1;
    }
    if (frames === 5) return start;
  }
  return null;
}
