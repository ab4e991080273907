import { open, type FileHandle } from 'node:fs/promises';
import { fromFile, type ITokenizer } from 'strtok3';
import { parseFromTokenizer } from 'music-metadata';
import { within } from '../../lib/within.ts';
import { findBrokenEnd, findWavData } from './broken-end.ts';
import { id3SizeOf, readFlacExtent } from './flac-end.ts';
import type { AudioSource } from './formats.ts';

export type QuickProbe = {
  /** Null if the header does not say. */
  durationMs: number | null;
  channels: number | null;
  /** Why this recording can never be processed, as a sentence for its sender; null if nothing is wrong. */
  defect: string | null;
};

const timeoutMsDefault = 2000;
/** Blocks at the end of a FLAC that may have damaged headers: if more are missing, the file was cut off. */
const damagedBlocksMax = 4;
/** In a short recording, a few blocks are a large part of it. */
const damagedShareMax = 0.05;

/**
 * Inspects a stored recording without decoding it: how long it is, and whether its structure shows that it is empty or
 * cut off. Only certain signs count. After `timeoutMs`, it returns no verdict instead of a wrong one.
 */
export async function quickProbe(source: AudioSource, { timeoutMs = timeoutMsDefault } = {}): Promise<QuickProbe> {
  const defect = await findDefect(source);
  if (defect) return { durationMs: null, channels: null, defect };
  const { durationMs, channels } = await readHeader(source, timeoutMs);
  return { durationMs, channels, defect: durationMs === 0 ? 'The recording contains no sound.' : null };
}

async function findDefect(source: AudioSource): Promise<string | null> {
  const file = await open(source.path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) return 'The recording is an empty file.';
    return await findEnd(source, { file, sizeBytes: size });
  } finally {
    await file.close();
  }
}

type OpenFile = { file: FileHandle; sizeBytes: number };

async function findEnd(source: AudioSource, opened: OpenFile): Promise<string | null> {
  switch (source.format) {
    case 'flac':
      return flacDefect(opened);
    case 'm4a':
      return mpeg4Defect(opened);
    case 'wav':
      return (await wavDefect(opened)) ?? cutOff(await findBrokenEnd(source));
    case 'mp3':
      return (await mp3Defect(opened)) ?? cutOff(await findBrokenEnd(source));
    case 'ogg':
      return cutOff(await findBrokenEnd(source));
    default:
      return source.format satisfies never;
  }
}

function cutOff(how: string | null): string | null {
  return how && `The recording is cut off: ${how}.`;
}

async function flacDefect({ file, sizeBytes }: OpenFile): Promise<string | null> {
  const extent = await readFlacExtent(file, sizeBytes);
  if (!extent) return 'The recording cannot be decoded: its FLAC header is incomplete.';
  const { samplesPromised, samplesPresent, blockSize } = extent;
  if (samplesPresent === null)
    return samplesPromised > 0 ? cutOff('it holds no frame') : 'The recording contains no sound.';
  const missing = samplesPromised - samplesPresent;
  const explained = Math.min(blockSize * damagedBlocksMax, samplesPromised * damagedShareMax);
  return missing > explained ? cutOff(`${missing} samples are missing`) : null;
}

async function wavDefect({ file, sizeBytes }: OpenFile): Promise<string | null> {
  const data = await findWavData(file, sizeBytes);
  if (!data) return cutOff('it has no data');
  if (!data.hasFormat) return 'The recording cannot be decoded: its WAV header names no format.';
  if (data.presentBytes > 0) return null;
  return data.promisedBytes === null
    ? 'The recording contains no sound.'
    : cutOff(`${data.promisedBytes} bytes of its sound are missing`);
}

