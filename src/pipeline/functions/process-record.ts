import type { Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import { beginProcessing } from '../../domain/processing/service.ts';
import { Job, trigger } from '../client.ts';
import type { FunctionDeps, Invoked } from '../dependencies.ts';
import { failedJob, orderIdOf, settle } from '../orders.ts';
import { stepsMaxOf } from '../steps-max.ts';
import { fetchRecording } from '../fetch-recording.ts';
import { createJudging, failCall } from '../judge-call.ts';

const retries = 4;

/**
 * Takes an accepted record to its scorecard: fetch, transcribe, score, publish, each only if needed. Every step can be
 * repeated; large data stays in the database and the object storage.
 */
export function createProcessRecord(client: Inngest, options: Invoked & { deps: FunctionDeps }) {
  const { deps } = options;
  const { db, log } = deps;
  const judge = createJudging(options);
  // A single organization may use most of the workers, but never all, so there is always room for another one's call.
  const perOrg = Math.max(1, Math.ceil(stepsMaxOf(deps.config) * 0.75));
  return client.createFunction(
    {
      id: 'process-record',
      triggers: [trigger('record.process.requested')],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: async ({ event, error }) => {
        const job = failedJob(Job, event);
        const failure = await failCall(deps, job, error);
        if (failure) log.warn({ orgId: job.orgId, recordId: job.recordId, code: failure.code }, 'record failed');
      },
    },
    async ({ event, step, runId }) => {
      const { orgId, recordId, attempt, traceparent } = event.data;
      const job = { orgId, recordId, attempt, traceparent, orderId: orderIdOf(event) };
      const begin = (tx: OrgTx) => beginProcessing(tx, job);
      const begun = await step.run('begin', () => settle(db, job, begin, ({ outcome }) => outcome === 'void'));
      if (begun.outcome === 'void') return { outcome: 'void' };
      if (begun.needsRecording) await step.run('fetch', () => fetchRecording(deps, job));
      return judge(job, { step, runId, needsTranscript: begun.needsTranscript });
    },
  );
}
