import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { releaseMemory } from '../../lib/release-memory.ts';
import type { ObjectBody, StoredObject } from './interface.ts';

/** Small enough to be written while it is still in the processor's cache, also with several uploads at a time. */
const batchSizeBytes = 256 * 1024;
/** The disk works while the rest is received: left to the end, flushing took a third of the time of an upload. */
const flushEveryBytes = 16 * 1024 * 1024;

type Sink = { file: FileHandle; isBodyDisposable: boolean };

/**
 * Writes a body into an open file: while a thread of the file system writes one batch, the next one is received and
 * hashed here. When it resolves or rejects, nothing is going on in the file any more; the last bytes are not flushed yet.
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
    // A failure is thrown where `written` is awaited, which may be some time from now.
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
    // The file must not be closed under an operation that is still going on.
    await Promise.allSettled([written, flusher.done()]);
  }
  await Promise.all([written, flusher.done()]);
  return { sizeBytes, sha256: hash.digest('hex') };
}

type Flusher = { count: (writtenBytes: number) => void; done: () => Promise<void> };

/** Flushes what has been written, one flush at a time. The first failure stays: the system reports it only once. */
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

/** A file takes less than it was given when the disk is about to be full. */
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
