import type { Sql } from 'postgres';
import { discoveryStepId } from './types.ts';

export type RunSummary = {
  id: string;
  functionId: string;
  status: 'running' | 'completed' | 'failed';
  orgId: string | null;
  eventName: string;
  /** Completed attempts of the current or the next step. */
  attempt: number | null;
  failures: number;
  error: { name: string; message: string } | null;
  createdAt: Date;
  endedAt: Date | null;
};

/** Newest first. Works whether or not an engine is running. */
export async function listRuns(
  sql: Sql,
  { failedOnly = false, limit = 50 }: { failedOnly?: boolean; limit?: number } = {},
): Promise<RunSummary[]> {
  return sql<RunSummary[]>`
    select r.id, r.function_id as "functionId", r.status, r.failures,
           coalesce(r.event->'data'->>'orgId', r.event->'data'->'event'->'data'->>'orgId') as "orgId",
           r.event->>'name' as "eventName",
           (select max(q.attempt) from engine_queue q where q.run_id = r.id) as attempt,
           case when r.error is not null then jsonb_build_object('name', r.error->>'name', 'message', r.error->>'message') end as error,
           r.created_at as "createdAt", r.ended_at as "endedAt"
      from engine_runs r
     where ${failedOnly ? sql`r.status = 'failed'` : sql`true`}
     order by ${failedOnly ? sql`r.ended_at` : sql`r.id`} desc
     limit ${limit}`;
}

export type FailedRun = { functionId: string; event: { name: string; data: unknown } };

/** Undefined if there is no such run or it has not failed. */
export async function readFailedRun(sql: Sql, id: string): Promise<FailedRun | undefined> {
  const [run] = await sql<FailedRun[]>`
    select function_id as "functionId", event from engine_runs where id = ${id} and status = 'failed'`;
  return run;
}

/**
 * Resumes a failed run after its last completed step; failed steps are retried. False if there is no such run or it has
 * not failed.
 */
export async function retryRun(sql: Sql, id: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    const [run] = await tx`
      update engine_runs set status = 'running', error = null, ended_at = null
       where id = ${id} and status = 'failed'
      returning function_id, lane`;
    if (!run) return false;
    await tx`delete from engine_steps where run_id = ${id} and error is not null`;
    await tx`
      insert into engine_queue (run_id, step_id, function_id, lane)
      values (${id}, ${discoveryStepId}, ${run['function_id']}, ${run['lane']})`;
    await tx`select pg_notify('earshot_engine', '')`;
    return true;
  });
}

const batchSize = 2000;

/**
 * Deletes runs that ended long enough ago, with their steps. A repeated event counts once for as long as its run is
 * kept. Returns the number of deleted runs.
 */
export async function pruneRuns(
  sql: Sql,
  { completedMs, failedMs }: { completedMs: number; failedMs: number },
): Promise<number> {
  for (let total = 0; ;) {
    const rows = await sql`
      with old as (
        select id from engine_runs
         where ended_at < now() - make_interval(secs => ${Math.min(completedMs, failedMs) / 1000})
           and (status = 'completed' and ended_at < now() - make_interval(secs => ${completedMs / 1000})
             or status = 'failed' and ended_at < now() - make_interval(secs => ${failedMs / 1000}))
         limit ${batchSize} for update skip locked
      )
      delete from engine_runs r using old where r.id = old.id returning r.id`;
    total += rows.length;
    if (rows.length < batchSize) return total;
  }
}

export type EngineStatus = {
  running: number;
  queued: number;
  underWay: number;
  waiting: number;
  /** Failed runs that are still stored. */
  failed: number;
};

export async function readEngineStatus(sql: Sql): Promise<EngineStatus> {
  const [row] = await sql<EngineStatus[]>`
    select (select count(*)::int from engine_runs where status = 'running') as running,
           (select count(*)::int from engine_queue where owner is null) as queued,
           (select count(*)::int from engine_queue where owner is not null) as "underWay",
           (select count(*)::int from engine_waits) as waiting,
           (select count(*)::int from engine_runs where status = 'failed') as failed`;
  if (!row) throw new Error('The database answered nothing.');
  return row;
}
