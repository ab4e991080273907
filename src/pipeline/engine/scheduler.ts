import type { Sql } from 'postgres';
import type { Logger } from '../../lib/logger.ts';
import { within } from '../../lib/within.ts';
import type { Instance } from './instance.ts';
import { createAbsences } from './absences.ts';
import { claimItems, type Missing, type Pulse, type Suspects } from './store-claims.ts';
import { reclaimItems, releaseItems, renewLeases } from './store-leases.ts';
import { wakeByTime } from './store-runs.ts';
import type { FunctionSpec, Item, Transition } from './types.ts';
import type { Worker } from './worker.ts';

export type SchedulerOptions = {
  sql: Sql;
  log: Logger;
  instance: Instance;
  worker: Worker;
  specs: readonly FunctionSpec[];
  slotGroups: readonly SlotGroup[];
  leaseMs: number;
  outward: readonly string[];
  suspects(): Suspects;
  onPulse(pulse: Pulse): void;
  /** Called and awaited before work on an item, and with null after it. */
  onWork(itemId: number | null): Promise<void>;
};

/** Concurrent items of these functions in this process. */
export type SlotGroup = { slots: number; functionIds: ReadonlySet<string> };

type Stopping = { graceMs: number; isFault: boolean; abandon(): void };

type Active = Pick<Item, 'id' | 'functionId' | 'deliveries'> & { done: Promise<void> };

const pollMs = 1000;
/** A sign of life for instances that miss our lock, which is lost with a connection and regained with the next. */
const renewMs = 1000;
/** How long work may take to end after it was told to. */
const abandonMs = 1500;
const databaseMs = 1000;
/** An unanswered renewal is abandoned after this time: the next one may get another connection. */
const renewalMs = 2000;

