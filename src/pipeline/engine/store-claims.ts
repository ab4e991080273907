import type { Sql } from 'postgres';
import type { Tx } from './store-runs.ts';
import { jsonText } from './json.ts';
import type { EngineEvent, FunctionSpec, Item, StepState } from './types.ts';

/** Two numbers identify an advisory lock: this one, and the instance that holds it. */
export const instanceLockSpace = 1_163_021_896;
/** Serializes claims over all instances for about a millisecond each, so that limits are exact. */
const claimLock = 4_271_983_156;
const lanesMax = 200;
const oldestMax = 50;

/**
 * Items whose holders have died repeatedly (`losses >= 3`) are suspects, whether or not they were the cause. A process
 * takes them, leaves them to others, or takes nothing else.
 */
export type Suspects = 'taken' | 'left' | 'only';

export type ClaimInput = {
  owner: number;
  /** The free slots. */
  slotGroups: readonly { slots: number; functionIds: ReadonlySet<string> }[];
  leaseMs: number;
  /** Functions with external effects: their claims must not be forgotten. */
  outward: readonly string[];
  specs: readonly FunctionSpec[];
  suspects: Suspects;
};

/** `hasMore`: due items are left, for lack of slots or because of a limit. */
export type Claim = { items: Item[]; hasMore: boolean };

type ItemRow = {
  id: number;
  run_id: string;
  step_id: string;
  function_id: string;
  lane: string;
  attempt: number;
  deliveries: number;
  losses: number;
  crashes: number;
  event: EngineEvent;
  parent_run_id: string | null;
  parent_step_id: string | null;
  steps: { id: string; data: unknown; error: unknown }[] | null;
  has_pending: boolean;
};

/**
 * Leases due items, up to the free slots. Lanes take turns: the item whose lane has the fewest running items goes
 * first, then the oldest. The limits of functions and lanes count the leases of all instances.
 */
export async function claimItems(sql: Sql, input: ClaimInput): Promise<Claim> {
  const [rows, hasMore] = await sql.begin(async (tx) => {
    // Losing a claim of work that may be repeated costs nothing, so its commit does not wait for the disk.
    const prepared = tx`select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${claimLock})`;
    const claimed = tx<ItemRow[]>`
      with recursive ${occupancy(tx, input)},
      ${dueLanes(tx)},
      ${chosenItems(tx, input.suspects)},
      locked as (
        select id from engine_queue
         where id = any(array(select id from chosen)) and owner is null for update skip locked
      ),
      taken as (
        update engine_queue q
           set owner = ${input.owner}, locked_until = now() + make_interval(secs => ${input.leaseMs / 1000}),
               deliveries = deliveries + 1
         where q.id = any(array(select id from locked))
        returning q.*
      )
      select t.id::float8 as id, t.run_id, t.step_id, t.function_id, t.lane, t.attempt, t.deliveries, t.losses, t.crashes,
             r.event, r.parent_run_id, r.parent_step_id,
             (select jsonb_agg(jsonb_build_object('id', s.step_id, 'data', s.data, 'error', s.error) order by s.position)
                from engine_steps s where s.run_id = t.run_id) as steps,
             exists (select from engine_queue o where o.run_id = t.run_id and o.id <> t.id)
             or exists (select from engine_waits w where w.run_id = t.run_id) as has_pending
        from taken t
       cross join lateral (select * from engine_runs where id = t.run_id limit 1) r
       order by t.available_at, t.id`;
    const left = tx<{ hasMore: boolean }[]>`
      select exists (
        select from engine_queue q where owner is null and available_at <= now() and ${isTaken(tx, input.suspects)}) as "hasMore",
             case when exists (
               select from engine_queue q where owner = ${input.owner} and function_id = any(${input.outward})
                  and xmin = pg_current_xact_id_if_assigned()::xid)
             then set_config('synchronous_commit', 'on', true) end`;
    const [, items, [more]] = await Promise.all([prepared, claimed, left]);
    return [items, more?.hasMore === true] as const;
  });
  return { items: rows.map(toItem), hasMore };
}

/** What each function may still run, if it has a slot, and what is leased of each lane. */
function occupancy(sql: Tx, { slotGroups, specs }: ClaimInput) {
  const limits = slotGroups.flatMap(({ slots: places, functionIds }, room) =>
    specs
      .filter(({ id }) => functionIds.has(id))
      .map(({ id, limit, laneLimit }) => ({
        function_id: id,
        function_limit: limit,
        lane_limit: laneLimit,
        room,
        places,
      })),
  );
  return sql`
    leased as (
      select function_id, lane, count(*)::int as n from engine_queue where owner is not null group by 1, 2
    ),
    spec as (
      select s.*, coalesce((select sum(n)::int from leased l where l.function_id = s.function_id), 0) as leased,
             ${lanesMax} + (select count(*)::int from leased l where l.function_id = s.function_id) as lanes_max
        from jsonb_to_recordset(${jsonText(limits)}::text::jsonb)
          as s(function_id text, function_limit int, lane_limit int, room int, places int)
    )`;
}

