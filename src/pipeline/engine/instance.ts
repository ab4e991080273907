import { randomInt } from 'node:crypto';
import { Session } from '../base/session.ts';
import { instanceLockSpace, readPulse, type Pulse } from './store-claims.ts';

const oidMax = 2_147_483_647;

/**
 * Holds an advisory lock on its own session for as long as the process lives. Postgres releases it when the process
 * dies, however that happens, so other instances (and the next start) know whose leases are free.
 */
export class Instance {
  /** Identifies this instance in leases. */
  readonly key: number = randomInt(1, oidMax);
  readonly #session: Session;
  #sessionPid = 0;

  private constructor(databaseUrl: string) {
    this.#session = new Session(databaseUrl);
  }

  static async open(databaseUrl: string): Promise<Instance> {
    const instance = new Instance(databaseUrl);
    try {
      if (!(await instance.#holdLock())) throw new Error('Another session holds the lock of this instance.');
      return instance;
    } catch (error) {
      await instance.close();
      throw error;
    }
  }

  /**
   * Reads what there is to do, on the session that proves that this instance lives. Rejects while the database is down.
   */
  async pulse(): Promise<Pulse> {
    const pulse = await this.#session.ask(readPulse);
    // A new connection holds no lock yet; a lost one may hold it until Postgres notices.
    if (pulse.pid !== this.#sessionPid) await this.#holdLock();
    return pulse;
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  async #holdLock(): Promise<boolean> {
    const [row] = await this.#session.ask(
      (sql) => sql<{ pid: number; held: boolean }[]>`
        select pg_backend_pid() as pid, pg_try_advisory_lock(${instanceLockSpace}, ${this.key}) as held`,
    );
    if (!row?.held) return false;
    this.#sessionPid = row.pid;
    return true;
  }
}
