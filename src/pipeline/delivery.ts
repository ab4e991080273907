import type { Inngest } from 'inngest';
import type { Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import type { Engine } from './engine/engine.ts';
import { jsonText } from './engine/json.ts';
import type { Tx } from './engine/store-runs.ts';
import type { Leader } from './leader.ts';
import { isOrder, patienceOf } from './orders.ts';
import { selectWaiting, toEngineEvent, type Deliver, type OutboxRow } from './outbox.ts';

/** Any fixed number. One instance drains at a time, which keeps the order of events. */
export const outboxLock = 4_271_983_157;

/** Delivers to the embedded engine: orders, the runs that they start, and their mark commit together. */
export function deliverToEngine(sql: Sql, engine: Pick<Engine, 'takeEvents' | 'wake'>): Deliver {
  return async ({ limit, skip }) => {
    let started = 0;
    const count = await sql.begin(async (tx) => {
      const locked = tx<{ isFree: boolean }[]>`select pg_try_advisory_xact_lock(${outboxLock}) as "isFree"`;
      const waiting = tx<OutboxRow[]>`
        select id, org_id, type, data, traceparent, created_at, announcements from outbox
         where dispatched_at is null and not (id = any(${[...skip]}))
         order by id limit ${limit} for update skip locked`;
      const [[lock], rows] = await Promise.all([locked, waiting]);
      if (!lock?.isFree) return null;
      if (rows.length === 0) return 0;
      started = await engine.takeEvents(tx, rows.filter(isOrder).map(toEngineEvent));
      await mark(tx, rows, 'embedded');
      return rows.length;
    });
    if (started > 0) engine.wake();
    return count;
  };
}

/**
 * Delivers to an Inngest server, from the leading instance. Events are marked once the server has accepted them; one
 * that is sent twice because the mark was lost has the same id, and counts once there. No transaction is open
 * meanwhile.
 */
export function deliverToServer({ sql, client, leader }: ServerDelivery): Deliver {
  return async (options) => {
    if (!(await leader.leads())) return null;
    const rows = await selectWaiting(sql, options);
    if (rows.length === 0) return 0;
    const orders = rows.filter(isOrder);
    if (orders.length > 0) await client.send(orders.map(toEngineEvent));
    await mark(sql, rows, 'inngest');
    return rows.length;
  };
}

type ServerDelivery = { sql: Sql; client: Pick<Inngest.Any, 'send'>; leader: Pick<Leader, 'leads'> };

/** Orders are open from now on, unless the server has completed them already. Other events need no work. */
async function mark(sql: Tx, rows: readonly OutboxRow[], engine: Config['PIPELINE_ENGINE']): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const marks = rows.map((row) => ({ id: row.id, patience_ms: patienceOf(row, engine) }));
  await sql`
    update outbox o
       set dispatched_at = now(),
           due_at = case when done_at is null then now() + make_interval(secs => m.patience_ms / 1000) end,
           done_at = case when m.patience_ms is null then now() else done_at end
      from jsonb_to_recordset(${jsonText(marks)}::text::jsonb) as m(id text, patience_ms float8)
     where o.id = m.id and o.id = any(${ids})`;
}
