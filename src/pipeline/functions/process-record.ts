import type { FailureEventPayload, Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import { beginProcessing, failRecord, publishAnalysis, setStage } from '../../domain/records/processing.ts';
import { selectScoringInput } from '../../domain/records/processing-queries.ts';
import { pricesOf } from '../../domain/billing/prices.ts';
import { Job, triggers } from '../client.ts';
import type { FunctionDeps, Invoked } from '../dependencies.ts';
import { toFailure } from '../faults.ts';
import { orderIdOf, settle, type Order } from '../orders.ts';
import { askedOrFallback, readOutcome, warnOfFallback, type Asked } from '../asked-model.ts';
import { roomOf } from '../room.ts';
import { createRubrics, type Rubrics } from '../rubrics.ts';
import { fetchRecording } from '../fetch-recording.ts';
import { scoreTranscript } from '../score-transcript.ts';

const retries = 4;

/**
 * From an accepted record to its scorecard: fetch, transcribe, score, publish, each only where it is needed.
 * Every step can be repeated; what is large stays in the database and the object storage.
 */
export function createProcessRecord(
  client: Inngest,
  { deps, transcribeRecording, askModel }: Invoked & { deps: FunctionDeps },
) {
  const { db, log } = deps;
  const rubrics = createRubrics();
  // An organization alone may use most of the workers, never all of them: there is always room for another one's call.
  const perOrg = Math.max(1, Math.ceil(roomOf(deps.config) * 0.75));
  return client.createFunction(
    {
      id: 'process-record',
      triggers: [triggers.processRecord],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: async ({ event, error }) => {
        const job = jobOf(event.data as FailureEventPayload['data']);
        const failure = toFailure(error);
        const isFailed = await settle(db, job, (tx) => failRecord(tx, job, failure));
        if (isFailed) log.warn({ orgId: job.orgId, recordId: job.recordId, code: failure.code }, 'record failed');
      },
    },
    async ({ event, step }) => {
      const { orgId, recordId, attempt, traceparent } = event.data;
      const job = { orgId, recordId, attempt, traceparent, orderId: orderIdOf(event) };
      const begin = (tx: OrgTx) => beginProcessing(tx, job);
      const begun = await step.run('begin', () => settle(db, job, begin, ({ outcome }) => outcome === 'void'));
      if (begun.outcome === 'void') return { outcome: 'void' };
      if (begun.needsRecording) await step.run('fetch', () => fetchRecording(deps, job));
      if (begun.needsTranscript) await step.invoke('transcribe', { function: transcribeRecording, data: job });
      const asked = askModel
        ? await askedOrFallback(() => step.invoke('ask-model', { function: askModel, data: job }))
        : null;
      return step.run('score', () => scoreRecord({ ...deps, rubrics }, job, asked));
    },
  );
}

async function scoreRecord(
  { db, config, log, analyst, rubrics, heavyWork }: FunctionDeps & { rubrics: Rubrics },
  job: Job & Order,
  asked: Asked | null,
) {
  const prices = pricesOf(config);
  const read = async (tx: OrgTx) => {
    const found = await selectScoringInput(tx, job);
    const { recordId } = job;
    return (
      found && {
        ...found,
        rubric: await rubrics.read(tx, found.profile),
        outcome: await readOutcome(tx, { recordId, asked, analyst }),
      }
    );
  };
  const input = await settle(db, job, read, (found) => !found);
  if (!input) return { outcome: 'void' };
  const { orgId } = job;
  const { scorecard, scoredBy } = await scoreTranscript({ heavyWork, orgId }, input, input.outcome);
  warnOfFallback(log, job, scoredBy.engine);
  // On its own, so that it can be read while publishing waits for its turn on the counters of the project's day.
  const isAlive = await settle(
    db,
    job,
    (tx) => setStage(tx, job, 'delivering'),
    (isSet) => !isSet,
  );
  if (!isAlive) return { outcome: 'void' };
  const published = await settle(db, job, (tx) => publishAnalysis(tx, job, { scorecard, scoredBy, prices }));
  return published ? { outcome: 'completed', ...published } : { outcome: 'void' };
}

function jobOf({ event }: FailureEventPayload['data']): Job & Order {
  return { ...Job.parse(event.data), orderId: orderIdOf(event) };
}
