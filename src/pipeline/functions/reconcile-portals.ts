import { cron, type Inngest } from 'inngest';
import { pricesOf } from '../../domain/billing/service.ts';
import {
  announceCalls,
  resumeCalls,
  type PortalRow,
  requestReconciliation,
  selectOrgsWithPortals,
  selectPortalByMember,
  selectPortalsToReconcile,
  savePortal,
} from '../../domain/portals/service.ts';
import { bindEvents, listCalls, type AskPortal } from '../../providers/crm/bitrix24-telephony.ts';
import { CrmError } from '../../providers/crm/crm-error.ts';
import { trigger } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { toStepError } from '../base/faults.ts';
import { giveUp, orderIdOf, settle, type Order } from '../orders.ts';

const minute = 60_000;
const hour = 60 * minute;
const everyMs = 15 * minute;
/** A portal that refused access may have been opened again. */
const suspendedEveryMs = 24 * hour;
const portalsMax = 500;
/** Per organization in five minutes: a portal answers twice a second. */
const resumedMax = 200;
/** A thousand calls; the next run continues after them. */
const pagesMax = 20;
/** Calls appear in the statistics when they end, under the time at which they began. */
const overlapMs = 6 * hour;
/** Calls that were missed for longer than this are skipped. */
const lookBackMs = 72 * hour;
const announcedEvents = ['ONVOXIMPLANTCALLEND', 'ONAPPUNINSTALL'];

/**
 * Every five minutes: has due portals reconciled, each in its own run, so that a failing one stops no other, and
 * resumes calls that waited for a budget.
 */
export function createReconcilePortals(client: Inngest, { db, system, config }: FunctionDeps) {
  return client.createFunction(
    { id: 'reconcile-portals', triggers: [cron('*/5 * * * *')], retries: 0, concurrency: [{ limit: 1 }] },
    async ({ step }) => {
      const ordered = await step.run('order', async () => {
        const due = await selectPortalsToReconcile(system, { limit: portalsMax, everyMs, suspendedEveryMs });
        for (const { orgId, memberId } of due) {
          await db.withOrg(orgId, (tx) => requestReconciliation(tx, memberId));
        }
        return due.length;
      });
      const resumed = await step.run('resume', async () => {
        let calls = 0;
        for (const orgId of await selectOrgsWithPortals(system)) {
          calls += await db.withOrg(orgId, (tx) => resumeCalls(tx, pricesOf(config), resumedMax));
        }
        return calls;
      });
      return { ordered, resumed };
    },
  );
}

/** Takes calls of a portal that no event announced: Bitrix24 sends each event once, received or not. */
export function createReconcilePortal(client: Inngest, deps: FunctionDeps) {
  return client.createFunction(
    {
      id: 'reconcile-portal',
      triggers: [trigger('crm.portal.reconcile.requested')],
      retries: 2,
      concurrency: [{ key: 'event.data.memberId', limit: 1 }],
      onFailure: ({ event }) => giveUp(deps.db, event),
    },
    async ({ event, step }) => {
      const { orgId, memberId } = event.data;
      return step.run('reconcile', () => reconcile(deps, { orgId, memberId, orderId: orderIdOf(event) }));
    },
  );
}

type Job = Order & { memberId: string };

async function reconcile(deps: FunctionDeps, job: Job): Promise<{ outcome: string; announced?: number }> {
  const { db, crm } = deps;
  const isUnlinked = (found: PortalRow | undefined) => !found?.projectId;
  const portal = await settle(db, job, (tx) => selectPortalByMember(tx, job.memberId), isUnlinked);
  if (!portal?.projectId) return { outcome: 'void' };
  const ask: AskPortal = (method, parameters) => crm.call(job.memberId, method, parameters);
  try {
    await announceOurselves(deps, portal, ask);
    return { outcome: 'compared', announced: await compare(deps, job, { portal, ask }) };
  } catch (error) {
    if (!(error instanceof CrmError) || error.retryable) throw toStepError(error);
    // Nothing was reconciled, but the portal's `updatedAt` shows the attempt.
    await settle(db, job, (tx) => savePortal(tx, job.memberId, {}));
    return { outcome: error.code };
  }
}

/** Tells the portal where to send its events, once for each address that this service has had. */
async function announceOurselves({ db, config }: FunctionDeps, portal: PortalRow, ask: AskPortal): Promise<void> {
  const base = config.PUBLIC_URL?.replace(/\/+$/, '');
  if (base === undefined) return;
  const eventsUrl = `${base}/api/v1/integrations/bitrix24/events`;
  if (portal.eventsUrl === eventsUrl) return;
  await bindEvents(ask, { events: announcedEvents, handler: eventsUrl });
  await db.withOrg(portal.orgId, (tx) => savePortal(tx, portal.memberId, { eventsUrl }));
}

async function compare(
  { db, log }: FunctionDeps,
  job: Job,
  { portal, ask }: { portal: PortalRow; ask: AskPortal },
): Promise<number> {
  const { orgId, memberId } = portal;
  const startedAt = new Date();
  const from = latest(portal.reconcileFrom, new Date(startedAt.getTime() - lookBackMs));
  const { calls, isWhole } = await listCalls(ask, { from, pagesMax });
  const until = isWhole ? new Date(startedAt.getTime() - overlapMs) : (calls.at(-1)?.startedAt ?? from);
  const announced = await settle(db, job, async (tx) => {
    const written = await announceCalls(tx, portal, { calls, announcedBy: 'reconciliation' });
    await savePortal(tx, memberId, { reconciledAt: startedAt, reconcileFrom: latest(from, until) });
    return written.length;
  });
  if (announced > 0) log.info({ orgId, memberId, announced }, 'calls of a portal that no event announced');
  return announced;
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}
