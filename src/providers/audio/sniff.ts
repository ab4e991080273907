import type { AudioFormat } from './formats.ts';

export const audioContentTypes: Record<AudioFormat, string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
};

export type AudioType = { format: AudioFormat; contentType: string };

/** `undefined` while more bytes are needed, `null` if they are none of the five formats. */
export type Verdict = AudioType | null | undefined;

export type Sniffer = {
  /** Takes the next bytes of the file. A verdict never changes. */
  push: (chunk: Uint8Array) => Verdict;
  /** The verdict on a file that ends here. */
  end: () => AudioType | null;
};

/** Number of bytes to inspect after leading ID3 tags. */
const windowSizeBytes = 65_536;
const tagsMax = 4;

/**
 * Detects the format of a file from its first bytes, never from its name. Only the start of the file counts (or what
 * follows ID3 tags of any size), which is where the decoder that is then named to ffmpeg starts reading.
 */
export function createSniffer(): Sniffer {
  let window: Buffer = Buffer.alloc(0);
  let skipBytes = 0;
  let tags = 0;
  let verdict: Verdict;

  function read(isEnd: boolean): Verdict {
    while (tags < tagsMax) {
      const tagSizeBytes = id3SizeBytes(window);
      if (tagSizeBytes === null) break;
      tags += 1;
      skipBytes = Math.max(0, tagSizeBytes - window.length);
      window = window.subarray(Math.min(tagSizeBytes, window.length));
    }
    if (!isEnd && window.length < windowSizeBytes) return undefined;
    return sniff(window);
  }

  return {
    push(chunk) {
      if (verdict !== undefined) return verdict;
      const fresh = chunk.subarray(Math.min(skipBytes, chunk.length));
      skipBytes -= chunk.length - fresh.length;
      window = Buffer.concat([window, fresh]);
      verdict = read(false);
      return verdict;
    },
    end() {
      if (verdict === undefined) verdict = read(true) ?? null;
      return verdict;
    },
  };
}

/** Detects the format from the first bytes of a file, ideally 64 KB or all of it. */
export function sniffAudio(head: Uint8Array): AudioType | null {
  const sniffer = createSniffer();
  return sniffer.push(head) ?? sniffer.end();
}

function sniff(head: Buffer): AudioType | null {
  const format = formatOf(head);
  return format && { format, contentType: audioContentTypes[format] };
}

function formatOf(head: Buffer): AudioFormat | null {
  if (['RIFF', 'RF64', 'BW64'].includes(ascii(head, 0)) && ascii(head, 8) === 'WAVE') return 'wav';
  if (ascii(head, 0) === 'fLaC' && ((head[4] ?? 0xff) & 0x7f) === 0) return 'flac';
  if (ascii(head, 0) === 'OggS') return hasOggAudio(head) ? 'ogg' : null;
  if (ascii(head, 4) === 'ftyp') return isMpeg4(head) ? 'm4a' : null;
  return findFrames(head) ? 'mp3' : null;
}

function ascii(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}

/** ID3v2.4, section 3.1: a header of ten bytes, a size of four times seven bits, possibly a footer of ten bytes. */
function id3SizeBytes(bytes: Buffer): number | null {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return null;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  if ((a | b | c | d) & 0x80 || bytes[3] === 0xff || bytes[4] === 0xff) return null;
  const hasFooter = ((bytes[5] ?? 0) & 0x10) !== 0;
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d) + (hasFooter ? 10 : 0);
}

const oggCodecs = ['\x01vorbis', 'OpusHead', '\x7fFLAC', 'Speex   '];

/** RFC 3533: each stream of a file begins with its own page, before any other page. */
function hasOggAudio(head: Buffer): boolean {
  for (let at = 0; ascii(head, at) === 'OggS' && head[at + 4] === 0 && (head[at + 5] ?? 0) & 2;) {
    const segments = head[at + 26] ?? 0;
    const bodyAt = at + 27 + segments;
    const codec = head.toString('latin1', bodyAt, bodyAt + 8);
    if (oggCodecs.some((magic) => codec.startsWith(magic))) return true;
    at = bodyAt + head.subarray(at + 27, bodyAt).reduce((sum, size) => sum + size, 0);
  }
  return false;
}

/** Brands of MPEG-4 files with sound, as in `.m4a`. Not pictures (`heic`, `avif`) or QuickTime. */
const mpeg4Brand = /^(?:M4[ABPV] |M4VP|F4[AB] |iso[m2-9]|mp4[12]|mp71|dash|3gp[\d ]|3g2[a-c])$/;

function isMpeg4(head: Buffer): boolean {
  const sizeBytes = head.length >= 4 ? head.readUInt32BE(0) : 0;
  if (sizeBytes < 16 || sizeBytes > 4096 || sizeBytes % 4 !== 0) return false;
  if (mpeg4Brand.test(ascii(head, 8))) return true;
  if (/^(?:heic|heix|mif1|msf1|avif|avis|qt {2}|crx )$/.test(ascii(head, 8))) return false;
  for (let at = 16; at + 4 <= Math.min(sizeBytes, head.length); at += 4) {
    if (mpeg4Brand.test(ascii(head, at))) return true;
  }
  return false;
}

/** A frame at the very start needs one successor; after garbage, as in a tapped stream, three. */
function findFrames(head: Buffer): boolean {
  if (countFrames(head, 0, 2) === 2) return true;
  for (let at = 1; at < Math.min(head.length, scanSizeBytesMax); at += 1) {
    if (head[at] === 0xff && countFrames(head, at, 4) === 4) return true;
  }
  return false;
}

const scanSizeBytesMax = 4096;

function countFrames(bytes: Buffer, from: number, enough: number): number {
  const first = readFrame(bytes, from);
  let at = from;
  let frames = 0;
  while (frames < enough) {
    const frame = readFrame(bytes, at);
    if (!frame || frame.kind !== first?.kind) break;
    frames += 1;
    at += frame.sizeBytes;
  }
  return frames;
}

const bitratesMpeg1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesMpeg2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];

/** The layer III frame at a position (ISO 11172-3 and 13818-3), or null. `kind` is the same in all frames of a file. */
export function readFrame(bytes: Buffer, at: number): { sizeBytes: number; kind: number } | null {
  if (at + 4 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const layer = (header >>> 17) & 3;
  const bitrate = (version === 3 ? bitratesMpeg1 : bitratesMpeg2)[(header >>> 12) & 15];
  const baseRate = sampleRates[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1 || !bitrate || !baseRate) return null;
  const sampleRate = baseRate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const padding = (header >>> 9) & 1;
  const sizeBytes = Math.floor(((version === 3 ? 144_000 : 72_000) * bitrate) / sampleRate) + padding;
  return { sizeBytes, kind: (version << 2) | ((header >>> 10) & 3) };
}
