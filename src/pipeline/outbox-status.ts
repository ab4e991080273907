import type { Sql } from 'postgres';

export type OutboxStatus = { waiting: number; oldestWaitingAt: Date | null };

export async function readOutboxStatus(sql: Sql): Promise<OutboxStatus> {
  const [row] = await sql<OutboxStatus[]>`
    select (select count(*)::int from outbox where dispatched_at is null) as waiting,
           (select min(created_at) from outbox where dispatched_at is null) as "oldestWaitingAt"`;
  if (!row) throw new Error('The database answered nothing.');
  return row;
}
