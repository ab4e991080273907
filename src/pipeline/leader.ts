import { Session } from './base/session.ts';

/** Makes one instance the leader while its session lives, by an advisory lock. */
export class Leader {
  readonly #lock: number;
  readonly #session: Session;
  #sessionPid = 0;

  constructor(databaseUrl: string, lock: number) {
    this.#lock = lock;
    this.#session = new Session(databaseUrl);
  }

  /** Whether this instance leads now; it takes the lead if nobody has it. Rejects while the database is down. */
  async leads(): Promise<boolean> {
    const [answer] = await this.#session.ask(
      (sql) => sql<{ pid: number; isHeld: boolean }[]>`
        select pg_backend_pid() as pid,
               case when pg_backend_pid() = ${this.#sessionPid} then true else pg_try_advisory_lock(${this.#lock}) end as "isHeld"`,
    );
    const isHeld = answer?.isHeld === true;
    this.#sessionPid = answer && isHeld ? answer.pid : 0;
    return isHeld;
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}
