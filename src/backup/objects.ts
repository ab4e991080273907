import { StorageError, type ObjectStorage } from '../providers/object-storage/interface.ts';
import type { Progress } from './progress.ts';
import { keyOfStream, objectStream } from './manifest.ts';
import { inParts, type Stream, type StreamWriter } from './streams.ts';

/** Requests in parallel: each takes a bucket a while, and most recordings are small. */
const atOnce = 6;

type Copying = {
  keys: readonly string[];
  storage: ObjectStorage;
  writer: StreamWriter;
  onProgress(progress: Progress): void;
};

export type Copied = { count: number; sizeBytes: number; missing: string[] };

/** Writes recordings into a backup. `missing` lists those that the storage does not have. */
export async function copyObjects({ keys, storage, writer, onProgress }: Copying): Promise<Copied> {
  const copied: Copied = { count: 0, sizeBytes: 0, missing: [] };
  const opened: { key: string; opening: Promise<Opened | null> }[] = [];
  let next = 0;
  const openMore = () => {
    for (const key of keys.slice(next, next + atOnce - opened.length)) {
      const opening = openObject(storage, key);
      // The error is reported to whoever awaits it later.
      opening.catch(() => {});
      opened.push({ key, opening });
      next += 1;
    }
  };
  openMore();
  for (let object = opened.shift(); object; object = opened.shift()) {
    const content = await object.opening;
    if (content) {
      const { sizeBytes } = await writer.write(objectStream(object.key), partsOf(content));
      copied.count += 1;
      copied.sizeBytes += sizeBytes;
    } else {
      copied.missing.push(object.key);
    }
    onProgress({
      what: 'recordings',
      done: copied.count + copied.missing.length,
      total: keys.length,
      sizeBytes: copied.sizeBytes,
    });
    openMore();
  }
  return copied;
}

type Opened = { first: Buffer; rest: AsyncGenerator<Buffer> };

async function openObject(storage: ObjectStorage, key: string): Promise<Opened | null> {
  try {
    const rest = inParts(await storage.open(key));
    const first = await rest.next();
    return { first: first.done ? Buffer.alloc(0) : first.value, rest };
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'not_found') return null;
    throw error;
  }
}

async function* partsOf({ first, rest }: Opened): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Restores recordings into a storage, small ones in parallel. */
export function createObjectRestorer(storage: ObjectStorage) {
  const underWay = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  const copied = { count: 0, sizeBytes: 0 };

  async function put(key: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { sizeBytes } = await storage.put(key, body);
    copied.count += 1;
    copied.sizeBytes += sizeBytes;
  }

  function fail(): void {
    if (failure) throw failure.error;
  }

  return {
    copied,
    async restore({ name, parts }: Stream): Promise<void> {
      fail();
      const key = keyOfStream(name);
      const all: Buffer[] = [];
      const iterator = parts[Symbol.asyncIterator]();
      const first = await iterator.next();
      if (!first.done) all.push(first.value);
      const second = await iterator.next();
      if (!second.done) {
        await put(key, following([...all, second.value], iterator));
        return;
      }
      const putting = put(key, following(all, iterator)).catch((error: unknown) => {
        failure ??= { error };
      });
      underWay.add(putting);
      void putting.finally(() => underWay.delete(putting));
      if (underWay.size >= atOnce) await Promise.race(underWay);
    },
    /** Waits for all writes, however they end. Nothing is written afterwards. */
    async settle(): Promise<void> {
      await Promise.all(underWay);
    },
    async finish(): Promise<void> {
      await Promise.all(underWay);
      fail();
    },
  };
}

async function* following(known: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* known;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
