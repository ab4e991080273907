import { open, type FileHandle } from 'node:fs/promises';
import {
  capturePattern,
  checksum,
  findSerial,
  headerBytes,
  headerPagesOf,
  isWhole,
  lengthOf,
  packetsOf,
  packetStarts,
  readPages,
} from './ogg-pages.ts';
import { mendTimes } from './ogg-times.ts';
import { findVorbisHeaders } from './vorbis-headers.ts';

/** Nearly all packets of an Opus stream start with the same few bytes: a rare first byte means damage. */
const commonShareMin = 0.02;
/** Number of packets that a stream begins with. */
const vorbisHeaders = 3;
const opusHeaders = 2;
/** Enough to contain them. */
const headPagesMax = 8;

/**
 * Repairs the pages of a damaged Ogg file so that a decoder accepts them: with valid checksums, a position in the right
 * stream, and lengths that match the next page. The sound itself stays damaged. Irreparable data is left out.
 */
export async function* mendOgg(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    const serial = await findSerial(file);
    if (!serial) return;
    const found = await survey(file, serial);
    const headers = found.codec === 'vorbis' ? await mendHeaders(found.head) : null;
    const mender = new Mender({ serial, found, headerPages: headers?.replaced ?? 0 });
    for (const page of headers?.pages ?? []) yield mender.seal(page, { time: 0, isLast: false });
    for await (const { bytes, isLast } of readPages(file, serial)) {
      const page = mender.mend(bytes, isLast);
      if (page) yield page;
    }
  } finally {
    await file.close();
  }
}

/**
 * Number of samples that a damaged Ogg file should have: if its last pages are lost, extrapolated from the bytes of the
 * others. 0 if it is no Ogg file.
 */
export async function estimateOggLength(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    const serial = await findSerial(file);
    if (!serial) return 0;
    const { times, offsets } = await survey(file, serial);
    const last = times.findLastIndex((time) => time > 0);
    const [time = 0, end = 0] = [times[last], offsets[last + 1]];
    const { size } = await file.stat();
    return end > 0 ? Math.round((time * size) / end) : time;
  } finally {
    await file.close();
  }
}

type Codec = 'vorbis' | 'opus' | 'other';

type Survey = {
  codec: Codec;
  /** The first pages. */
  head: readonly Buffer[];
  /** The end of each page, in samples (its granule position). */
  times: readonly number[];
  /** The offset of each page, and the end of the last one. */
  offsets: readonly number[];
  /** How often packets start with each byte. */
  starts: ReadonlyMap<number, number>;
};

async function survey(file: FileHandle, serial: Buffer): Promise<Survey> {
  const times: number[] = [];
  const offsets: number[] = [];
  const starts = new Map<number, number>();
  const head: Buffer[] = [];
  let end = 0;
  for await (const { bytes, offset } of readPages(file, serial)) {
    if (head.length < headPagesMax) head.push(Buffer.from(bytes));
    offsets.push(offset);
    times.push(Number(bytes.readBigInt64LE(6)));
    end = offset + bytes.length;
    if (bytes.length !== lengthOf(bytes)) continue;
    for (const at of packetStarts(bytes, ((bytes[5] ?? 0) & 1) === 1)) {
      const byte = bytes[at] ?? 0;
      starts.set(byte, (starts.get(byte) ?? 0) + 1);
    }
  }
  offsets.push(end);
  const codec = head[0] ? codecOf(head[0]) : 'other';
  return { codec, head, times: mendTimes(times, offsets), offsets, starts };
}

/** The first packet of a stream starts with the name of its codec. */
function codecOf(page: Buffer): Codec {
  const head = page.subarray(headerBytes + (page[26] ?? 0));
  const resembles = (name: string): boolean =>
    [...Buffer.from(name, 'latin1')].filter((byte, index) => head[index] === byte).length >= name.length - 2;
  if (resembles('\x01vorbis')) return 'vorbis';
  return resembles('OpusHead') ? 'opus' : 'other';
}

/**
 * Replacements for the first pages, if these contain damaged headers that can be reconstructed. A page with a header
 * ends before the sound begins.
 */
