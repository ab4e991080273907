import type { Sql } from 'postgres';
import type { Wait } from './deadline.ts';
import { ConnectionError, isDatabaseDown } from './failures.ts';
import type { OpenPool } from './driver/pool.ts';
import { createShares } from './shares.ts';

export type Readers = {
  /**
   * Reserves a connection for `work` until it is done. Waits for one if all are in use or `orgId` has its share
   * (shares.ts). Rejects if the connection is lost.
   */
  run<T>(orgId: string, work: (connection: Sql) => Promise<T>, wait?: Wait): Promise<T>;
  end(options: { timeout: number }): Promise<void>;
};

type Reader = { connection: Sql; onLoss(): void };

const lostEndTimeoutSeconds = 1;

/**
 * Connections that are reserved for one read at a time. A postgres.js pool spreads statements over its connections at
 * will; on a single connection they keep their order, so a whole transaction can be sent without waiting in between. A
 * lost connection is replaced, and its user is told, since postgres.js may never answer on it again.
 */
export function createReaders(open: OpenPool, count: number): Readers {
  const readers = Array.from({ length: count }, createReader);
  const idle = [...readers];
  const shares = createShares(count);
  let isEnding = false;

  function createReader(): Reader {
    const reader: Reader = { connection: connect(() => reader), onLoss() {} };
    return reader;
  }

  function connect(readerOf: () => Reader): Sql {
    const connection = open({ max: 1, onclose: () => replace(readerOf(), connection) });
    return connection;
  }

  function replace(reader: Reader, lost: Sql): void {
    if (isEnding || reader.connection !== lost) return;
    reader.connection = connect(() => reader);
    reader.onLoss();
    void lost.end({ timeout: lostEndTimeoutSeconds });
  }

  async function lend<T>(work: (connection: Sql) => Promise<T>): Promise<T> {
    const reader = idle.pop();
    // The shares never exceed the number of connections.
    if (!reader) throw new Error('All connections are in use.');
    const { connection } = reader;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    reader.onLoss = () => reject(new ConnectionError('CONNECTION_CLOSED', 'The connection of this reading was lost.'));
    try {
      work(connection).then(resolve, reject);
      return await promise;
    } catch (error) {
      // A server that shuts down says so before it closes the connection; nobody else should be sent to it.
      if (isDatabaseDown(error)) replace(reader, connection);
      throw error;
    } finally {
      reader.onLoss = () => {};
      idle.push(reader);
    }
  }

  return {
    run: (orgId, work, wait) => shares.hold(orgId, () => lend(work), wait),
    async end(options) {
      isEnding = true;
      await Promise.all(readers.map(({ connection }) => connection.end(options)));
    },
  };
}
