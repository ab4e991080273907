import type { Inngest } from 'inngest';
import { z } from 'zod';
import type { OrgTx } from '../../db/scope.ts';
import {
  abandonReports,
  beginReport,
  endReport,
  planReport,
  readUtterances,
  type ReportKind,
  type ReportPlan,
} from '../../domain/portals/service.ts';
import type { AskPortal } from '../../providers/crm/bitrix24-telephony.ts';
import { CrmError } from '../../providers/crm/crm-error.ts';
import { orderData, trigger } from '../client.ts';
import type { FunctionDeps } from '../dependencies.ts';
import { retryAfter, toStepError } from '../base/faults.ts';
import { failedJob, orderIdOf, settle, type Order } from '../orders.ts';

const retries = 8;
const perOrg = 1;
/** Nobody pays a subscription or opens the app again within minutes. */
const suspendedPauseMs = 6 * 3_600_000;

type Job = Order & { analysisId: string };

/** Reports an analysed call to the CRM: the transcript and the scores, each once per analysis. */
export function createReportToCrm(client: Inngest, deps: FunctionDeps) {
  return client.createFunction(
    {
      id: 'report-to-crm',
      triggers: [trigger('crm.report.requested')],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: async ({ event }) => {
        const job = failedJob(orderData['crm.report.requested'], event);
        await settle(deps.db, job, (tx) => abandonReports(tx, job.analysisId));
      },
    },
    async ({ event, step }) => {
      const { orgId, analysisId } = event.data;
      const job = { orgId, analysisId, orderId: orderIdOf(event) };
      const transcript = await step.run('transcript', () => reportTranscript(deps, job));
      const comment = await step.run('comment', () => reportComment(deps, job));
      return { transcript, comment };
    },
  );
}

async function reportTranscript(deps: FunctionDeps, job: Job): Promise<string> {
  const { orgId, analysisId } = job;
  const plan = await deps.db.withOrg(orgId, planner(deps, job));
  if (!plan?.sendsTranscript) return 'unwanted';
  const said = await deps.db.withOrg(orgId, (tx) => readUtterances(tx, analysisId));
  if (!said || said.utterances.length === 0) return 'nothing';
  return report(deps, { ...job, plan, kind: 'transcript', transcriptVersion: said.version }, async (ask) => {
    // Sending the same transcription again replaces the first.
    await ask('telephony.call.attachTranscription', { CALL_ID: plan.callId, MESSAGES: said.utterances });
  });
}

/** The last part of the order. */
async function reportComment(deps: FunctionDeps, job: Job): Promise<string> {
  const plan = await settle(deps.db, job, planner(deps, job), (found) => !found?.comment);
  if (!plan?.comment) return 'unwanted';
  const { entityType: ENTITY_TYPE, entityId: ENTITY_ID, text: COMMENT } = plan.comment;
  return report(deps, { ...job, plan, kind: 'comment' }, async (ask, isResumed) => {
    if (isResumed && (await hasComment(ask, { ENTITY_TYPE, ENTITY_ID, mark: job.analysisId }))) return;
    await ask('crm.timeline.comment.add', { fields: { ENTITY_TYPE, ENTITY_ID, COMMENT } });
  });
}

function planner({ config }: FunctionDeps, { analysisId }: Job): (tx: OrgTx) => Promise<ReportPlan | null> {
  return (tx) => planReport(tx, { analysisId, publicUrl: config.PUBLIC_URL });
}

type Reporting = Job & { plan: ReportPlan; kind: ReportKind; transcriptVersion?: number };

/** A row records the start before anything is sent, so that after a crash it is known that it may have been sent. */
async function report(
  { db, crm, leaving }: FunctionDeps,
  { orgId, orderId, plan, ...rest }: Reporting,
  send: (ask: AskPortal, isResumed: boolean) => Promise<void>,
): Promise<string> {
  const { analysisId, kind } = rest;
  const order = { orgId, orderId };
  const isLast = kind === 'comment';
  leaving.throwIfAborted();
  const begun = await settle(
    db,
    order,
    (tx) => beginReport(tx, rest),
    (found) => isLast && found === 'done',
  );
  if (begun === 'done') return begun;
  const end = (reason: string | null) =>
    settle(
      db,
      order,
      (tx) => endReport(tx, { analysisId, kind, reason }),
      () => isLast,
    );
  try {
    await send((method, parameters) => crm.call(plan.memberId, method, parameters), begun === 'resumed');
  } catch (error) {
    if (error instanceof CrmError && error.problem === 'suspended') {
      throw retryAfter(suspendedPauseMs, error, error);
    }
    if (!(error instanceof CrmError) || error.retryable) throw toStepError(error);
    await end(error.code);
    return error.code;
  }
  await end(null);
  return 'sent';
}

const Comments = z.array(z.object({ COMMENT: z.string().nullish() }));

async function hasComment(
  ask: AskPortal,
  { ENTITY_TYPE, ENTITY_ID, mark }: { ENTITY_TYPE: string; ENTITY_ID: string; mark: string },
): Promise<boolean> {
  const { result } = await ask('crm.timeline.comment.list', {
    filter: { ENTITY_TYPE, ENTITY_ID },
    select: ['ID', 'COMMENT'],
    order: { ID: 'DESC' },
  });
  const { data = [] } = Comments.safeParse(result);
  return data.some(({ COMMENT }) => COMMENT?.includes(mark));
}
