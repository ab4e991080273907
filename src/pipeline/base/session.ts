import postgres, { type Sql } from 'postgres';
import { within } from '../../lib/within.ts';

const answerTimeoutMs = 5000;
const endTimeoutSeconds = 2;
const reconnectAfterSeconds = 0.25;
/** Only a connection that is no longer used is idle for this long. */
const idleTimeoutSeconds = 60;

/**
 * One dedicated connection of the system role, for locks that last as long as it does. One statement at a time. A lost
 * connection comes back as a new session, without the locks of the old one.
 */
export class Session {
  readonly #databaseUrl: string;
  #sql: Sql;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
    this.#sql = open(databaseUrl);
  }

  /**
   * Rejects if the statement fails, or after five seconds without an answer. The connection is then abandoned:
   * postgres.js may never send the next statement on one that broke, nor notice that it is gone.
   */
  async ask<T>(statement: (sql: Sql) => Promise<T>): Promise<T> {
    const sql = this.#sql;
    try {
      const answer = await within(
        statement(sql).then((value) => ({ value })),
        answerTimeoutMs,
      );
      if (answer) return answer.value;
      throw new Error('The database does not answer in time.');
    } catch (error) {
      this.#sql = open(this.#databaseUrl);
      await sql.end({ timeout: 0 });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: endTimeoutSeconds });
  }
}

function open(databaseUrl: string): Sql {
  return postgres(databaseUrl, {
    max: 1,
    connect_timeout: 10,
    idle_timeout: idleTimeoutSeconds,
    max_lifetime: null,
    backoff: () => reconnectAfterSeconds,
    // Nothing here needs array types, and looking them up is one more thing that can fail on each new connection.
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'earshot-pipeline', statement_timeout: 10_000, role: 'earshot_system' },
  });
}
