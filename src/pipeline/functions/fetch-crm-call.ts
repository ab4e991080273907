import type { Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import { AppError } from '../../lib/errors.ts';
import { pricesOf } from '../../domain/billing/service.ts';
import {
  awaitBudget,
  ignoreCall,
  isCallWaiting,
  reasonToIgnore,
  takeCall,
  type CallAgent,
  type IgnoredBecause,
  type PortalRow,
  selectPortalByMember,
  selectPortalMember,
} from '../../domain/portals/service.ts';
import { readCall, readUserName, type AskPortal } from '../../providers/crm/bitrix24-telephony.ts';
import { CrmError } from '../../providers/crm/crm-error.ts';
import { CrmCallJob, trigger } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { toStepError } from '../base/faults.ts';
import { failedJob, orderIdOf, settle, type Order } from '../orders.ts';

const retries = 8;
/** A portal allows an application two requests a second. */
const perOrg = 2;
/** Recordings are attached minutes after the call, by some telephone systems at night. */
const waits = ['30s', '2m', '10m', '1h', '6h'];

type Job = CrmCallJob & Order;

type LookupResult = { outcome: 'taken' | 'ignored' | 'void' | 'later' | 'budget' };

/** Turns a call that a portal announced into a record, as soon as the portal has its recording. */
export function createFetchCrmCall(client: Inngest, deps: FunctionDeps) {
  const { db, log } = deps;
  return client.createFunction(
    {
      id: 'fetch-crm-call',
      triggers: [trigger('crm.call.requested')],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: async ({ event }) => {
        const job = failedJob(CrmCallJob, event);
        await settle(db, job, (tx) => ignoreCall(tx, job, 'CRM_UNAVAILABLE' satisfies IgnoredBecause));
        log.warn(job, 'a call of a portal could not be fetched');
      },
    },
    async ({ event, step }) => {
      const { orgId, memberId, callId } = event.data;
      const job: Job = { orgId, memberId, callId, orderId: orderIdOf(event) };
      const first = await step.run('look', () => look(deps, job));
      if (first.outcome !== 'later') return first;
      for (const [index, wait] of waits.entries()) {
        await step.sleep(`wait-${index}`, wait);
        const next = await step.run(`look-again-${index}`, () => look(deps, job));
        if (next.outcome !== 'later') return next;
      }
      return step.run('give-up', () => ignore(deps, job, 'NO_RECORDING'));
    },
  );
}

async function look(deps: FunctionDeps, job: Job): Promise<LookupResult> {
  const { db, crm } = deps;
  const readPortal = async (tx: OrgTx) => {
    if (!(await isCallWaiting(tx, job))) return null;
    return (await selectPortalByMember(tx, job.memberId)) ?? 'none';
  };
  const portal = await settle(db, job, readPortal, (found) => found === null);
  if (portal === null) return { outcome: 'void' };
  if (portal === 'none') return ignore(deps, job, 'PORTAL_UNLINKED');
  const ask: AskPortal = (method, parameters) => crm.call(job.memberId, method, parameters);
  try {
    return await lookAt(deps, job, { portal, ask });
  } catch (error) {
    if (error instanceof AppError && error.code === 'BUDGET_EXCEEDED') {
      await settle(db, job, (tx) => awaitBudget(tx, job));
      return { outcome: 'budget' };
    }
    if (error instanceof CrmError && error.problem === 'suspended') return ignore(deps, job, 'PORTAL_SUSPENDED');
    if (error instanceof CrmError && error.problem === 'refused') return ignore(deps, job, error.code);
    throw toStepError(error);
  }
}

async function lookAt(
  deps: FunctionDeps,
  job: Job,
  { portal, ask }: { portal: PortalRow; ask: AskPortal },
): Promise<LookupResult> {
  const facts = await readCall(ask, job.callId);
  if (!facts) return { outcome: 'later' };
  const reason = reasonToIgnore(facts, portal);
  if (reason !== null) return ignore(deps, job, reason);
  const { memberId, projectId } = portal;
  if (facts.recording === null || projectId === null) return { outcome: 'later' };
  const agent = await findAgent(deps, job, { portalUserId: facts.portalUserId, ask });
  const prices = pricesOf(deps.config);
  const taken = await settle(deps.db, job, (tx) => takeCall(tx, { projectId, memberId }, { facts, agent, prices }));
  return { outcome: taken ? 'taken' : 'void' };
}

/**
 * Members who have opened the app in the portal see the call as their own; for others, the portal provides the name.
 */
async function findAgent(
  { system }: FunctionDeps,
  { orgId, memberId }: CrmCallJob,
  { portalUserId, ask }: { portalUserId: string | null; ask: AskPortal },
): Promise<CallAgent> {
  if (portalUserId === null) return { userId: null, name: null };
  const member = await selectPortalMember(system, { orgId, memberId, portalUserId });
  return member ?? { userId: null, name: await readUserName(ask, portalUserId) };
}

async function ignore({ db }: FunctionDeps, job: Job, reason: string): Promise<LookupResult> {
  await settle(db, job, (tx) => ignoreCall(tx, job, reason));
  return { outcome: 'ignored' };
}
