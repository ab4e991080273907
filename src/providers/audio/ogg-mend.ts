import { open, type FileHandle } from 'node:fs/promises';
import { capturePattern, checksum, findSerial, headerBytes, lengthOf, packetStarts, readPages } from './ogg-pages.ts';

/** Of the packets of an Opus stream nearly all begin alike: what begins as so few others do was damaged. */
const commonShareMin = 0.02;

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
    const mender = new Mender(serial, await survey(file, serial));
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
  let codec: Codec | undefined;
  let end = 0;
  for await (const { bytes, offset } of readPages(file, serial)) {
    codec ??= codecOf(bytes);
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
  return { codec: codec ?? 'other', times: mendTimes(times, offsets), offsets, starts };
}

/** The first packet of a stream begins with the name of its codec. */
function codecOf(page: Buffer): Codec {
  const head = page.subarray(headerBytes + (page[26] ?? 0));
  const resembles = (name: string): boolean =>
    [...Buffer.from(name, 'latin1')].filter((byte, index) => head[index] === byte).length >= name.length - 2;
  if (resembles('\x01vorbis')) return 'vorbis';
  return resembles('OpusHead') ? 'opus' : 'other';
}

/** Times that cannot be right give way to what lies between those around them. -1 is of pages that end no packet. */
function mendTimes(times: readonly number[], offsets: readonly number[]): number[] {
  const rising = [...risingMost(times)].toSorted((a, b) => a - b);
  while (isLeap(rising, { times, offsets })) rising.pop();
  const mended = [...times];
  for (const [place, index] of rising.entries()) {
    const next = rising[place + 1] ?? times.length;
    const from = times[index] ?? 0;
    const to = times[next] ?? from;
    for (let between = index + 1; between < next; between += 1) {
      if (times[between] === -1) continue;
      mended[between] = Math.round(from + ((to - from) * (between - index)) / (next - index));
    }
  }
  return mended;
}

type Track = { times: readonly number[]; offsets: readonly number[] };

/** Whether the last of these is far later than its place in the file: nothing follows to show that it is wrong. */
function isLeap(rising: readonly number[], { times, offsets }: Track): boolean {
  const between = (values: readonly number[], place: number): number =>
    (values[rising[place + 1] ?? 0] ?? 0) - (values[rising[place] ?? 0] ?? 0);
  const paces = rising.slice(1).map((_, place) => between(times, place) / between(offsets, place));
  const usual = paces.toSorted((a, b) => a - b)[paces.length >> 1] ?? 0;
  return usual > 0 && (paces.at(-1) ?? 0) > usual * 10;
}

/** Indexes of the longest row of times in which none is before the one that precedes it: the others cannot be right. */
function risingMost(times: readonly number[]): Set<number> {
  /** For each length of a row, the index that the best one of that length ends with. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, time] of times.entries()) {
    if (time < 0) continue;
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((times[ends[middle] ?? 0] ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1];
    ends[low] = index;
  }
  const row = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = before[index]) row.add(index);
  return row;
}

class Mender {
  readonly #serial: Buffer;
  readonly #survey: Survey;
  #index = 0;
  #sequence = 0;
  #isContinued = false;
  #headersLeft: number;

  constructor(serial: Buffer, survey: Survey) {
    this.#serial = serial;
    this.#survey = survey;
    this.#headersLeft = survey.codec === 'vorbis' ? 3 : 2;
  }

  /** Null where the page cannot be brought to the length that it has. */
  mend(given: Buffer, isLast: boolean): Buffer | null {
    const page = Buffer.from(given);
    const time = this.#survey.times[this.#index] ?? -1;
    this.#index += 1;
    if (!fitLacing(page)) return null;
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
