import type { FileHandle } from 'node:fs/promises';

const tailBytesMin = 128 * 1024;
const tailBytesMax = 4 * 1024 * 1024;
/** Sound contains one sync code by chance in 32 KB; a file full of them is not worth the time. */
const candidatesMax = 20_000;

/** What the header of a FLAC file says, and where its frames end. `null` if the header is unreadable. */
export type FlacExtent = {
  samplesPromised: number;
  samplesPresent: number | null;
  /** Samples per block; the largest, if they differ. */
  blockSize: number;
};

/**
 * Compares the number of samples in STREAMINFO (RFC 9639, section 8.2) with the last frame in the file.
 * `samplesPresent` is null if no frame was found.
 */
export async function readFlacExtent(file: FileHandle, sizeBytes: number): Promise<FlacExtent | null> {
  const start = await id3SizeOf(file);
  const info = Buffer.alloc(42);
  const { bytesRead } = await file.read(info, 0, 42, start);
  if (bytesRead < 42 || info.toString('latin1', 0, 4) !== 'fLaC' || ((info[4] ?? 0) & 0x7f) !== 0) return null;
  const frameSizeMax = info.readUIntBE(15, 3);
  const samplesPromised = ((info[21] ?? 0) & 0x0f) * 2 ** 32 + info.readUInt32BE(22);
  const blockSize = info.readUInt16BE(8);
  const length = Math.min(sizeBytes, tailBytesMax, Math.max(tailBytesMin, frameSizeMax * 3));
  const tail = Buffer.alloc(length);
  await file.read(tail, 0, length, sizeBytes - length);
  const samplesPresent = findLastSample(tail, blockSize);
  return { samplesPromised, samplesPresent, blockSize: info.readUInt16BE(10) };
}

/** Size of a leading ID3v2 tag with its header; 0 if there is none. */
export async function id3SizeOf(file: FileHandle): Promise<number> {
  const head = Buffer.alloc(10);
  await file.read(head, 0, 10, 0);
  if (head.toString('latin1', 0, 3) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6);
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d);
}

/** The sync code may also occur within a frame; a header with a valid checksum counts as real. */
function findLastSample(tail: Buffer, blockSize: number): number | null {
  let candidates = 0;
  for (let at = tail.length - 6; at >= 0 && candidates < candidatesMax; at -= 1) {
    if (tail[at] !== 0xff || ((tail[at + 1] ?? 0) & 0xfe) !== 0xf8) continue;
    candidates += 1;
    const end = readFrameHeader(tail.subarray(at, at + 17), blockSize);
    if (end !== null) return end;
  }
  return null;
}

/** The sample after a frame, according to its header (RFC 9639, section 9.1); null if this is no frame header. */
function readFrameHeader(bytes: Buffer, blockSize: number): number | null {
  const isVariable = ((bytes[1] ?? 0) & 1) === 1;
  const number = readCodedNumber(bytes);
  if (!number) return null;
  const sizeCode = (bytes[2] ?? 0) >> 4;
  const rateCode = (bytes[2] ?? 0) & 15;
  const sizeLength = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  const rateLength = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  const crcAt = number.end + sizeLength + rateLength;
  if (sizeCode === 0 || rateCode === 15 || crcAt >= bytes.length || crc8(bytes, crcAt) !== bytes[crcAt]) return null;
  const samples = sizeLength > 0 ? bytes.readUIntBE(number.end, sizeLength) + 1 : fixedSize(sizeCode);
  return isVariable ? number.value + samples : number.value * blockSize + samples;
}

function fixedSize(code: number): number {
  if (code === 1) return 192;
  return code <= 5 ? 576 * 2 ** (code - 2) : 256 * 2 ** (code - 8);
}

/** Like UTF-8, but up to seven bytes long. */
function readCodedNumber(bytes: Buffer): { value: number; end: number } | null {
  const first = bytes[4] ?? 0xff;
  const ones = Math.clz32(~(first << 24));
  if (first < 0x80) return { value: first, end: 5 };
  if (ones === 1 || ones > 7) return null;
  let value = ones >= 7 ? 0 : first & (0x7f >> ones);
  for (let at = 5; at < 4 + ones; at += 1) {
    const next = bytes[at] ?? 0;
    if ((next & 0xc0) !== 0x80) return null;
    value = value * 64 + (next & 0x3f);
  }
  return { value, end: 4 + ones };
}

/** Polynomial x^8 + x^2 + x + 1, from zero. */
function crc8(bytes: Buffer, length: number): number {
  let crc = 0;
  for (let at = 0; at < length; at += 1) {
    crc ^= bytes[at] ?? 0;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
}
