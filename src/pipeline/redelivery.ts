import type { Fragment, Sql } from 'postgres';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/scope.ts';
import { reannounceReanalysis, reannounce } from '../domain/processing/service.ts';
import { reannounceDelivery } from '../domain/webhooks/service.ts';
import type { EventType } from '../domain/events/service.ts';
import type { Logger } from '../lib/logger.ts';
import { countAnnouncedAgain } from '../lib/metrics.ts';
import { jsonText } from './engine/json.ts';
import { orderFunctions } from './orders.ts';
import { eventIdOf } from './outbox.ts';
import { selectStuckDeliveries, selectStuckAttempts, selectStuckReanalyses } from './sweep-queries.ts';

export type RedeliveryDeps = { db: Database; system: Sql; config: Config; log: Logger };

const minute = 60_000;
const batchSize = 500;
/** Our own engine knows which runs exist; about a server's we only know how long they have been silent. */
const silentMs = { embedded: 5 * minute, inngest: 60 * minute };

/** Numbers of orders announced again, with their original order ids. */
export type Redelivered = { orders: number; passes: number; reanalyses: number; deliveries: number };

/**
 * Announces orders again that an engine has accepted and not completed in time, in case it has forgotten them. Every
 * order is carried out once, however often it is announced. `isForced`: all open orders, for an operator who knows that
 * they are lost.
 */
export async function redeliver(deps: RedeliveryDeps, { isForced }: { isForced: boolean }): Promise<Redelivered> {
  return {
    orders: await announceOrders(deps, isForced),
    passes: await announceAttempts(deps),
    reanalyses: await announceReanalyses(deps),
    deliveries: await announceDeliveries(deps, isForced),
  };
}

type AnnouncedOrder = { orgId: string; orderId: string; type: EventType; announcements: number };

/** Except rounds of webhooks: they are replaced as a whole, and their earlier runs become void. */
export async function announceOrders({ system, config, log }: RedeliveryDeps, isForced: boolean): Promise<number> {
  const functions = orderFunctions().filter(({ type }) => type !== 'webhook.delivery.requested');
  const silentSeconds = silentMs[config.PIPELINE_ENGINE] / 1000;
  const isDue = isForced
    ? system`o.due_at is not null`
    : system`o.due_at < now() and not ${isAlive(system, silentSeconds)}`;
  for (let total = 0; ;) {
    const announced = await system<AnnouncedOrder[]>`
      with open as (
        select o.id from outbox o
          join jsonb_to_recordset(${jsonText(functions)}::text::jsonb) as f(type text, function_id text) on f.type = o.type
         where ${isDue}
           and not exists (
             select from engine_runs e
              where e.function_id = f.function_id and e.event_id = ${eventIdOf(system, system`o`)} and e.status = 'running')
         order by o.due_at limit ${batchSize} for update of o skip locked
      ),
      announced as (
        update outbox o set dispatched_at = null, due_at = null, announcements = o.announcements + 1
          from open where o.id = open.id
        returning o.org_id, o.id, o.type, o.announcements
      )
      select org_id as "orgId", id as "orderId", type, announcements, pg_notify('earshot_outbox', '') from announced`;
    for (const { orgId, orderId, type, announcements } of announced) {
      countAnnouncedAgain(type);
      const fields = { orgId, orderId, type, announcements };
      if (isForced) log.info(fields, 'an open order is announced again');
      else log.warn(fields, 'an order was not done in time and is announced again');
    }
    total += announced.length;
    if (!isForced || announced.length < batchSize) return total;
  }
}

/** Records and analyses show signs of life while they are worked on, which may take long. */
function isAlive(system: Sql, silentSeconds: number): Fragment {
  const since = system`now() - make_interval(secs => ${silentSeconds})`;
  return system`(
    o.type = 'record.process.requested' and exists (
      select from records r
       where (r.org_id, r.id) = (o.org_id, o.data->>'recordId')
         and r.status in ('pending', 'processing') and r.updated_at >= ${since})
    or o.type = 'analysis.process.requested' and exists (
      select from analyses a
       where (a.org_id, a.id) = (o.org_id, o.data->>'analysisId')
         and a.status in ('pending', 'processing') and a.updated_at >= ${since}))`;
}

/** Records without an open order. */
export async function announceAttempts({ db, system, config, log }: RedeliveryDeps): Promise<number> {
  const stuck = await selectStuckAttempts(system, silentMs[config.PIPELINE_ENGINE]);
  for (const { orgId, ...attempt } of stuck) {
    await db.withOrg(orgId, (tx) => reannounce(tx, attempt, new Date()));
    log.warn({ orgId, recordId: attempt.recordId }, 'a record that nobody was working on is processed again');
  }
  return stuck.length;
}

export async function announceReanalyses({ db, system, config, log }: RedeliveryDeps): Promise<number> {
  const stuck = await selectStuckReanalyses(system, silentMs[config.PIPELINE_ENGINE]);
  for (const { orgId, ...reanalysis } of stuck) {
    await db.withOrg(orgId, (tx) => reannounceReanalysis(tx, reanalysis, new Date()));
    log.warn({ orgId, ...reanalysis }, 'a re-analysis that nobody was working on is made again');
  }
  return stuck.length;
}

/** Due deliveries get a new round. Orders of void rounds are done. */
export async function announceDeliveries(
  { db, system, config, log }: RedeliveryDeps,
  isForced: boolean,
): Promise<number> {
  const stuck = await selectStuckDeliveries(system, isForced ? 0 : silentMs[config.PIPELINE_ENGINE]);
  for (const { orgId, ...round } of stuck) {
    await db.withOrg(orgId, (tx) => reannounceDelivery(tx, round));
    countAnnouncedAgain('webhook.delivery.requested');
    log.warn({ orgId, deliveryId: round.deliveryId }, 'a delivery that nobody was working on goes on');
  }
  await closeVoidRounds(system);
  return stuck.length;
}

async function closeVoidRounds(system: Sql): Promise<void> {
  await system`
    update outbox o set done_at = now(), due_at = null
     where o.type = 'webhook.delivery.requested' and o.due_at < now()
       and not exists (
         select from webhook_deliveries d
          where (d.org_id, d.id) = (o.org_id, o.data->>'deliveryId') and d.request_id = o.id and d.status = 'pending')`;
}
