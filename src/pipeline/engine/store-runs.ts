import type { Sql, TransactionSql } from 'postgres';
import { typeid } from 'typeid-js';
import { jsonText } from './json.ts';
import {
  discoveryStepId,
  type EngineEvent,
  type EventTrigger,
  type FunctionSpec,
  type SavedStep,
  type StepState,
} from './types.ts';

export type Tx = Sql | TransactionSql;
type Parent = { runId: string; stepId: string };
export type NewRun = { spec: FunctionSpec; event: EngineEvent; parent?: Parent };

export function newRunId(): string {
  return typeid('run').toString();
}

/**
 * Starts a run of every function that an event triggers, in the caller's transaction. A repeated event (same id) starts
 * nothing. Returns the number of started runs.
 */
export async function takeEvents(
  tx: Tx,
  specs: readonly FunctionSpec[],
  events: readonly EngineEvent[],
): Promise<number> {
  const runs = events.flatMap((event) =>
    specs.filter((spec) => spec.events.some((trigger) => triggers(event, trigger))).map((spec) => ({ spec, event })),
  );
  return startRuns(tx, runs);
}

function triggers({ name, data }: EngineEvent, { event, failureOf }: EventTrigger): boolean {
  return name === event && (failureOf === null || data['function_id'] === failureOf);
}

/** Adds runs with their first queue items; those that exist (same event) are left out. */
export async function startRuns(tx: Tx, runs: readonly NewRun[]): Promise<number> {
  if (runs.length === 0) return 0;
  const rows = await tx`
    with given as (
      select * from jsonb_to_recordset(${jsonText(runs.map(toRow))}::text::jsonb)
        as g(id text, function_id text, event_id text, event jsonb, lane text, parent_run_id text, parent_step_id text)
    ),
    added as (
      insert into engine_runs (id, function_id, event_id, event, lane, parent_run_id, parent_step_id)
      select id, function_id, event_id, event, lane, parent_run_id, parent_step_id from given
      on conflict do nothing
      returning id, function_id, lane
    )
    insert into engine_queue (run_id, step_id, function_id, lane)
    select id, ${discoveryStepId}, function_id, lane from added order by id
    returning run_id`;
  return rows.length;
}

function toRow({ spec, event, parent }: NewRun) {
  const id = newRunId();
  return {
    id,
    function_id: spec.id,
    event_id: event.id || id,
    event: { ...event, id: event.id || id },
    lane: spec.laneOf(event),
    parent_run_id: parent?.runId ?? null,
    parent_step_id: parent?.stepId ?? null,
  };
}

export type LockedRun = { id: string; functionId: string; lane: string };

/** The run, locked, if it has not ended. Whatever changes a run takes this lock before any other. */
export async function lockRun(tx: Tx, id: string): Promise<LockedRun | undefined> {
  const [row] = await tx<LockedRun[]>`
    select id, function_id as "functionId", lane from engine_runs
     where id = ${id} and status = 'running' for no key update`;
  return row;
}

/** Ends a wait with its result. False if it or its run has ended before. */
export async function resolveWait(tx: Tx, wait: { runId: string; stepId: string; state: StepState }): Promise<boolean> {
  const run = await lockRun(tx, wait.runId);
  if (!run) return false;
  const ended = await tx`delete from engine_waits where run_id = ${wait.runId} and step_id = ${wait.stepId}`;
  if (ended.count === 0) return false;
  await saveSteps(tx, run.id, [{ stepId: wait.stepId, name: null, state: wait.state }]);
  await queueDiscovery(tx, run);
  return true;
}

export async function saveSteps(tx: Tx, runId: string, steps: readonly SavedStep[]): Promise<void> {
  if (steps.length === 0) return;
  await tx`
    insert into engine_steps (run_id, step_id, name, data, error)
    select ${runId}, step_id, name, data, error from ${stepRecords(tx, steps)}
    on conflict do nothing`;
}

/** Steps as a table `(step_id, name, data, error)`, in order. */
export function stepRecords(tx: Tx, steps: readonly SavedStep[]) {
  const rows = steps.map(({ stepId, name, state }) => ({
    step_id: stepId,
    name,
    data: state.type === 'data' ? state.data : null,
    error: state.type === 'error' ? (state.error ?? {}) : null,
  }));
  return tx`jsonb_to_recordset(${jsonText(rows)}::text::jsonb) as g(step_id text, name text, data jsonb, error jsonb)`;
}

/** Has the function called again, unless something of the run is pending: it is called once all of it is there. */
export async function queueDiscovery(tx: Tx, { id, functionId, lane }: LockedRun, isForced = false): Promise<void> {
  await tx`
    insert into engine_queue (run_id, step_id, function_id, lane)
    select ${id}, ${discoveryStepId}, ${functionId}, ${lane}
     where ${isForced} or not (
       exists (select from engine_queue where run_id = ${id} and step_id <> ${discoveryStepId})
       or exists (select from engine_waits where run_id = ${id}))
    on conflict (run_id, step_id) do update set is_again = true where engine_queue.owner is not null`;
}

/** Ends sleeps and timed-out waits, a few at a time. Returns their number. */
export async function wakeByTime(sql: Sql): Promise<number> {
  return sql.begin(async (tx) => {
    const waits = await tx<{ run_id: string; step_id: string; kind: string }[]>`
      select run_id, step_id, kind from (
        select run_id, step_id, kind from engine_waits where wake_at <= now() order by wake_at limit 100) due
      order by run_id desc, step_id`;
    let woken = 0;
    for (const { run_id, step_id, kind } of waits) {
      const state: StepState =
        kind === 'invoke'
          ? { type: 'error', error: { name: 'Error', message: 'The invoked function did not end in time.' } }
          : { type: 'data', data: null };
      woken += (await resolveWait(tx, { runId: run_id, stepId: step_id, state })) ? 1 : 0;
    }
    return woken;
  });
}
