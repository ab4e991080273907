import type { Sql } from 'postgres';
import { appId, eventName } from './client.ts';

const batchSize = 500;

/** Records under way that nobody has touched for a while, no run works on and no waiting event is about. */
export async function selectStuckPasses(system: Sql, silentMs: number) {
  return system<{ orgId: string; recordId: string; attempt: number }[]>`
    select r.org_id as "orgId", r.id as "recordId", r.attempt from records r
     where r.status in ('pending', 'processing')
       and r.updated_at < now() - make_interval(secs => ${silentMs / 1000})
       and not exists (
         select from engine_runs e
          where e.status = 'running' and e.function_id = ${`${appId}-process-record`}
            and e.event->>'name' = ${eventName('record.process.requested')} and e.event->'data'->>'recordId' = r.id)
       and not exists (
         select from outbox o
          where o.dispatched_at is null and o.type = 'record.process.requested'
            and o.org_id = r.org_id and o.data->>'recordId' = r.id)
     order by r.updated_at limit ${batchSize}`;
}

/** Re-analyses under way of which the same is true. */
export async function selectStuckReanalyses(system: Sql, silentMs: number) {
  return system<{ orgId: string; recordId: string; analysisId: string }[]>`
    select a.org_id as "orgId", a.record_id as "recordId", a.id as "analysisId" from analyses a
     where a.status in ('pending', 'processing')
       and a.updated_at < now() - make_interval(secs => ${silentMs / 1000})
       and not exists (
         select from engine_runs e
          where e.status = 'running' and e.function_id = ${`${appId}-reanalyze-record`}
            and e.event->>'name' = ${eventName('analysis.process.requested')} and e.event->'data'->>'analysisId' = a.id)
       and not exists (
         select from outbox o
          where o.dispatched_at is null and o.type = 'analysis.process.requested'
            and o.org_id = a.org_id and o.data->>'analysisId' = a.id)
     order by a.updated_at limit ${batchSize}`;
}

/** Objects that were being received an hour ago and belong to no record. */
export async function selectAbandonedUploads(system: Sql, ageMs: number) {
  return system<{ orgId: string; storageKey: string }[]>`
    select u.org_id as "orgId", u.storage_key as "storageKey" from uploads u
     where u.created_at < now() - make_interval(secs => ${ageMs / 1000})
       and not exists (
         select from records r
          where r.org_id = u.org_id and r.id = split_part(u.storage_key, '/', 2) and r.storage_key = u.storage_key)
     order by u.created_at limit ${batchSize}`;
}
