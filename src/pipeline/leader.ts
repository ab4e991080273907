import type { Sql } from 'postgres';
import { openSession } from './session.ts';
import { within } from './within.ts';

const answerTimeoutMs = 5000;

/** Makes one instance the leader for as long as its session lives, by an advisory lock. */
export class Leader {
  readonly #databaseUrl: string;
  readonly #lock: number;
  #session: Sql;
  #sessionPid = 0;

  constructor(databaseUrl: string, lock: number) {
    this.#databaseUrl = databaseUrl;
    this.#lock = lock;
    this.#session = openSession(databaseUrl);
  }

  /** Whether this instance leads now; it takes the lead where nobody has it. Rejects while the database is away. */
  async leads(): Promise<boolean> {
    const answer = await within(this.#ask(), answerTimeoutMs);
    if (!answer) {
      const hanging = this.#session;
      this.#session = openSession(this.#databaseUrl);
      await hanging.end({ timeout: 0 });
      throw new Error('The database does not answer in time.');
    }
    this.#sessionPid = answer.isHeld ? answer.pid : 0;
    return answer.isHeld;
  }

  async close(): Promise<void> {
    await this.#session.end({ timeout: 2 });
  }

  async #ask(): Promise<{ pid: number; isHeld: boolean } | undefined> {
    const [row] = await this.#session<{ pid: number; isHeld: boolean }[]>`
      select pg_backend_pid() as pid,
             case when pg_backend_pid() = ${this.#sessionPid} then true else pg_try_advisory_lock(${this.#lock}) end as "isHeld"`;
    return row;
  }
}
