import type { Fragment, Sql } from 'postgres';
import { derivedId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { eventName, orderData, type OrderType } from './client.ts';
import { within } from '../lib/within.ts';
import type { EngineEvent } from './engine/types.ts';
import type { EventType } from '../domain/events/service.ts';

/** Hands over waiting events in order, and marks them. Returns their number; `null` if another instance is doing it. */
export type Deliver = (options: DeliverOptions) => Promise<number | null>;
export type DeliverOptions = { limit: number; skip: readonly string[] };

export type OutboxOptions = {
  sql: Sql;
  log: Logger;
  deliver: Deliver;
  /** Whether the event itself causes the failure, so that it would fail again while others would not. */
  isEventFault(error: unknown): boolean;
};

export type OutboxRow = {
  id: string;
  org_id: string;
  type: EventType;
  data: Record<string, unknown>;
  traceparent: string | null;
  created_at: Date;
  announcements: number;
};

const batchSize = 100;
const backoffMsMin = 1000;
const backoffMsMax = 30_000;
const skipMs = 60_000;
const stopMs = 1000;

/**
 * Drains the outbox: as soon as a transaction that wrote events commits, and when `wake` is called. An unavailable
 * engine is retried with growing delays; an event that it rejects is skipped for a minute, and does not block the
 * others.
 */
export class OutboxDrainer {
  readonly #options: OutboxOptions;
  readonly #skipped = new Map<string, number>();
  #draining: Promise<void> | undefined;
  #isWakeDue = false;
  #isStopped = false;
  #retryAt = 0;
  #backoffMs = backoffMsMin;
  #unlisten: (() => Promise<void>) | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const wake = (): void => this.wake();
    const news = await this.#options.sql.listen('earshot_outbox', wake, wake);
    this.#unlisten = () => news.unlisten();
  }

  /** Also called every second, in case a notification was lost. */
  wake(): void {
    this.#isWakeDue = true;
    if (this.#isStopped || this.#draining || Date.now() < this.#retryAt) return;
    this.#draining = this.#drain().finally(() => (this.#draining = undefined));
  }

  /** Rejects while events wait for an engine that does not accept them. */
  async check(): Promise<void> {
    if (this.#isStopped || Date.now() < this.#retryAt) throw new Error('The pipeline engine takes no events.');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await within(Promise.all([this.#unlisten?.(), this.#draining]), stopMs).catch(() => {});
  }

  async #drain(): Promise<void> {
    while (this.#isWakeDue && !this.#isStopped) {
      this.#isWakeDue = false;
      try {
        const count = await this.#options.deliver({ limit: batchSize, skip: this.#skipList() });
        this.#backoffMs = backoffMsMin;
        if (count === batchSize) this.#isWakeDue = true;
      } catch (error) {
        if (!(await this.#stepAside(error))) return this.#waitForEngine(error);
        this.#isWakeDue = true;
      }
    }
  }

  #waitForEngine(err: unknown): void {
    this.#retryAt = Date.now() + this.#backoffMs;
    this.#options.log.warn({ err, retryInMs: this.#backoffMs }, 'pipeline: events wait for the engine');
    this.#backoffMs = Math.min(this.#backoffMs * 2, backoffMsMax);
  }

  /** Delivers events one by one to find the rejected one. False if no event is the cause. */
  async #stepAside(cause: unknown): Promise<boolean> {
    const { deliver, isEventFault, log, sql } = this.#options;
    if (!isEventFault(cause)) return false;
    try {
      while ((await deliver({ limit: 1, skip: this.#skipList() })) === 1);
      return true;
    } catch (err) {
      if (!isEventFault(err)) return false;
      const [row] = await selectWaiting(sql, { limit: 1, skip: this.#skipList() });
      if (!row) return true;
      this.#skipped.set(row.id, Date.now() + skipMs);
      log.error({ err, eventId: row.id, type: row.type }, 'pipeline: the engine refuses an event; others go on');
      return true;
    }
  }

  #skipList(): string[] {
    for (const [id, until] of this.#skipped) if (until < Date.now()) this.#skipped.delete(id);
    return [...this.#skipped.keys()];
  }
}

/** Waiting events, oldest first. Locked if called in a transaction. */
export function selectWaiting(sql: Sql, { limit, skip }: DeliverOptions) {
  return sql<OutboxRow[]>`
    select id, org_id, type, data, traceparent, created_at, announcements from outbox
     where dispatched_at is null and not (id = any(${[...skip]}))
     order by id limit ${limit}`;
}

/**
 * The event that an engine gets for an order. Engines accept an id once, so each announcement has its own, by which
 * `eventIdOf` in SQL finds its run. Servers delay events from the future, so a database clock that is ahead must not
 * date them.
 */
export function toEngineEvent(row: OutboxRow & { type: OrderType }): EngineEvent {
  const { id, org_id, type, data, traceparent, created_at, announcements } = row;
  const told = Object.keys(orderData[type].shape).flatMap((key) => (key in data ? [[key, data[key]] as const] : []));
  const context = traceparent === null ? {} : { traceparent };
  return {
    id: announcements === 0 ? id : `${id}-${announcements}`,
    name: eventName(type),
    data: { ...Object.fromEntries(told), orgId: org_id, orderId: id, ...context },
    ts: Math.min(created_at.getTime(), Date.now()),
  };
}

/** The id of the latest announcement of an outbox row. */
export function eventIdOf(sql: Sql, outbox: Fragment): Fragment {
  return sql`${outbox}.id || case when ${outbox}.announcements > 0 then '-' || ${outbox}.announcements else '' end`;
}

const day = 86_400_000;
/** Long enough to investigate problems, and to recognize an event that is written twice. */
const keptForMs = 7 * day;
/** A threshold is announced once a month. */
const thresholdsKeptForMs = 62 * day;
const pruneBatchSize = 2_000;

/** Deletes events that were handed over long ago and orders that are done, oldest first. Returns their number. */
export async function pruneOutbox(sql: Sql, now = new Date()): Promise<number> {
  const before = (ageMs: number) => derivedId('event', { at: new Date(now.getTime() - ageMs), seed: '' });
  for (let total = 0; ;) {
    const rows = await sql`
      with old as (
        delete from outbox where id in (
          select id from outbox
           where dispatched_at is not null and due_at is null and id < ${before(keptForMs)}
             and (type <> 'budget.threshold_reached' or id < ${before(thresholdsKeptForMs)})
           order by id limit ${pruneBatchSize} for update skip locked)
        returning id, org_id
      ),
      sends as (delete from mail_sends m using old where (m.org_id, m.order_id) = (old.org_id, old.id))
      select id from old`;
    total += rows.length;
    if (rows.length < pruneBatchSize) return total;
  }
}
