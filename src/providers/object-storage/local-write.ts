import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { releaseMemory } from '../../lib/release-memory.ts';
import type { ObjectBody, StoredObject } from './interface.ts';

/** Small enough to be written from the processor's cache, even with several uploads at a time. */
const batchSizeBytes = 256 * 1024;
/** The disk works while the rest arrives: flushing only at the end took a third of the time of an upload. */
const flushEveryBytes = 16 * 1024 * 1024;

type Sink = { file: FileHandle; isBodyDisposable: boolean };

/**
 * Writes a body into an open file: while the file system writes one batch, the next one is received and hashed. Once it
 * settles, no operation on the file is pending; the last bytes are not flushed yet.
 */
export async function writeBody(body: ObjectBody, sink: Sink): Promise<StoredObject> {
  const hash = createHash('sha256');
  const flusher = flushBehind(sink.file);
  let sizeBytes = 0;
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  let written = Promise.resolve();
  const writeBatch = async () => {
    await written;
    flusher.count(batchBytes);
    written = writeAll(sink, batch);
    // A failure is thrown when `written` is awaited, which may be later.
    written.catch(() => {});
    batch = [];
    batchBytes = 0;
  };
  try {
    for await (const chunk of body) {
      batch.push(chunk);
      batchBytes += chunk.length;
      sizeBytes += chunk.length;
      hash.update(chunk);
      if (batchBytes >= batchSizeBytes) await writeBatch();
    }
    await writeBatch();
  } finally {
    // The file must not be closed while an operation is pending.
    await Promise.allSettled([written, flusher.done()]);
  }
  await Promise.all([written, flusher.done()]);
  return { sizeBytes, sha256: hash.digest('hex') };
}

type Flusher = { count: (writtenBytes: number) => void; done: () => Promise<void> };

/** Flushes written data, one flush at a time. The first failure sticks: the system reports it only once. */
function flushBehind(file: FileHandle): Flusher {
  let unflushedBytes = 0;
  let isFlushing = false;
  let flushed = Promise.resolve();
  return {
    count(writtenBytes) {
      unflushedBytes += writtenBytes;
      if (isFlushing || unflushedBytes < flushEveryBytes) return;
      isFlushing = true;
      unflushedBytes = 0;
      flushed = flushed.then(() => file.datasync()).finally(() => (isFlushing = false));
      flushed.catch(() => {});
    },
    done: () => flushed,
  };
}

/** A write may be partial if the disk is nearly full. */
async function writeAll({ file, isBodyDisposable }: Sink, chunks: Uint8Array[]): Promise<void> {
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (total === 0) return;
  let { bytesWritten: done } = await file.writev(chunks);
  const all = done < total ? Buffer.concat(chunks) : Buffer.alloc(0);
  while (done < total) {
    const { bytesWritten } = await file.write(all, done);
    done += bytesWritten;
  }
  if (isBodyDisposable) for (const chunk of chunks) releaseMemory(chunk);
}
