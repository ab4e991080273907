import { AppError } from '../lib/errors.ts';
import { type AudioType, createSniffer } from '../providers/audio/sniff.ts';
import { quickProbe } from '../providers/audio/quick-probe.ts';
import { type ObjectStorage, StorageError } from '../providers/object-storage/interface.ts';

export const uploadSizeBytesMax = 500 * 1024 * 1024;

export type StoredFile = AudioType & { sizeBytes: number; sha256: string };

/**
 * Streams a recording into the storage while counting its bytes and detecting its type. Nothing is kept of a refused
 * one. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, UNPROCESSABLE (empty), SERVICE_UNAVAILABLE.
 */
export async function storeFile(
  storage: ObjectStorage,
  { key, stream, isNamed }: { key: string; stream: AsyncIterable<Buffer>; isNamed: boolean },
): Promise<StoredFile> {
  const seen: { type?: AudioType } = {};
  try {
    // The parser creates its chunks for this stream alone, and the sniffer copies what it keeps.
    const body = inspect(stream, { isNamed, tell: (type) => (seen.type = type) });
    const stored = await storage.put(key, body, { isBodyDisposable: true });
    if (!seen.type) throw notAudio(isNamed);
    return { ...seen.type, ...stored };
  } catch (err) {
    throw toUploadError(err);
  }
}

/** Throws SERVICE_UNAVAILABLE early if it is known that nothing can be stored now. */
export function assertTakesFiles({ assertUsable }: ObjectStorage): void {
  try {
    assertUsable?.();
  } catch (err) {
    throw toUploadError(err);
  }
}

/** Throws UNPROCESSABLE if the structure of the stored recording shows that it can never be processed. */
export async function probeFile(
  storage: ObjectStorage,
  { key, format }: { key: string; format: AudioType['format'] },
): Promise<{ durationMs: number | null; channels: number | null }> {
  try {
    const { defect, ...header } = await storage.withLocalFile(key, (path) => quickProbe({ path, format }));
    if (defect) throw new AppError('UNPROCESSABLE', defect);
    return header;
  } catch (err) {
    throw toUploadError(err);
  }
}

type Inspecting = { isNamed: boolean; tell: (type: AudioType) => void };

async function* inspect(stream: AsyncIterable<Buffer>, { isNamed, tell }: Inspecting): AsyncGenerator<Buffer> {
  const sniffer = createSniffer();
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.length;
    if (sizeBytes > uploadSizeBytesMax) throw new AppError('PAYLOAD_TOO_LARGE', 'The file is larger than 500 MB.');
    if (sniffer.push(chunk) === null) throw notAudio(isNamed);
    yield chunk;
  }
  if (sizeBytes === 0) throw new AppError('UNPROCESSABLE', 'The recording is an empty file.');
  const type = sniffer.end();
  if (!type) throw notAudio(isNamed);
  tell(type);
}

function notAudio(isNamed: boolean): AppError {
  const hint = isNamed
    ? ', whatever its name says.'
    : '. The part has no file name: with curl, send the file itself with an @, as in -F file=@call.mp3.';
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `The file is not WAV, MP3, OGG, FLAC or M4A${hint}`);
}

function toUploadError(err: unknown): unknown {
  if (!(err instanceof StorageError)) return err;
  const message = 'The recording cannot be stored at the moment. Try again shortly.';
  return new AppError('SERVICE_UNAVAILABLE', message, { cause: err, headers: { 'Retry-After': '30' } });
}