async function mendHeaders(head: readonly Buffer[]): Promise<{ pages: Buffer[]; replaced: number } | null> {
  const damaged: Buffer[] = [];
  for (const page of head) {
    damaged.push(Buffer.from(page));
    if (!fitLacing(damaged.at(-1) ?? page)) return null;
    const packets = packetsOf(Buffer.concat(damaged), vorbisHeaders);
    if (packets.length < vorbisHeaders) continue;
    if (head.slice(0, damaged.length).every(isWhole)) return null;
    const headers = await findVorbisHeaders(packets);
    return headers && { pages: headerPagesOf(headers), replaced: damaged.length };
  }
  return null;
}

type MenderParts = {
  serial: Buffer;
  found: Survey;
  /** How many of the first pages are dropped, since they were replaced. */
  headerPages: number;
};

class Mender {
  readonly #serial: Buffer;
  readonly #survey: Survey;
  readonly #headerPages: number;
  #index = 0;
  #sequence = 0;
  #isContinued = false;
  #headersLeft: number;

  constructor({ serial, found, headerPages }: MenderParts) {
    this.#serial = serial;
    this.#survey = found;
    this.#headerPages = headerPages;
    this.#headersLeft = found.codec === 'vorbis' ? vorbisHeaders : opusHeaders;
  }

  /** Null if the page cannot be repaired to match its length, or is dropped. */
  mend(given: Buffer, isLast: boolean): Buffer | null {
    const page = Buffer.from(given);
    const time = this.#survey.times[this.#index] ?? -1;
    this.#index += 1;
    if (this.#index <= this.#headerPages || !fitLacing(page)) return null;
    return this.seal(page, { time, isLast });
  }

  /** Makes a page of the right length the next one of the stream. */
  seal(page: Buffer, { time, isLast }: { time: number; isLast: boolean }): Buffer {
    capturePattern.copy(page);
    page[4] = 0;
    page[5] = (this.#isContinued ? 1 : 0) | (this.#sequence === 0 ? 2 : 0) | (isLast ? 4 : 0);
    page.writeBigInt64LE(BigInt(time), 6);
    this.#serial.copy(page, 14);
    page.writeUInt32LE(this.#sequence, 18);
    for (const at of packetStarts(page, this.#isContinued)) this.#mendPacket(page, at);
    page.writeUInt32LE(0, 22);
    page.writeUInt32LE(checksum(page), 22);
    this.#sequence += 1;
    this.#isContinued = page[headerBytes + (page[26] ?? 0) - 1] === 255;
    return page;
  }

  /**
   * The first byte of a packet is its type. If damage makes sound look like a new header (Vorbis), or gives it another
   * length (Opus), decoders give up on everything that follows.
   */
  #mendPacket(page: Buffer, at: number): void {
    if (this.#headersLeft > 0) {
      this.#headersLeft -= 1;
      return;
    }
    const { codec, starts } = this.#survey;
    const byte = page[at] ?? 0;
    if (codec === 'vorbis') page[at] = byte & 0xfe;
    if (codec !== 'opus') return;
    const [most = byte] = [...starts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    const all = [...starts.values()].reduce((sum, count) => sum + count, 0);
    if ((starts.get(byte) ?? 0) < all * commonShareMin) page[at] = most;
  }
}

/**
 * Changes the one lacing value for which that is least conspicuous, so that they add up to the length of the page.
 * False if no single change does.
 */
function fitLacing(page: Buffer): boolean {
  const excess = page.length - lengthOf(page);
  if (excess === 0) return true;
  const lacing = page.subarray(headerBytes, headerBytes + (page[26] ?? 0));
  const middle = [...lacing].toSorted((a, b) => a - b)[lacing.length >> 1] ?? 0;
  let best: { index: number; gain: number } | undefined;
  for (const [index, value] of lacing.entries()) {
    const mended = value + excess;
    if (mended < 0 || mended > 255) continue;
    const gain = Math.abs(value - middle) - Math.abs(mended - middle);
    if (!best || gain > best.gain) best = { index, gain };
  }
  if (!best) return false;
  lacing[best.index] = (lacing[best.index] ?? 0) + excess;
  return true;
}
