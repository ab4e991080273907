import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

/** Microseconds, unlike other columns: a due time must never be rounded into the future. */
function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}

/** One execution of one durable function for one event. (function, event id) makes a repeated delivery count once. */
export const engineRuns = pgTable(
  'engine_runs',
  {
    id: text('id').primaryKey(),
    functionId: text('function_id').notNull(),
    eventId: text('event_id').notNull(),
    event: jsonb('event').$type<Record<string, unknown>>().notNull(),
    /** Of 0.2, as `is_race` below: instances of it may run beside us. */
    idempotencyKey: text('idempotency_key'),
    /** The unit of fairness and limits: the function and its concurrency key, or else the organization. */
    lane: text('lane').notNull(),
    status: text('status', { enum: ['running', 'completed', 'failed'] })
      .notNull()
      .default('running'),
    output: jsonb('output'),
    error: jsonb('error').$type<{ name: string; message: string }>(),
    failures: integer('failures').notNull().default(0),
    parentRunId: text('parent_run_id'),
    parentStepId: text('parent_step_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    uniqueIndex('engine_runs_event').on(t.functionId, t.eventId),
    uniqueIndex('engine_runs_idempotency')
      .on(t.functionId, t.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    index('engine_runs_running')
      .on(t.functionId)
      .where(sql`status = 'running'`),
    index('engine_runs_ended')
      .on(t.endedAt)
      .where(sql`ended_at is not null`),
    index('engine_runs_failed')
      .on(t.endedAt)
      .where(sql`status = 'failed'`),
  ],
);

/** Results that a run never computes again. `position` is the order in which they were reached. */
export const engineSteps = pgTable(
  'engine_steps',
  {
    runId: text('run_id')
      .notNull()
      .references(() => engineRuns.id, { onDelete: 'cascade' }),
    stepId: text('step_id').notNull(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    name: text('name'),
    data: jsonb('data'),
    error: jsonb('error'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.stepId] })],
);

/** Work to do: either a run's next discovery (`step_id` = `step`) or one of its parallel steps. */
export const engineQueue = pgTable(
  'engine_queue',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    runId: text('run_id')
      .notNull()
      .references(() => engineRuns.id, { onDelete: 'cascade' }),
    stepId: text('step_id').notNull(),
    functionId: text('function_id').notNull(),
    lane: text('lane').notNull(),
    attempt: integer('attempt').notNull().default(0),
    isRace: boolean('is_race').notNull().default(false),
    /** Something happened to the run during this discovery, so it must be repeated. */
    isAgain: boolean('is_again').notNull().default(false),
    availableAt: moment('available_at').notNull().defaultNow(),
    /**
     * The instance that works on it. Valid only while that instance holds its advisory lock, and until `locked_until`.
     */
    owner: integer('owner'),
    lockedUntil: moment('locked_until'),
    /** Counts the leases. A result is only accepted from the holder of the latest one. */
    deliveries: integer('deliveries').notNull().default(0),
    /** Leases that ended with the death of their holder. */
    losses: integer('losses').notNull().default(0),
    /** Deaths of a process that worked on this item alone and was not stopped by anybody. */
    crashes: integer('crashes').notNull().default(0),
  },
  (t) => [
    uniqueIndex('engine_queue_step').on(t.runId, t.stepId),
    index('engine_queue_function')
      .on(t.functionId, t.lane, t.availableAt, t.id)
      .where(sql`owner is null`),
    index('engine_queue_due')
      .on(t.availableAt)
      .where(sql`owner is null`),
    // `suspectLosses` of the engine as a literal: an index takes no parameters.
    index('engine_queue_suspects')
      .on(t.availableAt)
      .where(sql`owner is null and losses >= 3`),
    index('engine_queue_leased')
      .on(t.owner)
      .where(sql`owner is not null`),
  ],
);

/**
 * Steps that end by themselves: sleeps and invoked functions. Awaited events exist only in 0.1, which may run beside
 * this release.
 */
export const engineWaits = pgTable(
  'engine_waits',
  {
    runId: text('run_id')
      .notNull()
      .references(() => engineRuns.id, { onDelete: 'cascade' }),
    stepId: text('step_id').notNull(),
    kind: text('kind', { enum: ['sleep', 'event', 'invoke'] }).notNull(),
    eventName: text('event_name'),
    expression: text('expression'),
    isRace: boolean('is_race').notNull().default(false),
    /** When a sleep ends, or when another wait times out. */
    wakeAt: moment('wake_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.stepId] }),
    index('engine_waits_wake').on(t.wakeAt),
    index('engine_waits_event')
      .on(t.eventName)
      .where(sql`kind = 'event'`),
  ],
);
