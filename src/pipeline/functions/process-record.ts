import type { FailureEventPayload, Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import {
  beginProcessing,
  failRecord,
  publishAnalysis,
  selectScoringInput,
  setStage,
  withRedactedWords,
} from '../../domain/processing/service.ts';
import type { Memory } from '../../lib/memory.ts';
import { pricesOf } from '../../domain/billing/service.ts';
import { Job, triggers } from '../client.ts';
import type { FunctionDeps, Invoked } from '../dependencies.ts';
import { toFailure } from '../base/faults.ts';
import { orderIdOf, settle, type Order } from '../orders.ts';
import { askedOrFallback, readOutcome, warnOfFallback, type ModelAnswersRef } from '../asked-model.ts';
import { stepsMaxOf } from '../steps-max.ts';
import { createRubrics, type Rubrics } from '../rubrics.ts';
import { fetchRecording } from '../fetch-recording.ts';
import { refuseUnredacted, scoreTranscript } from '../score-transcript.ts';
import { createScorecards, toScoredBy, type Scored } from '../scorecards.ts';

const retries = 4;

/**
 * Takes an accepted record to its scorecard: fetch, transcribe, score, publish, each only if needed. Every step can be
 * repeated; large data stays in the database and the object storage.
 */
export function createProcessRecord(
  client: Inngest,
  { deps, transcribeRecording, askModel }: Invoked & { deps: FunctionDeps },
) {
  const { db, log } = deps;
  const scoring = { ...deps, rubrics: createRubrics(), scorecards: createScorecards() };
  // A single organization may use most of the workers, but never all, so there is always room for another one's call.
  const perOrg = Math.max(1, Math.ceil(stepsMaxOf(deps.config) * 0.75));
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
    async ({ event, step, runId }) => {
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
      const toScore = { job, asked, runId };
      const scored = await step.run('score', () => withRedactedWords(deps, job, () => scoreRecord(scoring, toScore)));
      if (scored.outcome === 'void') return { outcome: 'void' };
      const publish = (isAgain: boolean) => publishRecord(scoring, toScore, isAgain);
      return step.run('publish', () => withRedactedWords(deps, job, publish));
    },
  );
}

type ScoringDeps = FunctionDeps & { rubrics: Rubrics; scorecards: Memory<Scored> };
type ToScore = { job: Job & Order; asked: ModelAnswersRef | null; runId: string };

async function scoreRecord(deps: ScoringDeps, toScore: ToScore) {
  const { db, log, scorecards } = deps;
  const { job, runId } = toScore;
  const scored = await score(deps, toScore);
  if (!scored) return { outcome: 'void' as const };
  const { engine } = scored.scoredBy;
  warnOfFallback(log, job, engine);
  // In its own transaction, so that it can be read while publishing waits for the counters of the project's day.
  const isAlive = await settle(
    db,
    job,
    (tx) => setStage(tx, job, 'delivering'),
    (isSet) => !isSet,
  );
  if (!isAlive) return { outcome: 'void' as const };
  scorecards.remember(runId, scored);
  return { outcome: 'scored' as const, ...toScoredBy(engine) };
}

/** Scores again if the words have been redacted since. */
async function publishRecord(deps: ScoringDeps, toScore: ToScore, isAgain: boolean) {
  const { db, config, scorecards } = deps;
  const { job, runId } = toScore;
  const prices = pricesOf(config);
  const kept = isAgain ? undefined : scorecards.recall(runId);
  const scored = kept ?? (await score(deps, toScore));
  const published = scored && (await settle(db, job, (tx) => publishAnalysis(tx, job, { ...scored, prices })));
  scorecards.forget(runId);
  return published ? { outcome: 'completed', ...published } : { outcome: 'void' };
}

/** Null if the attempt is void. */
async function score(
  { db, analyst, rubrics, heavyWork }: ScoringDeps,
  { job, asked }: ToScore,
): Promise<Scored | null> {
  const { orgId, recordId } = job;
  const read = async (tx: OrgTx) => {
    const found = await selectScoringInput(tx, job);
    if (found) refuseUnredacted(found);
    return (
      found && {
        ...found,
        rubric: await rubrics.read(tx, found.profile),
        outcome: await readOutcome(tx, { recordId, asked, analyst }),
      }
    );
  };
  const input = await settle(db, job, read, (found) => !found);
  return input ? scoreTranscript({ heavyWork, orgId }, input, input.outcome) : null;
}

function jobOf({ event }: FailureEventPayload['data']): Job & Order {
  return { ...Job.parse(event.data), orderId: orderIdOf(event) };
}