/** Decides when to look for work: at once when there is news, and every second in any case. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #active = new Set<Active>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #absences = createAbsences();
  #isStopping = false;
  #isClaiming = false;
  #isWakeDue = false;
  /** Due items were left when we last looked: slots that become free are for them. */
  #hasMore = false;
  #lastPulseAt = 0;
  #polling: Promise<void> = Promise.resolve();
  #claiming: Promise<void> = Promise.resolve();

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Running items in this process. */
  get active(): number {
    return this.#active.size;
  }

  /** When the database last answered, in milliseconds since 1970. */
  get lastPulseAt(): number {
    return this.#lastPulseAt;
  }

  async start(): Promise<void> {
    await this.#reclaim([]);
    await this.#poll();
    this.wake();
    this.#pollLater();
    this.#renewLater();
  }

  /** Looks for work now. */
  wake(): void {
    this.#isWakeDue = true;
    if (!this.#isClaiming && !this.#isStopping) this.#claiming = this.#claimAll();
  }

  /** Takes no more work, waits up to `graceMs` for running items, aborts the rest and returns it to the queue. */
  async stop({ graceMs, isFault, abandon }: Stopping): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    // Each of these waits while the database is down.
    await within(Promise.all([this.#polling, this.#claiming]), databaseMs);
    await within(Promise.all(this.#underWay()), graceMs);
    if (this.#active.size > 0) {
      abandon();
      await within(Promise.all(this.#underWay()), abandonMs);
    }
    const { sql, instance, log } = this.#options;
    try {
      await within(releaseItems(sql, { owner: instance.key, isFault }), databaseMs);
    } catch (err) {
      log.warn({ err }, 'pipeline: leases could not be given back; they run out by themselves');
    }
  }

  async #claimAll(): Promise<void> {
    const { sql, instance, leaseMs, outward, specs, suspects, log } = this.#options;
    this.#isClaiming = true;
    try {
      while (this.#isWakeDue && !this.#isStopping) {
        const slotGroups = this.#freeSlots();
        this.#isWakeDue = false;
        if (slotGroups.length === 0) {
          this.#hasMore = true;
          return;
        }
        const { items, hasMore } = await claimItems(sql, {
          owner: instance.key,
          slotGroups,
          leaseMs,
          outward,
          specs,
          suspects: suspects(),
        });
        this.#hasMore = hasMore;
        for (const item of items) if (!this.#isUnderWay(item)) this.#run(item);
      }
    } catch (err) {
      log.warn({ err }, 'pipeline: cannot claim work');
    } finally {
      this.#isClaiming = false;
    }
  }

  #run(item: Item): void {
    const { id, functionId, deliveries } = item;
    const done = this.#work(item).then((result) => {
      this.#active.delete(active);
      if (typeof result === 'object') this.#wakeFor(result);
      if (this.#hasMore || hasFollowed(item, result)) this.wake();
    });
    const active: Active = { id, functionId, deliveries, done };
    this.#active.add(active);
  }

  async #work(item: Item): ReturnType<Worker['work']> {
    const { worker, onWork } = this.#options;
    await onWork(item.id);
    const result = await worker.work(item);
    await onWork(null);
    return result;
  }

  /** The same claim again: the database has crashed and forgotten the first one, whose work continues. */
  #isUnderWay({ id, deliveries }: Item): boolean {
    return [...this.#active].some((active) => active.id === id && active.deliveries === deliveries);
  }

  #underWay(): Promise<void>[] {
    return [...this.#active].map(({ done }) => done);
  }

  #freeSlots(): SlotGroup[] {
    const active = [...this.#active];
    return this.#options.slotGroups.flatMap(({ slots, functionIds }) => {
      const taken = active.filter(({ functionId }) => functionIds.has(functionId)).length;
      return taken < slots ? [{ slots: slots - taken, functionIds }] : [];
    });
  }

  /** Short delays use our own timer; polling covers long ones and other instances' work. */
  #wakeFor(transition: Transition): void {
    const delays = transition.kind === 'advance' ? transition.waits.map(({ delayMs }) => delayMs) : [];
    if (transition.kind === 'retry') delays.push(transition.delayMs);
    const soonest = Math.min(...delays);
    if (soonest < pollMs) this.#after(soonest, () => this.#endWaits());
  }

  #after(delayMs: number, work: () => Promise<void>): void {
    if (this.#isStopping) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        void work();
      },
      Math.max(1, Math.ceil(delayMs)),
    );
    this.#timers.add(timer);
  }

  async #endWaits(): Promise<void> {
    try {
      while (!this.#isStopping && (await wakeByTime(this.#options.sql)) > 0) this.wake();
      this.wake();
    } catch (err) {
      this.#options.log.warn({ err }, 'pipeline: cannot end waits');
    }
  }

  async #poll(): Promise<void> {
    try {
      const pulse = await this.#options.instance.pulse();
      this.#lastPulseAt = Date.now();
      this.#options.onPulse(pulse);
      const dead = this.#absences.look(pulse.missing.filter(({ owner }) => owner !== this.#options.instance.key));
      if (pulse.hasExpired || dead.length > 0) await this.#reclaim(dead);
      if (pulse.nextMs !== null && pulse.nextMs < pollMs) this.#after(pulse.nextMs, () => this.#endWaits());
      if (this.#isForUs(pulse)) this.wake();
    } catch (err) {
      this.#options.log.warn({ err }, 'pipeline: the database does not answer');
    }
  }

  #isForUs({ isDue, isSuspectDue }: Pulse): boolean {
    const suspects = this.#options.suspects();
    return (isDue && suspects !== 'only') || (isSuspectDue && suspects !== 'left');
  }

  #pollLater(): void {
    this.#after(pollMs, async () => {
      this.#polling = this.#poll();
      await this.#polling;
      this.#pollLater();
    });
  }

  async #reclaim(dead: readonly Missing[]): Promise<void> {
    const { sql, log } = this.#options;
    const count = await reclaimItems(sql, dead);
    if (count === 0) return;
    log.info({ count }, 'pipeline: took back work of an instance that is gone');
    this.wake();
  }

  #renewLater(): void {
    this.#after(renewMs, async () => {
      await this.#renew();
      this.#renewLater();
    });
  }

  async #renew(): Promise<void> {
    const { sql, instance, leaseMs, log } = this.#options;
    if (this.#active.size === 0) return;
    const items = [...this.#active].map(({ id, deliveries }) => ({ id, deliveries }));
    try {
      await within(renewLeases(sql, { owner: instance.key, items, leaseMs }), renewalMs);
    } catch (err) {
      log.warn({ err }, 'pipeline: leases could not be renewed');
    }
  }
}

/** Whether the end of an item has queued something that is due at once. */
function hasFollowed(item: Item, result: Awaited<ReturnType<Worker['work']>>): boolean {
  if (typeof result !== 'object') return true;
  return result.kind === 'advance' || result.kind === 'fail' || (result.kind === 'complete' && item.parent !== null);
}
