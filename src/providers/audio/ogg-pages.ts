import type { FileHandle } from 'node:fs/promises';

// Pages of Ogg (RFC 3533, section 6), as far as they are recognizable in a damaged file.

export const headerBytes = 27;
/** Header, lacing values and 255 segments of 255 bytes. */
const pageBytesMax = headerBytes + 255 + 255 * 255;
const blockBytes = 1024 * 1024;
export const capturePattern = Buffer.from('OggS');
/** Of the nine bytes that are the same in all pages of a stream. */
const sameBytesMin = 7;
const scanBytes = 512 * 1024;

/** The most frequent serial number of the pages at the start of the file. */
export async function findSerial(file: FileHandle): Promise<Buffer | null> {
  const head = Buffer.alloc(scanBytes);
  const { bytesRead } = await file.read(head, 0, scanBytes, 0);
  const counts = new Map<string, number>();
  for (let at = head.indexOf('OggS'); at >= 0 && at + headerBytes <= bytesRead; at = head.indexOf('OggS', at + 4)) {
    const serial = head.toString('hex', at + 14, at + 18);
    counts.set(serial, (counts.get(serial) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most ? Buffer.from(most[0], 'hex') : null;
}

export type Page = {
  bytes: Buffer;
  /** Its offset in the file. */
  offset: number;
  isLast: boolean;
};

/** The pages of one stream, each with any data before the next one. */
export async function* readPages(file: FileHandle, serial: Buffer): AsyncGenerator<Page> {
  let window: Buffer = Buffer.alloc(0);
  let position = 0;
  let isEnd = false;
  for (;;) {
    while (!isEnd && window.length < 2 * pageBytesMax) {
      const block = Buffer.alloc(blockBytes);
      const { bytesRead } = await file.read(block, 0, blockBytes, position);
      position += bytesRead;
      isEnd = bytesRead === 0;
      window = Buffer.concat([window, block.subarray(0, bytesRead)]);
    }
    const start = findPage(window, serial, 0);
    if (start === null && isEnd) return;
    if (start === null) {
      window = window.subarray(1 - headerBytes);
      continue;
    }
    const next = endOfPage(window, serial, start);
    const offset = position - window.length + start;
    yield { bytes: window.subarray(start, next), offset, isLast: isEnd && next === window.length };
    window = window.subarray(next);
  }
}

/** The length of a page according to its header. */
export function lengthOf(page: Buffer): number {
  const segments = page[26] ?? 0;
  let length = headerBytes + segments;
  for (let i = 0; i < segments; i += 1) length += page[headerBytes + i] ?? 0;
  return length;
}

/** Where packets begin in a page. */
export function packetStarts(page: Buffer, isContinued: boolean): number[] {
  const segments = page[26] ?? 0;
  const starts: number[] = [];
  let at = headerBytes + segments;
  let isStart = !isContinued;
  for (let i = 0; i < segments; i += 1) {
    const length = page[headerBytes + i] ?? 0;
    if (isStart) starts.push(at);
    isStart = length < 255;
    at += length;
  }
  return starts.filter((start) => start < page.length);
}

/** The first packets of intact, consecutive pages. */
export function packetsOf(bytes: Buffer, countMax: number): Buffer[] {
  const packets: Buffer[] = [];
  let open: Buffer[] = [];
  for (
    let page = bytes;
    page.length >= headerBytes && packets.length < countMax;
    page = page.subarray(lengthOf(page))
  ) {
    const segments = page[26] ?? 0;
    let at = headerBytes + segments;
    for (let i = 0; i < segments; i += 1) {
      const length = page[headerBytes + i] ?? 0;
      open.push(page.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      packets.push(Buffer.concat(open));
      open = [];
    }
  }
  return packets.slice(0, countMax);
}

/** Pages for the packets that a stream begins with: the first one alone, the others together. Without checksums yet. */
export function headerPagesOf([first, ...others]: readonly Buffer[]): Buffer[] {
  return [[first ?? Buffer.alloc(0)], others].map((packets) => {
    const lacing = packets.flatMap(({ length }) => [
      ...Array.from({ length: Math.floor(length / 255) }, () => 255),
      length % 255,
    ]);
    const header = Buffer.alloc(headerBytes);
    header[26] = lacing.length;
    return Buffer.concat([header, Buffer.from(lacing), ...packets]);
  });
}

/** Whether the page is undamaged. */
export function isWhole(page: Buffer): boolean {
  const bare = Buffer.from(page);
  bare.writeUInt32LE(0, 22);
  return page.length === lengthOf(page) && checksum(bare) === page.readUInt32LE(22);
}

const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

/** CRC-32 of Ogg: polynomial 0x04c11db7, from zero, nothing reflected. */
export function checksum(bytes: Buffer): number {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ (checksums[((value >>> 24) ^ byte) & 255] ?? 0)) >>> 0;
  return value;
}

function findPage(bytes: Buffer, serial: Buffer, from: number): number | null {
  for (let at = from; at + headerBytes <= bytes.length; at += 1) {
    if (isPage(bytes, serial, at)) return at;
  }
  return null;
}

/** The end according to the header, if another page or nothing follows; else where the next page is found. */
function endOfPage(bytes: Buffer, serial: Buffer, start: number): number {
  const told = start + lengthOf(bytes.subarray(start));
  if (told === bytes.length || (told < bytes.length && isPage(bytes, serial, told))) return told;
  return findPage(bytes, serial, start + headerBytes) ?? Math.min(bytes.length, start + pageBytesMax);
}

/** Whether nearly all constant bytes of the stream's pages match: capture pattern, version, serial number. */
function isPage(bytes: Buffer, serial: Buffer, at: number): boolean {
  let same = bytes[at + 4] === 0 ? 1 : 0;
  for (let i = 0; i < 4; i += 1) {
    if (bytes[at + i] === capturePattern[i]) same += 1;
    if (bytes[at + 14 + i] === serial[i]) same += 1;
  }
  return same >= sameBytesMin;
}
