import { createHash } from 'node:crypto';
import { createDigest, partBytes, type Digest } from './manifest.ts';
import type { Sink } from './sink.ts';
import type { Entry } from './tar.ts';

const partPattern = /^(.*)\.(\d{4,})$/;

/** Cuts a stream into parts; an empty stream has one empty part. */
export async function* inParts(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  let isCut = false;
  for await (const chunk of stream) {
    // A source may reuse the memory of a chunk.
    chunks.push(Buffer.from(chunk));
    sizeBytes += chunk.length;
    if (sizeBytes < partBytes) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    sizeBytes = 0;
    isCut = true;
  }
  if (sizeBytes > 0 || !isCut) yield Buffer.concat(chunks);
}

export type StreamWriter = {
  write(name: string, parts: AsyncIterable<Buffer>): Promise<{ sizeBytes: number }>;
  digest: Digest;
};

export function createStreamWriter(sink: Sink): StreamWriter {
  const digest = createDigest();
  return {
    digest,
    async write(name, parts) {
      const hash = createHash('sha256');
      let sizeBytes = 0;
      let part = 0;
      for await (const bytes of parts) {
        hash.update(bytes);
        sizeBytes += bytes.length;
        await sink.write({ name: `${name}.${String(part++).padStart(4, '0')}`, bytes });
      }
      digest.add({ name, sizeBytes, sha256: hash.digest('hex') });
      return { sizeBytes };
    },
  };
}

/** One stream of a backup. Read its parts to the end before asking for the next stream. */
export type Stream = { name: string; parts: AsyncIterable<Buffer> };

/** Joins parts into streams again. Single pieces, such as the manifest, go to `onEntry`. */
export async function* readStreams(
  entries: AsyncIterator<Entry>,
  { digest, onEntry }: { digest: Digest; onEntry: (entry: Entry) => void },
): AsyncGenerator<Stream> {
  let next = await entries.next();

  async function* partsOf(name: string): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    while (!next.done && streamOf(next.value) === name) {
      const { bytes } = next.value;
      hash.update(bytes);
      sizeBytes += bytes.length;
      yield bytes;
      next = await entries.next();
    }
    digest.add({ name, sizeBytes, sha256: hash.digest('hex') });
  }

  while (!next.done) {
    const name = streamOf(next.value);
    if (name === null) {
      onEntry(next.value);
      next = await entries.next();
    } else {
      yield { name, parts: partsOf(name) };
    }
  }
}

function streamOf({ name }: Entry): string | null {
  return partPattern.exec(name)?.[1] ?? null;
}
