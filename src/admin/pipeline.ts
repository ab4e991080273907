import { AppError } from '../lib/errors.ts';
import { appId } from '../pipeline/client.ts';
import { listRuns, readEngineStatus } from '../pipeline/engine/runs.ts';
import { readQueue } from '../pipeline/measure.ts';
import { readOutboxStatus } from '../pipeline/outbox-status.ts';
import { redeliver } from '../pipeline/redelivery.ts';
import { retryFailedRun } from '../pipeline/retry-run.ts';
import { table, type Result } from './output.ts';
import type { OpenedDatabase, Session } from './session.ts';

/** How many events wait for the pipeline engine, which orders are open, and since when. */
export async function showOutbox(session: Session): Promise<Result> {
  const { system } = await session.database();
  const status = await readOutboxStatus(system);
  const { waiting, oldestWaitingAt, open } = status;
  const wait =
    oldestWaitingAt === null
      ? 'No events are waiting.'
      : waiting === 1
        ? `1 event waits, since ${oldestWaitingAt.toISOString()}.`
        : `${waiting} events wait, the oldest since ${oldestWaitingAt.toISOString()}.`;
  const rows = open.map(({ type, open: count, overdue, oldestAt }) => [
    type,
    String(count),
    String(overdue),
    oldestAt.toISOString(),
  ]);
  const orders = rows.length === 0 ? 'No orders are open.' : table([['ORDER', 'OPEN', 'OVERDUE', 'OLDEST'], ...rows]);
  return { data: status, text: `${wait}\n${orders}` };
}

/** Announces all open orders again at once. */
export async function redeliverOrders(session: Session): Promise<Result> {
  const done = await redeliver(await session.database(), { isForced: true });
  const count = done.orders + done.passes + done.reanalyses + done.deliveries;
  const text =
    count === 0
      ? 'No orders are open, or all of them are in progress.'
      : count === 1
        ? '1 order will be announced again as soon as the service runs. It is carried out only once.'
        : `${count} orders will be announced again as soon as the service runs. Each is carried out only once.`;
  return { data: done, text };
}

/** The embedded engine's queue by function, and its runs by state. Throws with another engine. */
export async function showQueue(session: Session): Promise<Result> {
  const { system } = await openEngine(session);
  const [queue, runs] = await Promise.all([readQueue(system), readEngineStatus(system)]);
  const rows = queue.map(({ functionId, due, delayed, leased, oldestSeconds }) =>
    [functionId, due, delayed, leased, `${Math.round(oldestSeconds ?? 0)} s`].map(String),
  );
  const summary = `Runs under way: ${runs.running}. Failed and kept: ${runs.failed}.`;
  const text =
    rows.length === 0
      ? `Nothing is queued. ${summary}`
      : `${table([['FUNCTION', 'DUE', 'DELAYED', 'UNDER WAY', 'OLDEST'], ...rows])}\n${summary}`;
  return { data: { runs, queue }, text };
}

/** The embedded engine's runs, newest first. Throws with another engine. */
export async function showRuns(
  session: Session,
  { failed = false, limit }: { failed?: boolean; limit: number },
): Promise<Result> {
  const database = await openEngine(session);
  const found = await listRuns(database.system, { failedOnly: failed, limit });
  const runs = found.map((run) => ({ ...run, functionId: run.functionId.replace(`${appId}-`, '') }));
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

/**
 * Retries from the last completed step, or restarts the record if the run has failed it. Throws NOT_FOUND if there is
 * no such failed run, CONFLICT if its record needs no retry.
 */
export async function retryOneRun(session: Session, id: string): Promise<Result> {
  const { recordId } = await retryFailedRun(await openEngine(session), id);
  if (recordId === null) {
    return { data: { id, status: 'running' }, text: `Run ${id} will continue as soon as the service runs.` };
  }
  const text = `The record of run ${id} has failed: ${recordId} will be processed again, in a new run, as soon as the service runs.`;
  return { data: { id, status: 'failed', record: { id: recordId, status: 'pending' } }, text };
}

async function openEngine(session: Session): Promise<OpenedDatabase> {
  const database = await session.database();
  if (database.config.PIPELINE_ENGINE !== 'embedded') {
    throw new AppError('CONFLICT', 'With PIPELINE_ENGINE=inngest the runs are kept by the Inngest server: look there.');
  }
  return database;
}
