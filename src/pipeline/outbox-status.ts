import type { Sql } from 'postgres';

export type OutboxStatus = {
  /** Events that were not handed over yet. */
  waiting: number;
  oldestWaitingAt: Date | null;
  /** Orders that were handed over and are not done, the kind with the oldest first. */
  open: OpenOrders[];
};

/** `overdue`: orders that are about to be announced again. */
export type OpenOrders = { type: string; open: number; overdue: number; oldestAt: Date };

export async function readOutboxStatus(sql: Sql): Promise<OutboxStatus> {
  const [[row], open] = await Promise.all([
    sql<Omit<OutboxStatus, 'open'>[]>`
      select (select count(*)::int from outbox where dispatched_at is null) as waiting,
             (select min(created_at) from outbox where dispatched_at is null) as "oldestWaitingAt"`,
    readOpenOrders(sql),
  ]);
  if (!row) throw new Error('The database answered nothing.');
  return { ...row, open };
}

export function readOpenOrders(sql: Sql) {
  return sql<OpenOrders[]>`
    select type, count(*)::int as open, (count(*) filter (where due_at < now()))::int as overdue,
           min(created_at) as "oldestAt"
      from outbox where due_at is not null group by type order by 4`;
}
