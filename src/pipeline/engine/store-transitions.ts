import type { Sql, TransactionSql } from 'postgres';
import { jsonText } from './json.ts';
import { lockRun, queueDiscovery, resolveWait, saveSteps, startRuns, stepRecords, takeEvents } from './store-runs.ts';
import {
  discoveryStepId,
  failedEventName,
  type FunctionSpec,
  type Item,
  type NewWait,
  type SavedStep,
  type Transition,
} from './types.ts';

type Lease = { owner: number; item: Item };
type Advance = Extract<Transition, { kind: 'advance' }>;

/**
 * Carries out a transition: results, next steps and the end of the queue item commit together. False, without any
 * change, if another instance holds the lease or the run has ended.
 */
export async function applyTransition(
  sql: Sql,
  lease: Lease,
  { transition, specs }: { transition: Transition; specs: ReadonlyMap<string, FunctionSpec> },
): Promise<boolean> {
  switch (transition.kind) {
    case 'retry':
      return retryItem(sql, lease, transition);
    case 'complete':
      if (!lease.item.parent) return completeRun(sql, lease, transition.output);
      return inLease(sql, lease, (tx) => endRun(tx, lease.item, { transition, specs }));
    case 'fail':
      return inLease(sql, lease, (tx) => endRun(tx, lease.item, { transition, specs }));
    case 'advance':
      return inLease(sql, lease, (tx, isAgain) => advanceRun(tx, lease.item, { transition, specs, isAgain }));
    default:
      return transition satisfies never;
  }
}

/** Saves steps while their run continues. False if another instance holds the lease. */
export async function saveCheckpoint(
  sql: Sql,
  lease: { owner: number; itemId: number; deliveries: number; runId: string },
  steps: readonly SavedStep[],
): Promise<boolean> {
  const [row] = await sql<{ isHeld: boolean }[]>`
    with lease as materialized (
      select run_id from engine_queue
       where id = ${lease.itemId} and owner = ${lease.owner} and deliveries = ${lease.deliveries}
         and run_id = ${lease.runId} for update
    ),
    saved as (
      insert into engine_steps (run_id, step_id, name, data, error)
      select lease.run_id, g.step_id, g.name, g.data, g.error from lease, ${stepRecords(sql, steps)}
      on conflict do nothing
    )
    select exists (select from lease) as "isHeld"`;
  return row?.isHeld === true;
}

async function retryItem(
  sql: Sql,
  { owner, item }: Lease,
  { delayMs, steps }: { delayMs: number; steps: SavedStep[] },
): Promise<boolean> {
  const rows = await sql`
    with freed as (
      update engine_queue
         set owner = null, locked_until = null, attempt = attempt + 1,
             available_at = now() + make_interval(secs => ${delayMs / 1000})
       where id = ${item.id} and owner = ${owner} and deliveries = ${item.deliveries}
      returning run_id
    ),
    saved as (
      insert into engine_steps (run_id, step_id, name, data, error)
      select freed.run_id, g.step_id, g.name, g.data, g.error from freed, ${stepRecords(sql, steps)}
      on conflict do nothing
    )
    select run_id from freed`;
  return rows.length > 0;
}

/** The end of most runs, in one statement: one round trip and one commit. */
async function completeRun(sql: Sql, { owner, item }: Lease, output: unknown): Promise<boolean> {
  const rows = await sql`
    with run as materialized (
      select id from engine_runs where id = ${item.runId} and status = 'running' for no key update
    ),
    done as (
      delete from engine_queue q using run
       where q.id = ${item.id} and q.run_id = run.id and q.owner = ${owner} and q.deliveries = ${item.deliveries}
      returning q.run_id
    ),
    others as (delete from engine_queue q using done where q.run_id = done.run_id and q.id <> ${item.id}),
    waits as (delete from engine_waits w using done where w.run_id = done.run_id)
    update engine_runs r set status = 'completed', output = ${jsonText(output)}::text::jsonb, ended_at = now()
      from done where r.id = done.run_id
    returning r.id`;
  return rows.length > 0;
}

async function inLease(
  sql: Sql,
  { owner, item }: Lease,
  work: (tx: TransactionSql, isAgain: boolean) => Promise<void>,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    if (!(await lockRun(tx, item.runId))) return false;
    const [row] = await tx<{ is_again: boolean }[]>`
      delete from engine_queue where id = ${item.id} and owner = ${owner} and deliveries = ${item.deliveries}
      returning is_again`;
    if (!row) return false;
    await work(tx, row.is_again);
    return true;
  });
}

