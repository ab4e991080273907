import type { Sql } from 'postgres';
import { jsonText } from './json.ts';
import { liveInstances, type Missing } from './store-claims.ts';

type Held = { id: number; deliveries: number };

/**
 * Renews the leases of items that are being worked on. If a crash of the database has lost the claim of a lease, and
 * nobody has noticed, it is taken again.
 */
export async function renewLeases(
  sql: Sql,
  { owner, items, leaseMs }: { owner: number; items: readonly Held[]; leaseMs: number },
): Promise<void> {
  await sql`
    with mine as (
      select * from jsonb_to_recordset(${jsonText(items)}::text::jsonb) as m(id bigint, deliveries int)
    ),
    held as (
      select q.id, m.deliveries from engine_queue q join mine m using (id)
       where (q.owner = ${owner} and q.deliveries = m.deliveries) or (q.owner is null and q.deliveries = m.deliveries - 1)
         for update of q skip locked
    )
    update engine_queue q
       set owner = ${owner}, deliveries = held.deliveries, locked_until = now() + make_interval(secs => ${leaseMs / 1000})
      from held where q.id = held.id`;
}

/**
 * Frees the leases of dead instances that have given no further sign of life, and expired leases. An item that was lost
 * repeatedly comes back with growing delays, so that one that kills its worker lets others run.
 */
export async function reclaimItems(sql: Sql, dead: readonly Missing[]): Promise<number> {
  const rows = await sql`
    with dead as (
      select * from jsonb_to_recordset(${jsonText(dead)}::text::jsonb) as d(owner int, "lockedUntil" timestamptz)
    ),
    lost as (
      select q.id from engine_queue q
       where q.owner is not null
         and (q.locked_until < now()
              or exists (select from dead d where d.owner = q.owner and q.locked_until <= d."lockedUntil")
                 and q.owner not in (${liveInstances(sql)}))
         for update of q skip locked
    )
    update engine_queue q
       set owner = null, locked_until = null, losses = losses + 1,
           available_at = now() + make_interval(secs => case when losses < 2 then 0 else least(10, power(2, losses - 2)) end)
      from lost where q.id = lost.id
    returning q.id`;
  return rows.length;
}

/** Counts the death of a process that worked on this item alone and was not told to end. */
export async function countCrash(sql: Sql, itemId: number): Promise<void> {
  await sql`update engine_queue set crashes = crashes + 1 where id = ${itemId}`;
}

/** Returns everything that an instance still holds, for others to take at once. With `isFault`, it counts as lost. */
export async function releaseItems(sql: Sql, { owner, isFault }: { owner: number; isFault: boolean }): Promise<void> {
  await sql`
    update engine_queue set owner = null, locked_until = null, losses = losses + ${isFault ? 1 : 0} where owner = ${owner}`;
}
