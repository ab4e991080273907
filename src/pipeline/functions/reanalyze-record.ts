import type { FailureEventPayload, Inngest } from 'inngest';
import type { OrgTx } from '../../db/scope.ts';
import {
  beginReanalysis,
  failReanalysis,
  publishReanalysis,
  type BegunReanalysis,
  selectRescoringInput,
  withRedactedWords,
} from '../../domain/processing/service.ts';
import { completeOrder } from '../../domain/events/service.ts';
import type { Memory } from '../../lib/memory.ts';
import { pricesOf } from '../../domain/billing/service.ts';
import { ReanalysisJob, triggers } from '../client.ts';
import { askedOrFallback, readOutcome, warnOfFallback, type ModelAnswersRef } from '../asked-model.ts';
import type { FunctionDeps, Invoked } from '../dependencies.ts';
import { poison, toFailure, toStepError } from '../base/faults.ts';
import { orderIdOf, settle, type Order } from '../orders.ts';
import { stepsMaxOf } from '../steps-max.ts';
import { createRubrics, type Rubrics } from '../rubrics.ts';
import { refuseUnredacted, scoreTranscript } from '../score-transcript.ts';
import { createScorecards, toScoredBy, type Scored } from '../scorecards.ts';

const retries = 4;
/** Less urgent than new calls: an organization's re-analyses take at most this share of a process. */
const share = 0.5;

/**
 * Analyses a call again: by another profile, or with a new transcript. The current analysis stays until the new one is
 * complete.
 */
export function createReanalyzeRecord(
  client: Inngest,
  { deps, transcribeRecording, askModel }: Invoked & { deps: FunctionDeps },
) {
  const { db, log } = deps;
  const scoring = { ...deps, rubrics: createRubrics(), scorecards: createScorecards<Rescored>() };
  const perOrg = Math.max(1, Math.ceil(stepsMaxOf(deps.config) * share));
  return client.createFunction(
    {
      id: 'reanalyze-record',
      triggers: [triggers.reanalyzeRecord],
      retries,
      concurrency: [{ key: 'event.data.orgId', limit: perOrg }],
      onFailure: async ({ event, error }) => {
        const job = jobOf(event.data as FailureEventPayload['data']);
        const failure = toFailure(error);
        const isFailed = await settle(db, job, (tx) => failReanalysis(tx, job, failure));
        if (isFailed) log.warn({ ...job, code: failure.code }, 're-analysis failed');
      },
    },
    async ({ event, step, runId }) => {
      const { orgId, recordId, analysisId, traceparent } = event.data;
      const job = { orgId, recordId, analysisId, traceparent, orderId: orderIdOf(event) };
      const begun = await step.run('begin', () => begin(deps, job));
      if (begun.outcome === 'void') return { outcome: 'void' };
      if (begun.needsTranscript) await step.invoke('transcribe', { function: transcribeRecording, data: job });
      const asked = askModel
        ? await askedOrFallback(() => step.invoke('ask-model', { function: askModel, data: job }))
        : null;
      const toScore = { job, asked, runId };
      const scored = await step.run('score', () => withRedactedWords(deps, job, () => scoreAgain(scoring, toScore)));
      if (scored.outcome === 'void') return { outcome: 'void' };
      const publish = (isAgain: boolean) => publishAgain(scoring, toScore, isAgain);
      return step.run('publish', () => withRedactedWords(deps, job, publish));
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

/** `heard`: properties of the recording, if it was transcribed again. */
type Rescored = Scored & { heard: { language: string | null; channels: number } | null };
type ScoringDeps = FunctionDeps & { rubrics: Rubrics; scorecards: Memory<Rescored> };
type ToScore = { job: ReanalysisJob & Order; asked: ModelAnswersRef | null; runId: string };

async function scoreAgain(deps: ScoringDeps, toScore: ToScore) {
  const { log, scorecards } = deps;
  const scored = await score(deps, toScore);
  if (!scored) return { outcome: 'void' as const };
  const { engine } = scored.scoredBy;
  warnOfFallback(log, toScore.job, engine);
  scorecards.remember(toScore.runId, scored);
  return { outcome: 'scored' as const, ...toScoredBy(engine) };
}

/** Scores again if the words have been redacted since. */
async function publishAgain(deps: ScoringDeps, toScore: ToScore, isAgain: boolean) {
  const { db, config, log, scorecards } = deps;
  const { job, runId } = toScore;
  const prices = pricesOf(config);
  const kept = isAgain ? undefined : scorecards.recall(runId);
  const scored = kept ?? (await score(deps, toScore));
  const outcome = scored ? await settle(db, job, (tx) => publishReanalysis(tx, job, { ...scored, prices })) : 'void';
  scorecards.forget(runId);
  if (outcome === 'refused') log.warn(job, 'a re-analysis was given up, since the call was reviewed meanwhile');
  return { outcome };
}

/** Null if the analysis is void. */
async function score(
  { db, analyst, rubrics, heavyWork }: ScoringDeps,
  { job, asked }: ToScore,
): Promise<Rescored | null> {
  const { orgId, recordId, analysisId } = job;
  const read = async (tx: OrgTx) => {
    const found = await selectRescoringInput(tx, analysisId);
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
  if (!input) return null;
  const { transcript } = input;
  if (!transcript) throw poison('TRANSCRIPT_MISSING', 'The record has no transcript.');
  const scored = await scoreTranscript({ heavyWork, orgId }, { ...input, transcript }, input.outcome);
  return { ...scored, heard: input.retranscribe ? transcript : null };
}

function jobOf({ event }: FailureEventPayload['data']): ReanalysisJob & Order {
  return { ...ReanalysisJob.parse(event.data), orderId: orderIdOf(event) };
}
