import type { Fragment, Sql } from 'postgres';
import type { EventType } from '../domain/events/service.ts';
import { appId, eventName } from './client.ts';

const batchSize = 500;
const removedMax = 5000;

/**
 * Records in progress without a recent sign of life, a run that works on them, or an event about them that is waiting
 * or not done.
 */
export async function selectStuckAttempts(system: Sql, silentMs: number) {
  return system<{ orgId: string; recordId: string; attempt: number }[]>`
    select r.org_id as "orgId", r.id as "recordId", r.attempt from records r
     where r.status in ('pending', 'processing')
       and r.updated_at < now() - make_interval(secs => ${silentMs / 1000})
       and ${nobodyWorksOn(system, {
         functionId: 'process-record',
         order: 'record.process.requested',
         key: system`'recordId'`,
         subject: system`(r.org_id, r.id)`,
       })}
     order by r.updated_at limit ${batchSize}`;
}

/** Running re-analyses in the same situation. */
export async function selectStuckReanalyses(system: Sql, silentMs: number) {
  return system<{ orgId: string; recordId: string; analysisId: string }[]>`
    select a.org_id as "orgId", a.record_id as "recordId", a.id as "analysisId" from analyses a
     where a.status in ('pending', 'processing')
       and a.updated_at < now() - make_interval(secs => ${silentMs / 1000})
       and ${nobodyWorksOn(system, {
         functionId: 'reanalyze-record',
         order: 'analysis.process.requested',
         key: system`'analysisId'`,
         subject: system`(a.org_id, a.id)`,
       })}
     order by a.updated_at limit ${batchSize}`;
}

type Work = {
  functionId: string;
  /** Type of the event that orders it. */
  order: EventType;
  /** The id's field in the event. */
  key: Fragment;
  /** Organization and id of the subject. */
  subject: Fragment;
};

function nobodyWorksOn(system: Sql, { functionId, order, key, subject }: Work): Fragment {
  return system`
    not exists (
      select from engine_runs e
       where e.status = 'running' and e.function_id = ${`${appId}-${functionId}`} and e.event->>'name' = ${eventName(order)}
         and (e.event->'data'->>'orgId', e.event->'data'->>${key}) = ${subject})
    and not exists (
      select from outbox o
       where o.dispatched_at is null and o.type = ${order} and (o.org_id, o.data->>${key}) = ${subject})
    and not exists (
      select from outbox o
       where o.due_at is not null and o.type = ${order} and (o.org_id, o.data->>${key}) = ${subject})`;
}

/** Objects whose upload began an hour ago and that belong to no record. */
export async function selectAbandonedUploads(system: Sql, ageMs: number) {
  return system<{ orgId: string; storageKey: string }[]>`
    select u.org_id as "orgId", u.storage_key as "storageKey" from uploads u
     where u.created_at < now() - make_interval(secs => ${ageMs / 1000})
       and not exists (
         select from records r
          where r.org_id = u.org_id and r.id = split_part(u.storage_key, '/', 2) and r.storage_key = u.storage_key)
     order by u.created_at limit ${batchSize}`;
}

/** Long overdue deliveries whose round is neither running nor waiting to start. */
export async function selectStuckDeliveries(system: Sql, silentMs: number) {
  return system<{ orgId: string; deliveryId: string; webhookId: string; requestId: string }[]>`
    select d.org_id as "orgId", d.id as "deliveryId", d.webhook_id as "webhookId", d.request_id as "requestId"
      from webhook_deliveries d
     where d.status = 'pending' and d.next_attempt_at < now() - make_interval(secs => ${silentMs / 1000})
       and not exists (
         select from engine_runs e
          where e.function_id = ${`${appId}-deliver-webhook`} and e.event_id = d.request_id and e.status = 'running')
       and not exists (select from outbox o where o.id = d.request_id and o.dispatched_at is null)
     order by d.next_attempt_at limit ${batchSize}`;
}

/** Deletes deliveries older than 30 days, in all organizations. Returns their number. */
export async function removeOldDeliveries(system: Sql): Promise<number> {
  const { count } = await system`
    delete from webhook_deliveries where (org_id, id) in (
      select org_id, id from webhook_deliveries where created_at < now() - interval '30 days'
       order by created_at limit ${removedMax})`;
  return count;
}

/** Organizations with search documents of an earlier version. */
export function selectOrgsToIndex(system: Sql): Promise<{ orgId: string }[]> {
  return system`select org_id as "orgId" from search_remakes union select org_id from search_passages_due`;
}
