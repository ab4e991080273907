import { AppError } from '../lib/errors.ts';
import { listRuns, retryRun } from '../pipeline/engine/runs.ts';
import { readOutboxStatus } from '../pipeline/outbox.ts';
import { table, type Result } from './output.ts';
import type { OpenedDatabase, Session } from './session.ts';

/** How many events wait for the pipeline engine, and since when. */
export async function showOutbox(session: Session): Promise<Result> {
  const { system } = await session.database();
  const status = await readOutboxStatus(system);
  const { waiting, oldestWaitingAt } = status;
  const text =
    oldestWaitingAt === null
      ? 'No events wait.'
      : `${waiting} events wait, the oldest since ${oldestWaitingAt.toISOString()}.`;
  return { data: status, text };
}

/** The runs of the embedded engine, newest first. Throws when another engine keeps them. */
export async function showRuns(
  session: Session,
  { failed = false, limit }: { failed?: boolean; limit: number },
): Promise<Result> {
  const database = await openEngine(session);
  const runs = await listRuns(database.system, { failedOnly: failed, limit });
  const rows = runs.map(({ id, functionId, status, createdAt, orgId, error }) => [
    id,
    functionId,
    status,
    createdAt.toISOString(),
    orgId ?? '-',
    error?.message ?? '',
  ]);
  const text =
    rows.length === 0
      ? `There are no ${failed ? 'failed ' : ''}runs.`
      : table([['RUN', 'FUNCTION', 'STATUS', 'BEGAN', 'ORGANIZATION', 'ERROR'], ...rows]);
  return { data: runs, text };
}

/** From the last good step. Throws NOT_FOUND for a run that is not there or has not failed. */
export async function retryFailedRun(session: Session, id: string): Promise<Result> {
  const { system } = await openEngine(session);
  if (!(await retryRun(system, id))) throw new AppError('NOT_FOUND', `There is no failed run ${id}.`);
  return { data: { id, status: 'running' }, text: `Run ${id} goes on as soon as the service runs.` };
}

async function openEngine(session: Session): Promise<OpenedDatabase> {
  const database = await session.database();
  if (database.config.PIPELINE_ENGINE !== 'embedded') {
    throw new AppError('CONFLICT', 'With PIPELINE_ENGINE=inngest the runs are kept by the Inngest server: look there.');
  }
  return database;
}
