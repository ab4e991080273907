import type { Readable } from 'node:stream';

type Copy = { readable(): Promise<Readable> };

/**
 * The rows of a `copy … to stdout`, as they come. postgres.js pauses its socket while the stream is full and resumes it
 * when more is asked for. After the last row nothing is asked for any more, so a socket paused by then would never
 * answer the next statement; asking once again resumes it. It also refuses statements, even the ROLLBACK of a reader that
 * failed, until the last row has come; what that reader leaves is dropped.
 */
export async function* copiedRows(copy: Copy): AsyncGenerator<Uint8Array> {
  const rows = await copy.readable();
  let isGivenUp = true;
  try {
    yield* rows as AsyncIterable<Uint8Array>;
    isGivenUp = false;
    rows._read(0);
  } catch (error) {
    isGivenUp = false;
    throw error;
  } finally {
    if (isGivenUp) await dropRest(rows);
  }
}

function dropRest(rows: Readable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  rows.push = (chunk) => {
    if (chunk === null) resolve();
    return true;
  };
  rows.destroy = () => {
    resolve();
    return rows;
  };
  rows._read(0);
  return promise;
}
