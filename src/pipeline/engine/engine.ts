import type { Inngest, InngestFunction } from 'inngest';
import type { Sql } from 'postgres';
import type { Logger } from '../../lib/logger.ts';
import { within } from '../../lib/within.ts';
import { createCronTimer, type CronTick } from './cron.ts';
import { createExecutor } from './executor.ts';
import { readFunctionSpecs } from './function-specs.ts';
import { Instance } from './instance.ts';
import { pruneRuns } from './runs.ts';
import { Scheduler, type SlotGroup } from './scheduler.ts';
import { createSdkFetch } from './sdk-api.ts';
import { StoppingError } from './stopping-error.ts';
import type { Pulse, Suspects } from './store-claims.ts';
import { startRuns, takeEvents, type Tx } from './store-runs.ts';
import { saveCheckpoint } from './store-transitions.ts';
import { toSavedStep } from './transition.ts';
import type { EngineEvent, FunctionSpec, Op } from './types.ts';
import { createWorker } from './worker.ts';

export type EngineOptions = {
  /** Connections of the system role, for everything except the session that shows that this instance lives. */
  sql: Sql;
  databaseUrl: string;
  log: Logger;
  /** Concurrent steps in this process. */
  concurrency: number;
  /** By id, functions that mostly wait: their separate concurrency, in addition to all others. */
  apart?: Readonly<Record<string, number>>;
  /** By id, functions that cost money or notify others: their claims survive a crash of the database. */
  outward?: readonly string[];
  /** How long work stays with an instance that has stopped responding but not died. */
  leaseMs?: number;
  /** Delay before the attempt after `attempt` (0 is the first). */
  backoffMs?(attempt: number): number;
  onPulse?(pulse: Pulse): void;
  /** Called whenever the engine looks for work. By default, suspects are taken too. */
  suspects?(): Suspects;
  /** Called and awaited before work on an item, and with null after it. */
  onWork?(itemId: number | null): Promise<void>;
  /** Whether another instance handles cron and cleanup. */
  isHelper?: boolean;
};

type Serving = { client: Inngest.Any; functions: readonly InngestFunction.Any[] };
type Running = { instance: Instance; scheduler: Scheduler; close(): Promise<void> };

const day = 86_400_000;
const pruneEveryMs = 600_000;
const healthyWithinMs = 5000;
const closeMs = 500;