/**
 * Lanes with due items, found by walking the index from lane to lane, however long each one's backlog, plus those of
 * the oldest items. Lanes at their limit are skipped in addition, so that they do not hide the others.
 */
function dueLanes(sql: Tx) {
  const isDue = sql`q.owner is null and q.available_at <= now()`;
  return sql`
    walk(lane, function_id, depth, depth_max) as (
      select n.lane, s.function_id, 1, s.lanes_max from spec s cross join lateral (
        select q.lane from engine_queue q where ${isDue} and q.function_id = s.function_id order by q.lane limit 1) n
      union all
      select n.lane, w.function_id, w.depth + 1, w.depth_max from walk w cross join lateral (
        select q.lane from engine_queue q
         where ${isDue} and q.function_id = w.function_id and q.lane > w.lane order by q.lane limit 1) n
       where w.depth < w.depth_max
    ),
    lanes as (
      select lane, function_id from walk
      union
      (select lane, function_id from (
        select q.lane, q.function_id from engine_queue q where ${isDue} order by q.available_at limit ${oldestMax}) o)
    )`;
}

/** Worded as in the index of suspects. */
function isTaken(sql: Tx, suspects: Suspects) {
  if (suspects === 'taken') return sql`true`;
  return suspects === 'only' ? sql`q.losses >= 3` : sql`q.losses < 3`;
}

function chosenItems(sql: Tx, suspects: Suspects) {
  return sql`
    candidates as (
      select c.id, c.available_at, s.function_id, s.function_limit, s.leased, s.room, s.places,
             coalesce(o.n, 0) + row_number() over (partition by l.lane order by c.available_at, c.id) as place
        from lanes l
        join spec s using (function_id)
        left join leased o on o.lane = l.lane
       cross join lateral (
         select q.id, q.available_at from engine_queue q
          where q.owner is null and q.function_id = l.function_id and q.lane = l.lane and q.available_at <= now()
            and ${isTaken(sql, suspects)}
          order by q.available_at, q.id
          limit case when s.lane_limit is null then s.places
               else least(s.places, greatest(s.lane_limit - coalesce(o.n, 0), 0)) end) c
    ),
    ranked as (
      select *, leased + row_number() over (partition by function_id order by place, available_at, id) as function_place
        from candidates
    ),
    fitting as (
      select id, places, row_number() over (partition by room order by place, available_at, id) as room_place
        from ranked where function_limit is null or function_place <= function_limit
    ),
    chosen as (select id from fitting where room_place <= places)`;
}

function toItem(row: ItemRow): Item {
  return {
    id: row.id,
    runId: row.run_id,
    stepId: row.step_id,
    functionId: row.function_id,
    lane: row.lane,
    attempt: row.attempt,
    deliveries: row.deliveries,
    losses: row.losses,
    crashes: row.crashes,
    event: row.event,
    parent: row.parent_run_id && row.parent_step_id ? { runId: row.parent_run_id, stepId: row.parent_step_id } : null,
    steps: (row.steps ?? []).map(({ id, data, error }) => ({ id, state: toState(data, error) })),
    hasPending: row.has_pending,
  };
}

function toState(data: unknown, error: unknown): StepState {
  return error === null ? { type: 'data', data } : { type: 'error', error };
}

/** An instance that holds leases but not its lock: it is dead, or has lost a connection. */
export type Missing = { owner: number; lockedUntil: string };

export type Pulse = {
  pid: number;
  isDue: boolean;
  /** Whether a suspect is due; `isDue` covers the others. */
  isSuspectDue: boolean;
  isOutboxWaiting: boolean;
  hasExpired: boolean;
  missing: Missing[];
  /** Milliseconds until the next item or wait becomes due. */
  nextMs: number | null;
};

/** The one statement that an idle engine runs every second. */
export async function readPulse(sql: Sql): Promise<Pulse> {
  const [row] = await sql<Pulse[]>`
    select pg_backend_pid() as pid,
           exists (select from engine_queue where owner is null and available_at <= now() and losses < 3) as "isDue",
           exists (select from engine_queue where owner is null and available_at <= now() and losses >= 3) as "isSuspectDue",
           exists (select from outbox where dispatched_at is null) as "isOutboxWaiting",
           exists (select from engine_queue where owner is not null and locked_until < now()) as "hasExpired",
           (select coalesce(jsonb_agg(m), '[]') from (
              select owner, max(locked_until) as "lockedUntil" from engine_queue
               where owner is not null and owner not in (${liveInstances(sql)}) group by owner) m) as missing,
           (extract(epoch from least(
              (select min(available_at) from engine_queue where owner is null and available_at > now()),
              (select min(wake_at) from engine_waits)) - now()) * 1000)::float8 as "nextMs"`;
  if (!row) throw new Error('The database answered nothing.');
  return row;
}

/** Whether an engine runs anywhere on this database. */
export async function hasLiveInstance(sql: Sql): Promise<boolean> {
  const rows = await sql`${liveInstances(sql)} limit 1`;
  return rows.length > 0;
}

/** Keys of the engines that run on this database. */
export function liveInstances(sql: Sql) {
  return sql`select objid::int8::int4 from pg_locks
    where locktype = 'advisory' and classid = ${instanceLockSpace} and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`;
}
