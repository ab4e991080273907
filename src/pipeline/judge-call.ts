import type { GetStepTools, Inngest } from 'inngest';
import type { OrgTx } from '../db/scope.ts';
import { pricesOf } from '../domain/billing/service.ts';
import { withRedactedWords } from '../domain/processing/service.ts';
import { createMemory, type Memory } from '../lib/memory.ts';
import type { CallJob } from './client.ts';
import { askedOrFallback, readOutcome, warnOfFallback, type ModelAnswersRef } from './asked-model.ts';
import { poison, toFailure } from './base/faults.ts';
import type { FunctionDeps, Invoked } from './dependencies.ts';
import { settle, type Order } from './orders.ts';
import { createRubrics, type Rubrics } from './rubrics.ts';
import { refuseUnredacted, scoreTranscript } from './score-transcript.ts';
import { workOf, type Scored } from './work-on-call.ts';

type Run = { step: GetStepTools<Inngest>; runId: string; needsTranscript: boolean };

/**
 * What a run has scored, until it is published. Scorecards quote the call, so they are not given to the engine. They
 * stay in this process: a run that continues in another one is scored again there, with the same result.
 */
type Scorecards = Memory<Scored>;
/** More than there are concurrent runs; entries of runs that continued elsewhere are evicted. */
const scorecardsMax = 100;

type JudgingDeps = FunctionDeps & { rubrics: Rubrics; scorecards: Scorecards };
type ToScore = { job: CallJob & Order; asked: ModelAnswersRef | null; runId: string };

/** What process-record and reanalyze-record have in common: transcribe if needed, ask a model, score, publish. */
export function createJudging({ transcribeRecording, askModel, deps }: Invoked & { deps: FunctionDeps }) {
  const judging = { ...deps, rubrics: createRubrics(), scorecards: createMemory<Scored>(scorecardsMax) };
  return async (job: CallJob & Order, { step, runId, needsTranscript }: Run) => {
    if (needsTranscript) await step.invoke('transcribe', { function: transcribeRecording, data: job });
    const asked = askModel
      ? await askedOrFallback(() => step.invoke('ask-model', { function: askModel, data: job }))
      : null;
    const toScore = { job, asked, runId };
    const scored = await step.run('score', () => withRedactedWords(deps, job, () => scoreCall(judging, toScore)));
    if (scored.outcome === 'void') return { outcome: 'void' };
    const publish = (isAgain: boolean) => publishCall(judging, toScore, isAgain);
    return step.run('publish', () => withRedactedWords(deps, job, publish));
  };
}

/** For failure handlers. Null if the work is void or has already ended. */
export async function failCall(
  { db }: FunctionDeps,
  job: CallJob & Order,
  error: Error,
): Promise<{ code: string } | null> {
  const failure = toFailure(error);
  return (await settle(db, job, (tx) => workOf(job).fail(tx, failure))) ? failure : null;
}

/** The result is what a run shows: who answered, without any words of the call. */
async function scoreCall(deps: JudgingDeps, toScore: ToScore) {
  const { db, log, scorecards } = deps;
  const { job, runId } = toScore;
  const scored = await score(deps, toScore);
  if (!scored) return { outcome: 'void' as const };
  const { kind, model, fallback } = scored.scoredBy.engine;
  if (fallback) warnOfFallback(log, job, fallback);
  // In its own transaction, so that it can be read while publishing waits for the counters of the project's day.
  const touch = (tx: OrgTx) => workOf(job).touch(tx, 'delivering');
  if (!(await settle(db, job, touch, (isAlive) => !isAlive))) return { outcome: 'void' as const };
  scorecards.remember(runId, scored);
  return { outcome: 'scored' as const, engine: kind, model, fallback: fallback?.code ?? null };
}

/** Scores again if the words have been redacted since. */
async function publishCall(deps: JudgingDeps, toScore: ToScore, isAgain: boolean) {
  const { db, config, log, scorecards } = deps;
  const { job, runId } = toScore;
  const prices = pricesOf(config);
  const kept = isAgain ? undefined : scorecards.recall(runId);
  const scored = kept ?? (await score(deps, toScore));
  const published = scored && (await settle(db, job, (tx) => workOf(job).publish(tx, { ...scored, prices })));
  scorecards.forget(runId);
  if (published?.outcome === 'refused') {
    log.warn(job, 'a re-analysis was given up, since the call was reviewed meanwhile');
  }
  return published ?? { outcome: 'void' };
}

/** Null if the work is void. */
async function score(
  { db, analyst, rubrics, heavyWork }: JudgingDeps,
  { job, asked }: ToScore,
): Promise<Scored | null> {
  const { orgId, recordId } = job;
  const read = async (tx: OrgTx) => {
    const found = await workOf(job).input(tx);
    if (!found) return null;
    refuseUnredacted(found);
    const rubric = await rubrics.read(tx, found.profile);
    return { ...found, rubric, outcome: await readOutcome(tx, { recordId, asked, analyst }) };
  };
  const input = await settle(db, job, read, (found) => !found);
  if (!input) return null;
  const { transcript } = input;
  if (!transcript) throw poison('TRANSCRIPT_MISSING', 'The record has no transcript.');
  const scored = await scoreTranscript({ heavyWork, orgId }, { ...input, transcript }, input.outcome);
  return { ...scored, heard: input.retranscribe ? transcript : null };
}
