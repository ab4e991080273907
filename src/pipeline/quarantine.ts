import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import { type ChildEnding, endingOf } from '../lib/child.ts';
import type { Logger } from '../lib/logger.ts';
import type { Suspects } from './engine/store-claims.ts';
import { countCrash } from './engine/store-leases.ts';
import { within } from '../lib/within.ts';

/** Messages to the process: first whom it works for, finally to end. */
export type QuarantineOrder =
  | { type: 'begin'; config: Config; databaseUrl: string }
  | { type: 'stop'; graceMs: number };

/** Messages from the process: that it is ready, what it works on (null: nothing), and a sign of life every second. */
export type QuarantineReport = { type: 'ready' } | { type: 'work'; itemId: number | null } | { type: 'alive' };

type Options = { sql: Sql; log: Logger; config: Config; databaseUrl: string };

const script = fileURLToPath(new URL('../quarantine.ts', import.meta.url));
const idleMs = 30_000;
const watchEveryMs = 5_000;
/** Counted in checks, not time: after a pause of the whole machine, the process gets to report first. */
const quietLooksMax = 6;
/** If no process can be started, suspects run here for this long before the next try. */
const brokenMs = 60_000;
const endMs = 2_000;
/** More than one, so that a slow item does not delay all others. */
const wardsMax = 2;

/**
 * Items whose holders have died repeatedly run in separate processes, one item at a time. If such a process dies, the
 * item was the cause; if this process dies instead, something else was, and the item gets another try.
 */
export class Quarantine {
  readonly #options: Options;
  readonly #wards = new Set<Ward>();
  #brokenUntil = 0;
  #isStopping = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** How this process's engine should treat suspects. */
  suspects(): Suspects {
    return Date.now() < this.#brokenUntil ? 'taken' : 'left';
  }

  /** Call every second with whether suspects are due. */
  look(isSuspectDue: boolean): void {
    const wards = [...this.#wards];
    const isFree = wards.length < wardsMax && wards.every(({ itemId }) => itemId !== null);
    if (!isSuspectDue || !isFree || this.#isStopping || this.suspects() === 'taken') return;
    const ward = new Ward(this.#options);
    this.#wards.add(ward);
    void ward.ended.then((ending) => this.#conclude(ward, ending));
  }

  async stop({ graceMs }: { graceMs: number }): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#wards].map((ward) => ward.stop(graceMs)));
  }

  async #conclude(ward: Ward, { code, lostTo }: ChildEnding): Promise<void> {
    const { log, sql } = this.#options;
    this.#wards.delete(ward);
    const how = lostTo ?? `exit code ${code}`;
    if (this.#isStopping || code === 0) return;
    if (!ward.isReady) {
      this.#brokenUntil = Date.now() + brokenMs;
      log.error({ how }, 'pipeline: the process for suspect work cannot be started; it is done here meanwhile');
      return;
    }
    log.warn({ how, itemId: ward.itemId }, 'pipeline: the process for suspect work has died');
    if (ward.itemId === null) return;
    await countCrash(sql, ward.itemId).catch((err: unknown) => {
      log.warn({ err }, 'pipeline: a crash could not be counted');
    });
  }
}

/** One quarantine process, from start to end. */
class Ward {
  readonly ended: Promise<ChildEnding>;
  isReady = false;
  itemId: number | null = null;
  readonly #child: ChildProcess;
  readonly #watch: NodeJS.Timeout;
  #quietLooks = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor({ config, databaseUrl, log }: Options) {
    this.#child = fork(script, {
      // Protected from the terminal's Ctrl-C, like all children; it ends with this process in any case.
      detached: true,
      serialization: 'advanced',
      execArgv: process.execArgv.filter((argument) => argument.startsWith('--max-')),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('error', () => resolve(endingOf(null, null)));
      this.#child.once('exit', (code, signal) => resolve(endingOf(code, signal)));
    });
    this.#child.on('message', (report: QuarantineReport) => this.#hear(report));
    this.#watch = setInterval(() => {
      this.#quietLooks += 1;
      if (this.#quietLooks <= quietLooksMax) return;
      log.warn({ itemId: this.itemId }, 'pipeline: the process for suspect work gives no sign of life');
      this.#child.kill('SIGKILL');
    }, watchEveryMs);
    void this.ended.then(() => this.#clear());
    this.#tell({ type: 'begin', config, databaseUrl });
  }

  async stop(graceMs: number): Promise<void> {
    this.#tell({ type: 'stop', graceMs });
    await within(this.ended, graceMs + endMs);
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  #hear(report: QuarantineReport): void {
    this.#quietLooks = 0;
    if (report.type === 'ready') this.isReady = true;
    if (report.type === 'work') this.itemId = report.itemId;
    if (report.type === 'alive') return;
    clearTimeout(this.#idle);
    if (this.itemId === null) this.#idle = setTimeout(() => this.#tell({ type: 'stop', graceMs: 0 }), idleMs);
  }

  /** Does nothing if the process has ended. */
  #tell(order: QuarantineOrder): void {
    if (this.#child.connected) this.#child.send(order, () => {});
  }

  #clear(): void {
    clearInterval(this.#watch);
    clearTimeout(this.#idle);
  }
}
