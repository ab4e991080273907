import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { newRunId } from '../../../src/pipeline/engine/store-runs.ts';
import { createLocalStorage } from '../../../src/providers/object-storage/local.ts';
import { asAdmin, eventually } from './hosts.ts';

type Traces = { databaseUrl: string; dataDir: string };

export type Rest = Traces & {
  system: Sql;
  /** Calls that were sent, by their `externalId`. */
  callCount: number;
  /** Which part of them must have come to an analysis. By default nine of ten. */
  completedMin?: number;
  /** How long it may take until nothing is under way. */
  restMs?: number;
  /** Whether what waits for its next attempt is due at once. */
  isHurried?: boolean;
  /** By default on the embedded engine. */
  runSweep?: () => Promise<void>;
};

/**
 * Waits until everything is at rest, sweeps, and holds what there is to what must be true whatever befell the service:
 * one current analysis and one charge for each completed call, one event of each kind, nothing left behind, nothing
 * stuck. Gives the number of records.
 */
export async function expectNothingLeft({
  system,
  isHurried = false,
  restMs = 120_000,
  runSweep = () => startSweep(system),
  ...rest
}: Rest): Promise<number> {
  await atRest(system, { isHurried, timeoutMs: restMs });
  await ageTraces(rest);
  await runSweep();
  await atRest(system, { isHurried, timeoutMs: restMs });
  return asAdmin(rest.databaseUrl, async (sql) => {
    const records = await expectEnded(sql, rest);
    await expectOneAnalysis(sql);
    await expectOneCharge(sql);
    await expectOneEvent(sql);
    await expectNoOrphan(sql);
    await expectNoObject(
      rest.dataDir,
      records.flatMap(({ storage_key: key }) => key ?? []),
    );
    return records.length;
  });
}

/** Waits until no call, event or step is under way or waits for anything. */
export async function atRest(
  system: Sql,
  { isHurried, timeoutMs }: { isHurried: boolean; timeoutMs: number },
): Promise<void> {
  await eventually(async () => {
    if (isHurried) await system`update engine_queue set available_at = now() where available_at > now()`;
    const [row] = await system<{ busy: number }[]>`
      select (select count(*) from records where status in ('pending', 'processing'))::int
           + (select count(*) from outbox where dispatched_at is null or due_at is not null)::int
           + (select count(*) from engine_queue)::int + (select count(*) from engine_waits)::int as busy`;
    return row?.busy === 0 || undefined;
  }, timeoutMs).catch(async (error: unknown) => {
    throw new Error(`Something never came to rest: ${JSON.stringify(await readUnrest(system))}`, { cause: error });
  });
}

function readUnrest(system: Sql): Promise<object[]> {
  return system`
    select 'queue' as what, q.function_id as name, count(*)::int as n, max(q.attempt) as attempt,
           count(*) filter (where q.owner is not null)::int as "underWay",
           round(extract(epoch from max(q.available_at) - now()))::int as "dueSeconds"
      from engine_queue q group by 2
    union all
    select 'wait', r.function_id || ' ' || w.kind, count(*)::int, null, null,
           round(extract(epoch from max(w.wake_at) - now()))::int
      from engine_waits w join engine_runs r on r.id = w.run_id group by 2
    union all
    select 'order', type, count(*)::int, max(announcements), null, round(extract(epoch from max(due_at) - now()))::int
      from outbox where dispatched_at is null or due_at is not null group by 2
    union all
    select 'record', status || ' ' || coalesce(stage, ''), count(*)::int, max(attempt), null, null
      from records where status in ('pending', 'processing') group by 2`;
}

/** As if everything that was left behind had been lying there for long. */
async function ageTraces({ databaseUrl, dataDir }: Traces): Promise<void> {
  await asAdmin(databaseUrl, (sql) => sql`update uploads set created_at = now() - interval '2 hours'`);
  const long = new Date(Date.now() - 86_400_000);
  for (const folder of [path.join(dataDir, 'work'), path.join(dataDir, 'objects', '.incoming')]) {
    for (const name of await readdir(folder).catch(() => [])) await utimes(path.join(folder, name), long, long);
  }
}

export async function startSweep(system: Sql): Promise<void> {
  const id = newRunId();
  const event = { id, name: 'inngest/scheduled.timer', data: { cron: '* * * * *' }, ts: Date.now() };
  await system.begin(async (tx) => {
    await tx`insert into engine_runs (id, function_id, event_id, event, lane)
      values (${id}, 'earshot-sweep', ${id}, ${tx.json(event)}, 'earshot-sweep:')`;
    await tx`insert into engine_queue (run_id, step_id, function_id, lane) values (${id}, 'step', 'earshot-sweep', 'earshot-sweep:')`;
    await tx`select pg_notify('earshot_engine', '')`;
  });
}