/** ISO 14496-12, section 4.2: a file is a sequence of boxes, each with its size. */
async function mpeg4Defect({ file, sizeBytes }: OpenFile): Promise<string | null> {
  const header = Buffer.alloc(16);
  let hasIndex = false;
  let mediaSizeBytes = 0;
  let at = 0;
  // After a complete recording there may be anything, such as a tag of another format.
  const isWhole = () => hasIndex && mediaSizeBytes > 0;
  for (let boxes = 0; boxes < 50_000 && at + 8 <= sizeBytes; boxes += 1) {
    const { bytesRead } = await file.read(header, 0, 16, at);
    const name = header.toString('latin1', 4, 8);
    const length = boxLength(header.subarray(0, bytesRead), sizeBytes - at);
    const missingBytes = length === null ? null : at + length - sizeBytes;
    if (isWhole() && (missingBytes === null || missingBytes > 0) && name !== 'mdat') return null;
    if (length === null || missingBytes === null)
      return 'The recording cannot be decoded: its MPEG-4 boxes are damaged.';
    if (missingBytes > 0) return cutOff(`${missingBytes} bytes of its last part are missing`);
    if (name === 'moov') hasIndex = true;
    if (name === 'mdat') mediaSizeBytes += length - 8;
    at += length;
  }
  if (!hasIndex) return cutOff('its index (moov) is missing');
  return mediaSizeBytes === 0 ? 'The recording contains no sound.' : null;
}

function boxLength(header: Buffer, restBytes: number): number | null {
  const length = header.readUInt32BE(0);
  if (length === 0) return restBytes;
  if (length !== 1) return length >= 8 ? length : null;
  const long = header.length >= 16 ? Number(header.readBigUInt64BE(8)) : 0;
  return long >= 16 ? long : null;
}

/** The `Xing` or `Info` header, which most encoders write into the first frame, states how many bytes follow. */
async function mp3Defect({ file, sizeBytes }: OpenFile): Promise<string | null> {
  const start = await id3SizeOf(file);
  const head = Buffer.alloc(256);
  const { bytesRead } = await file.read(head, 0, head.length, start);
  const frame = head.subarray(0, bytesRead);
  const at = [36, 21, 13].find((offset) => /^(?:Xing|Info)$/.test(frame.toString('latin1', offset, offset + 4)));
  if (at === undefined || at + 16 > frame.length) return null;
  const flags = frame.readUInt32BE(at + 4);
  if ((flags & 2) === 0) return null;
  const missingBytes = start + frame.readUInt32BE(at + (flags & 1 ? 12 : 8)) - sizeBytes;
  // Some encoders count slightly more than they write.
  return missingBytes > 2048 ? cutOff(`${missingBytes} bytes of its sound are missing`) : null;
}

type Header = Pick<QuickProbe, 'durationMs' | 'channels'>;

const unknown: Header = { durationMs: null, channels: null };

/** A parser that fails proves nothing against a recording: the decoder decides. */
async function readHeader({ path }: AudioSource, timeoutMs: number): Promise<Header> {
  const tokenizer = await fromFile(path);
  limitReads(tokenizer);
  const parsed = parseFromTokenizer(tokenizer, { skipCovers: true, duration: false }).then(
    ({ format: { duration, numberOfChannels, numberOfSamples } }): Header => {
      const seconds = duration ?? (numberOfSamples === 0 ? 0 : undefined);
      const isTold = seconds !== undefined && Number.isFinite(seconds) && seconds >= 0;
      return { durationMs: isTold ? Math.round(seconds * 1000) : null, channels: numberOfChannels ?? null };
    },
    () => unknown,
  );
  try {
    return (await within(parsed, timeoutMs)) ?? unknown;
  } finally {
    // Also ends a parser that is still reading.
    await tokenizer.close();
  }
}

const readSizeBytesMax = 4 * 1024 * 1024;
const readBytesTotalMax = 64 * 1024 * 1024;

/** A header may claim a tag of 250 MB, which the parser would load into memory. It gets an error instead. */
function limitReads(tokenizer: ITokenizer): void {
  const readBuffer = tokenizer.readBuffer.bind(tokenizer);
  const peekBuffer = tokenizer.peekBuffer.bind(tokenizer);
  let total = 0;
  const count = (target: Uint8Array) => {
    total += target.length;
    if (target.length > readSizeBytesMax || total > readBytesTotalMax) throw new RangeError('The header is too large.');
  };
  tokenizer.readBuffer = async (target, options) => {
    count(target);
    return readBuffer(target, options);
  };
  tokenizer.peekBuffer = async (target, options) => {
    count(target);
    return peekBuffer(target, options);
  };
}
