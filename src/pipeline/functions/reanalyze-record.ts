import type { Inngest } from 'inngest';
import { beginReanalysis, type BegunReanalysis } from '../../domain/processing/service.ts';
import { completeOrder } from '../../domain/events/service.ts';
import { ReanalysisJob, trigger } from '../client.ts';
import type { FunctionDeps, Invoked } from '../dependencies.ts';
import { toStepError } from '../base/faults.ts';
import { failedJob, orderIdOf, type Order } from '../orders.ts';
import { stepsMaxOf } from '../steps-max.ts';
import { createJudging, failCall } from '../judge-call.ts';

const retries = 4;
/** Less urgent than new calls: an organization's re-analyses take at most this share of a process. */
const share = 0.5;

/**
 * Analyses a call again: by another profile, or with a new transcript. The current analysis stays until the new one is
 * complete.
 */
export function createReanalyzeRecord(client: Inngest, options: Invoked & { deps: FunctionDeps }) {
  const { deps } = options;
  const judge = createJudging(options);
  const perOrg = Math.max(1, Math.ceil(stepsMaxOf(deps.config) * share));
  return client.createFunction(
    {
      id: 'reanalyze-record',
      triggers: [trigger('analysis.process.requested')],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: async ({ event, error }) => {
        const job = failedJob(ReanalysisJob, event);
        const failure = await failCall(deps, job, error);
        if (failure) deps.log.warn({ ...job, code: failure.code }, 're-analysis failed');
      },
    },
    async ({ event, step, runId }) => {
      const { orgId, recordId, analysisId, traceparent } = event.data;
      const job = { orgId, recordId, analysisId, traceparent, orderId: orderIdOf(event) };
      const begun = await step.run('begin', () => begin(deps, job));
      if (begun.outcome === 'void') return { outcome: 'void' };
      return judge(job, { step, runId, needsTranscript: begun.needsTranscript });
    },
  );
}

async function begin(deps: FunctionDeps, job: ReanalysisJob & Order): Promise<BegunReanalysis> {
  try {
    const begun = await beginReanalysis(deps, job);
    if (begun.outcome === 'void') await deps.db.withOrg(job.orgId, (tx) => completeOrder(tx, job.orderId));
    return begun;
  } catch (error) {
    throw toStepError(error);
  }
}
