import type { Sql } from 'postgres';
import { isDatabaseDown } from './failures.ts';
import type { OpenPool } from './pool.ts';

export type Lanes = {
  /** Lends a connection to `work` alone until it is done; waits for one when all are lent. Rejects when it is lost. */
  run<T>(work: (connection: Sql) => Promise<T>): Promise<T>;
  end(options: { timeout: number }): Promise<void>;
};

type Lane = { connection: Sql; onLoss(): void };

const lostEndTimeoutSeconds = 1;

/**
 * Connections that are lent out one reading at a time. A pool of postgres.js spreads statements over its connections
 * as it likes; on one connection they keep their order, so a whole transaction can be sent without waiting in between.
 * A lost connection is replaced, and whoever works on it is told: postgres.js may never answer on it again.
 */
export function createLanes(open: OpenPool, count: number): Lanes {
  const lanes = Array.from({ length: count }, createLane);
  const idle = [...lanes];
  const waiting: ((lane: Lane) => void)[] = [];
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

  async function acquire(): Promise<Lane> {
    return idle.pop() ?? new Promise((resolve) => waiting.push(resolve));
  }

  function release(lane: Lane): void {
    lane.onLoss = () => {};
    const next = waiting.shift();
    if (next) next(lane);
    else idle.push(lane);
  }

  return {
    async run(work) {
      const lane = await acquire();
      const { connection } = lane;
      const { promise: lost, reject } = Promise.withResolvers<never>();
      lane.onLoss = () => reject(new LostConnectionError());
      try {
        return await Promise.race([work(connection), lost]);
      } catch (error) {
        // A server that goes away says so before it hangs up; nobody else should be sent after it.
        if (isDatabaseDown(error)) replace(lane, connection);
        throw error;
      } finally {
        release(lane);
      }
    },
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
