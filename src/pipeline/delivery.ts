import type { Inngest } from 'inngest';
import type { Sql } from 'postgres';
import type { Engine } from './engine/engine.ts';
import type { Tx } from './engine/store-runs.ts';
import type { Leader } from './leader.ts';
import { selectWaiting, toEngineEvent, type Deliver, type OutboxRow } from './outbox.ts';

/** Any fixed number; one instance at a time drains, which keeps the order. */
export const outboxLock = 4_271_983_157;

/** Into the embedded engine: events, the runs that they start and their mark commit together. */
export function deliverToEngine(sql: Sql, engine: Pick<Engine, 'takeEvents' | 'wake'>): Deliver {
  return async ({ limit, skip }) => {
    let started = 0;
    const count = await sql.begin(async (tx) => {
      const locked = tx<{ isFree: boolean }[]>`select pg_try_advisory_xact_lock(${outboxLock}) as "isFree"`;
      const waiting = tx<OutboxRow[]>`
        select id, org_id, type, data, traceparent, created_at from outbox
         where dispatched_at is null and not (id = any(${[...skip]}))
         order by id limit ${limit} for update skip locked`;
      const [[lock], rows] = await Promise.all([locked, waiting]);
      if (!lock?.isFree) return null;
      if (rows.length === 0) return 0;
      started = await engine.takeEvents(tx, rows.map(toEngineEvent));
      await mark(tx, rows);
      return rows.length;
    });
    if (started > 0) engine.wake();
    return count;
  };
}

/**
 * To an Inngest server, by the instance that leads. Marked once the server has taken them: an event that is sent twice,
 * because the mark was lost, has the same id and counts once there. No transaction is held open meanwhile.
 */
export function deliverToServer({ sql, client, leader }: ServerDelivery): Deliver {
  return async (options) => {
    if (!(await leader.leads())) return null;
    const rows = await selectWaiting(sql, options);
    if (rows.length === 0) return 0;
    await client.send(rows.map(toEngineEvent));
    await mark(sql, rows);
    return rows.length;
  };
}

type ServerDelivery = { sql: Sql; client: Pick<Inngest.Any, 'send'>; leader: Pick<Leader, 'leads'> };

async function mark(sql: Tx, rows: readonly OutboxRow[]): Promise<void> {
  await sql`update outbox set dispatched_at = now() where id in ${sql(rows.map((row) => row.id))}`;
}
