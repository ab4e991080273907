import type { Sql } from 'postgres';
import type { Wait } from './deadline.ts';
import { isDatabaseDown } from './failures.ts';
import type { OpenPool } from './driver/pool.ts';
import { createShares } from './shares.ts';

export type Lanes = {
  /**
   * Reserves a connection for `work` until it is done. Waits for one if all are in use or `orgId` has its share
   * (shares.ts). Rejects if the connection is lost.
   */
  run<T>(orgId: string, work: (connection: Sql) => Promise<T>, wait?: Wait): Promise<T>;
  end(options: { timeout: number }): Promise<void>;
};

type Lane = { connection: Sql; onLoss(): void };

const lostEndTimeoutSeconds = 1;

/**
 * Connections that are reserved for one read at a time. A postgres.js pool spreads statements over its connections at
 * will; on a single connection they keep their order, so a whole transaction can be sent without waiting in between. A
 * lost connection is replaced, and its user is told, since postgres.js may never answer on it again.
 */
export function createLanes(open: OpenPool, count: number): Lanes {
  const lanes = Array.from({ length: count }, createLane);
  const idle = [...lanes];
  const shares = createShares(count);
  let isEnding = false;

  function createLane(): Lane {
    const lane: Lane = { connection: connect(() => lane), onLoss() {} };
    return lane;
  }

  function connect(laneOf: () => Lane): Sql {
    const connection = open({ max: 1, onclose: () => replace(laneOf(), connection) });
    return connection;
  }

  function replace(lane: Lane, lost: Sql): void {
    if (isEnding || lane.connection !== lost) return;
    lane.connection = connect(() => lane);
    lane.onLoss();
    void lost.end({ timeout: lostEndTimeoutSeconds });
  }

  async function lend<T>(work: (connection: Sql) => Promise<T>): Promise<T> {
    const lane = idle.pop();
    // The shares never exceed the number of connections.
    if (!lane) throw new Error('All connections are lent.');
    const { connection } = lane;
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lane.onLoss = () => reject(new LostConnectionError());
    try {
      return await Promise.race([work(connection), lost]);
    } catch (error) {
      // A server that shuts down says so before it closes the connection; nobody else should be sent to it.
      if (isDatabaseDown(error)) replace(lane, connection);
      throw error;
    } finally {
      lane.onLoss = () => {};
      idle.push(lane);
    }
  }

  return {
    run: (orgId, work, wait) => shares.hold(orgId, () => lend(work), wait),
    async end(options) {
      isEnding = true;
      await Promise.all(lanes.map(({ connection }) => connection.end(options)));
    },
  };
}

class LostConnectionError extends Error {
  readonly code = 'CONNECTION_CLOSED';

  constructor() {
    super('The connection of this reading was lost.');
    this.name = 'LostConnectionError';
  }
}
