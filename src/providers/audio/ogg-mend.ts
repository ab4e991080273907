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

/** Of the packets of an Opus stream nearly all begin alike: what begins as so few others do was damaged. */
const commonShareMin = 0.02;
/** The packets that a stream begins with. */
const vorbisHeaders = 3;
const opusHeaders = 2;
/** Enough to hold them. */
const headPagesMax = 8;

/**
 * Gives the pages of a damaged Ogg file in such a form that a decoder takes them: with checksums that fit, a place in the
 * right stream, and borders where the next page shows them to be. The sound in them stays as damaged as it is. What
 * no page can be made of is left out.
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
 * How many samples a damaged Ogg file must hold: where its last pages are lost, as many for each byte as in the others.
 * 0 where it is no Ogg file.
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
  /** When each page ends, in samples (its granule position). */
  times: readonly number[];
  /** Where each page begins, and where the last one ends. */
  offsets: readonly number[];
  /** How often packets begin with each byte. */
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

/** The first packet of a stream begins with the name of its codec. */
function codecOf(page: Buffer): Codec {
  const head = page.subarray(headerBytes + (page[26] ?? 0));
  const resembles = (name: string): boolean =>
    [...Buffer.from(name, 'latin1')].filter((byte, index) => head[index] === byte).length >= name.length - 2;
  if (resembles('\x01vorbis')) return 'vorbis';
  return resembles('OpusHead') ? 'opus' : 'other';
}

/**
 * The pages that take the place of the first ones, where these hold damaged headers and what they were can be told. A page
 * with a header ends before the sound begins.
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
  /** How many of the first pages are left out, since others have taken their place. */
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

  /** Null where the page cannot be brought to the length that it has, or is left out. */
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
   * The first byte of a packet says what it is. Where damage makes sound look like a new header (Vorbis), or of another
   * length (Opus), decoders give up on all that follows.
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
 * Makes the lacing values add up to the length that the page has, by a change to one of them: the one that then stands out
 * least. False where no single change does.
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