type Ended = { id: string; status: string; failure: { code?: string } | null; storage_key: string | null };

/** Every call is a record, which has come to its end, and the counters of its day say so. */
async function expectEnded(sql: Sql, { callCount, completedMin = callCount * 0.9 }: Omit<Rest, 'system' | 'restMs'>) {
  const records = await sql<Ended[]>`select id, status, failure, storage_key from records`;
  expect(records.length).toBeGreaterThanOrEqual(callCount);
  expect(
    records.filter(({ status, failure }) => status !== 'completed' && !(status === 'failed' && failure?.code)),
  ).toEqual([]);
  expect(records.filter(({ status }) => status === 'completed').length).toBeGreaterThanOrEqual(completedMin);
  const [calls] = await sql<{ n: number }[]>`select count(distinct external_id)::int as n from records`;
  expect(calls?.n).toBe(callCount);
  const [days] = await sql`
    select coalesce(sum(completed), 0)::int as completed, coalesce(sum(failed), 0)::int as failed,
           coalesce(sum(pending + processing), 0)::int as open from record_days`;
  const count = (name: string): number => records.filter(({ status }) => status === name).length;
  expect(days).toEqual({ completed: count('completed'), failed: count('failed'), open: 0 });
  return records;
}

async function expectOneAnalysis(sql: Sql): Promise<void> {
  expect(
    await sql`
      select r.id from records r left join analyses a on a.record_id = r.id and a.current
       group by r.id, r.status, r.analysis_id
      having count(a.id) <> case r.status when 'completed' then 1 else 0 end
          or (r.status = 'completed' and r.analysis_id is distinct from min(a.id))`,
  ).toEqual([]);
  expect(await sql`select record_id from analyses group by record_id having count(*) > 1`).toEqual([]);
}

/** None for what failed; days and budgets add up to the entries, and nothing stays reserved. */
async function expectOneCharge(sql: Sql): Promise<void> {
  expect(
    await sql`
      select r.id, r.status, count(u.key)::int as charges
        from records r left join usage_entries u on u.org_id = r.org_id and u.record_id = r.id
       group by r.id, r.status having count(u.key) <> case r.status when 'completed' then 1 else 0 end`,
  ).toEqual([]);
  const sum = (table: string) => sql`
    select coalesce(sum(records), 0)::int as records, coalesce(sum(minutes), 0)::float8 as minutes,
           coalesce(sum(transcription_cost + analysis_cost), 0)::float8 as cost from ${sql(table)}`;
  const [entries] = await sum('usage_entries');
  expect(await sum('usage_days')).toEqual([entries]);
  const budgets = await sql`select used::float8 as cost, reserved::float8 as reserved from budgets`;
  expect(budgets).toEqual(budgets.map(() => ({ cost: entries?.['cost'], reserved: 0 })));
}

async function expectOneEvent(sql: Sql): Promise<void> {
  expect(
    await sql`
      select type, data->>'recordId' as record, count(*)::int as n from outbox
       where type in ('record.created', 'record.completed', 'record.failed', 'analysis.completed')
       group by 1, 2 having count(*) > 1`,
  ).toEqual([]);
  expect(
    await sql`
      select r.id, r.status from records r
       where not exists (select from outbox o where o.data->>'recordId' = r.id and o.type = 'record.' || r.status)`,
  ).toEqual([]);
  expect(
    await sql`
      select event_id, webhook_id from webhook_deliveries group by 1, 2 having count(*) > 1`,
  ).toEqual([]);
}

async function expectNoOrphan(sql: Sql): Promise<void> {
  expect(await sql`select id, status, error from engine_runs where status = 'running'`).toEqual([]);
  expect(await sql`select id, next_attempt_at from webhook_deliveries where status = 'pending'`).toEqual([]);
  expect(await sql`select from uploads`).toHaveLength(0);
  expect(await sql`select record_id from model_answers`).toEqual([]);
}

async function expectNoObject(dataDir: string, known: string[]): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of createLocalStorage({ directory: path.join(dataDir, 'objects') }).list()) keys.push(key);
  expect(keys.toSorted()).toEqual(known.toSorted());
  expect(await readdir(path.join(dataDir, 'work')).catch(() => [])).toEqual([]);
  const incoming = await readdir(path.join(dataDir, 'objects', '.incoming')).catch(() => []);
  expect(incoming.filter((name) => !name.startsWith('check'))).toEqual([]);
}
