import type { Sql } from 'postgres';
import type { Database } from '../db/scope.ts';
import { retryAttempt } from '../domain/processing/service.ts';
import { AppError } from '../lib/errors.ts';
import { appId, Job, ReanalysisJob } from './client.ts';
import { readFailedRun, retryRun, type FailedRun } from './engine/runs.ts';

/** The record that is processed again instead, or null if the run itself continues. */
export type RetriedRun = { recordId: string | null };

const idsOf = (...names: string[]) => new Set(names.map((name) => `${appId}-${name}`));
const ofOneAttempt = idsOf('process-record', 'transcribe-recording');
const ofReanalysis = idsOf('reanalyze-record', 'transcribe-recording');

/**
 * Resumes a failed run of the embedded engine after its last completed step. If the run has failed its record, that
 * attempt has ended and its steps are void, so the record gets a new attempt and a new run instead. Throws NOT_FOUND
 * (no failed run, record deleted) or CONFLICT (record completed or retried since, or a re-analysis).
 */
export async function retryFailedRun({ db, system }: { db: Database; system: Sql }, id: string): Promise<RetriedRun> {
  const run = await readFailedRun(system, id);
  if (run && isOfReanalysis(run)) {
    throw new AppError('CONFLICT', `Run ${id} has failed its re-analysis. Ask for another one.`);
  }
  const job = run && jobOf(run);
  if (job && (await db.withOrg(job.orgId, (tx) => retryAttempt(tx, job)))) return { recordId: job.recordId };
  if (!run || !(await retryRun(system, id))) throw new AppError('NOT_FOUND', `There is no failed run ${id}.`);
  return { recordId: null };
}

function isOfReanalysis({ functionId, event }: FailedRun): boolean {
  return ofReanalysis.has(functionId) && ReanalysisJob.safeParse(event.data).success;
}

function jobOf({ functionId, event }: FailedRun): Job | undefined {
  return ofOneAttempt.has(functionId) ? Job.safeParse(event.data).data : undefined;
}