/**
 * Runs Inngest functions durably on Postgres alone, in place of the server that the SDK talks to. Several instances
 * share one database; another instance continues a dead one's work at once.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #specs = new Map<string, FunctionSpec>();
  readonly #leaving = new AbortController();
  readonly #stopping = new AbortController();
  #serving: Serving | undefined;
  #running: Running | undefined;
  /** For `new Inngest({ fetch })`: answers the SDK's requests to a server. */
  readonly fetch: typeof fetch;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.fetch = createSdkFetch({
      takeEvents: (events) => this.#takeSentEvents(events),
      saveCheckpoint: (item, ops) => this.#saveCheckpoint(item, ops),
    });
  }

  /**
   * Aborted when this engine has been told to stop: nothing that costs money or notifies others is started after that.
   */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Aborted when running work must end now: pass it to child processes and requests. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Running steps in this process. */
  get active(): number {
    return this.#running?.scheduler.active ?? 0;
  }

  /** Whether the engine is running and the database has answered recently. */
  get isHealthy(): boolean {
    return this.#running !== undefined && Date.now() - this.#running.scheduler.lastPulseAt < healthyWithinMs;
  }

  /** Registers the functions. Throws one error that lists everything in them that is not supported. */
  serve(client: Inngest.Any, functions: readonly InngestFunction.Any[]): void {
    for (const spec of readFunctionSpecs(functions, client.id)) this.#specs.set(spec.id, spec);
    this.#serving = { client, functions };
  }

  /**
   * Takes events in the caller's transaction; after the commit, call `wake` unless the number of started runs is 0.
   * Work beyond this process's capacity is announced to the other instances.
   */
  async takeEvents(tx: Tx, events: readonly EngineEvent[]): Promise<number> {
    const count = await takeEvents(tx, [...this.#specs.values()], events);
    if (count > this.#options.concurrency - this.active) await tx`select pg_notify('earshot_engine', '')`;
    return count;
  }

  /** Looks for work now. */
  wake(): void {
    this.#running?.scheduler.wake();
  }

  async start(): Promise<void> {
    if (!this.#serving) throw new Error('The pipeline engine has no functions to run.');
    this.#running ??= await this.#open(this.#serving);
  }

  /**
   * Running work gets `graceMs` to finish; then `stopping` fires, and the rest goes back to the queue, unchanged or,
   * with `isFault`, under the same suspicion as after a killed process.
   */
  async stop({ graceMs = 4000, isFault = false }: { graceMs?: number; isFault?: boolean } = {}): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#leaving.abort(new StoppingError());
    const abandon = (): void => this.#stopping.abort(new StoppingError());
    await running.close();
    await running.scheduler.stop({ graceMs, isFault, abandon });
    await running.instance.close();
    this.#running = undefined;
  }

  async #open({ client, functions }: Serving): Promise<Running> {
    const { sql, log, databaseUrl, leaseMs = 30_000, backoffMs = backoffDefaultMs, onPulse = () => {} } = this.#options;
    const { suspects = () => 'taken', onWork = async () => {}, isHelper = false, outward = [] } = this.#options;
    const instance = await Instance.open(databaseUrl);
    const executor = createExecutor(client, functions);
    const abandoned = this.#stopping.signal;
    const worker = createWorker({ sql, log, owner: instance.key, specs: this.#specs, executor, backoffMs, abandoned });
    const specs = [...this.#specs.values()];
    const slotGroups = slotGroupsOf(specs, this.#options);
    const looking = { slotGroups, leaseMs, outward, suspects, onPulse, onWork };
    const scheduler = new Scheduler({ sql, log, instance, worker, specs, ...looking });
    const crons = createCronTimer(specs, (tick) => void this.#startCron(tick));
    const news = await sql.listen(
      'earshot_engine',
      () => this.wake(),
      () => this.wake(),
    );
    await scheduler.start();
    if (!isHelper) crons.start();
    const pruning = isHelper ? undefined : setInterval(() => void this.#prune(), pruneEveryMs);
    const close = async (): Promise<void> => {
      clearInterval(pruning);
      crons.stop();
      await within(news.unlisten(), closeMs).catch(() => {});
    };
    return { instance, scheduler, close };
  }

  async #takeSentEvents(events: EngineEvent[]): Promise<void> {
    await this.#options.sql.begin((tx) => this.takeEvents(tx, events));
    this.wake();
  }

  async #saveCheckpoint(item: { itemId: number; deliveries: number; runId: string }, ops: Op[]): Promise<boolean> {
    const owner = this.#running?.instance.key;
    return owner !== undefined && saveCheckpoint(this.#options.sql, { ...item, owner }, ops.map(toSavedStep));
  }

  async #startCron({ spec, event }: CronTick): Promise<void> {
    try {
      await startRuns(this.#options.sql, [{ spec, event }]);
      this.wake();
    } catch (err) {
      this.#options.log.warn({ err, functionId: spec.id }, 'pipeline: a cron tick was missed');
    }
  }

  async #prune(): Promise<void> {
    const { sql, log } = this.#options;
    try {
      await pruneRuns(sql, { completedMs: day, failedMs: 30 * day });
    } catch (err) {
      log.warn({ err }, 'pipeline: old runs could not be removed');
    }
  }
}

/** The concurrency of functions: most share one group of slots, each that is `apart` has its own. */
function slotGroupsOf(specs: readonly FunctionSpec[], { concurrency, apart = {} }: EngineOptions): SlotGroup[] {
  const alone = specs.filter(({ id }) => apart[id] !== undefined);
  const together = specs.filter((spec) => !alone.includes(spec));
  return [
    { slots: concurrency, functionIds: new Set(together.map(({ id }) => id)) },
    ...alone.map(({ id }) => ({ slots: apart[id] ?? 0, functionIds: new Set([id]) })),
  ];
}

/**
 * 5 s, 10 s, 20 s … up to ten minutes, each varied by up to a fifth so that failures are not retried simultaneously.
 */
function backoffDefaultMs(attempt: number): number {
  const delayMs = Math.min(5000 * 2 ** attempt, 600_000);
  return delayMs * (0.8 + Math.random() * 0.4);
}