type Ending = {
  transition: Extract<Transition, { kind: 'complete' | 'fail' }>;
  specs: ReadonlyMap<string, FunctionSpec>;
};

async function endRun(tx: TransactionSql, item: Item, { transition, specs }: Ending): Promise<void> {
  const isFailed = transition.kind === 'fail';
  if (isFailed) await saveSteps(tx, item.runId, transition.steps);
  const [run] = await tx<{ failures: number }[]>`
    update engine_runs
       set status = ${isFailed ? 'failed' : 'completed'}, ended_at = now(), failures = failures + ${isFailed ? 1 : 0},
           output = ${isFailed ? null : jsonText(transition.output)}::text::jsonb,
           error = ${isFailed ? jsonText(transition.error) : null}::text::jsonb
     where id = ${item.runId}
    returning failures`;
  await tx`delete from engine_queue where run_id = ${item.runId}`;
  await tx`delete from engine_waits where run_id = ${item.runId}`;
  if (isFailed) await announceFailure(tx, item, { error: transition.error, failures: run?.failures ?? 1, specs });
  if (!item.parent) return;
  const state = isFailed
    ? ({ type: 'error', error: transition.error } as const)
    : ({ type: 'data', data: transition.output ?? null } as const);
  await resolveWait(tx, { ...item.parent, state });
}

type Failure = { error: unknown; failures: number; specs: ReadonlyMap<string, FunctionSpec> };

/** The event that triggers `onFailure` handlers, as an Inngest server sends it. */
async function announceFailure(tx: TransactionSql, item: Item, { error, failures, specs }: Failure): Promise<void> {
  const event = {
    id: `${item.runId}:failed:${failures}`,
    name: failedEventName,
    data: { function_id: item.functionId, run_id: item.runId, error, event: item.event, events: [item.event] },
    ts: Date.now(),
  };
  await takeEvents(tx, [...specs.values()], [event]);
}

type Advancing = { transition: Advance; specs: ReadonlyMap<string, FunctionSpec>; isAgain: boolean };

async function advanceRun(tx: TransactionSql, item: Item, { transition, specs, isAgain }: Advancing): Promise<void> {
  await saveSteps(tx, item.runId, transition.steps);
  await planSteps(tx, item, transition.planned);
  const added = await addWaits(tx, item.runId, transition.waits);
  const children = transition.children.flatMap(({ stepId, functionId, event }) => {
    const spec = specs.get(functionId);
    return spec && added.has(stepId) ? [{ spec, event, parent: { runId: item.runId, stepId } }] : [];
  });
  await startRuns(tx, children);
  if (!transition.isDiscoveryDue && !isAgain) return;
  await queueDiscovery(tx, { id: item.runId, functionId: item.functionId, lane: item.lane }, isAgain);
}

async function planSteps(
  tx: TransactionSql,
  { runId, functionId, lane }: Item,
  planned: Advance['planned'],
): Promise<void> {
  if (planned.length === 0) return;
  await tx`
    insert into engine_queue (run_id, step_id, function_id, lane)
    select ${runId}, g.step_id, ${functionId}, ${lane}
      from unnest(${planned}::text[]) as g(step_id)
     where g.step_id <> ${discoveryStepId}
       and not exists (select from engine_steps s where s.run_id = ${runId} and s.step_id = g.step_id)
    on conflict do nothing`;
}

/** Returns the steps whose wait is new: a step that is already awaited must not start its child twice. */
async function addWaits(tx: TransactionSql, runId: string, waits: readonly NewWait[]): Promise<Set<string>> {
  if (waits.length === 0) return new Set();
  const rows = waits.map(({ stepId, kind, delayMs }) => ({ step_id: stepId, kind, delay_ms: delayMs }));
  const added = await tx<{ step_id: string }[]>`
    insert into engine_waits (run_id, step_id, kind, wake_at)
    select ${runId}, step_id, kind, now() + make_interval(secs => delay_ms / 1000)
      from jsonb_to_recordset(${jsonText(rows)}::text::jsonb)
        as g(step_id text, kind text, delay_ms float8)
     where not exists (select from engine_steps s where s.run_id = ${runId} and s.step_id = g.step_id)
    on conflict do nothing
    returning step_id`;
  return new Set(added.map((row) => row.step_id));
}
