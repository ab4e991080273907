import { sql } from 'drizzle-orm';
import type { OrgTx } from '../../db/scope.ts';
import { emitEvents } from '../events/service.ts';
import { discardMuted } from './muting.ts';
import { deletionsOf } from './objects.ts';
import * as queries from './retention-queries.ts';

/** Small, so that a batch locks its records for only a fraction of a second. */
const batchSize = 50;

/** How far a run over a project has come. */
export type Progress = {
  after: queries.RetentionCursor | null;
  /** The oldest record that was skipped because it is being worked on: the next run starts there. */
  heldSince: Date | null;
};

export const retentionStart: Progress = { after: null, heldSince: null };

export type Batch = { deleted: number; progress: Progress; isDone: boolean };

/**
 * Deletes the content of the project's next records that are older than its limit: transcripts, search entries and
 * quotes now, recordings through the pipeline. Records and figures stay. Records that are being processed are skipped
 * until later.
 */
export async function deleteExpiredContent(tx: OrgTx, projectId: string, progress: Progress): Promise<Batch> {
  const setting = await queries.lockRetention(tx, projectId);
  if (!setting || setting.until === null) return { deleted: 0, progress, isDone: true };
  const { since, until } = setting;
  const { after } = progress;
  const rows = await queries.lockRetained(tx, { projectId, since, until, after, limit: batchSize });
  const expired = await onlyAtRest(tx, rows);
  if (expired.length > 0) await deleteContent(tx, expired);
  const last = rows.at(-1);
  const heldSince = progress.heldSince ?? rows.find((row) => !expired.includes(row))?.createdAt ?? null;
  const isDone = rows.length < batchSize || !last;
  const reached = isDone ? sql`${until}::timestamptz` : last.createdAt;
  await queries.setRetainedSince(tx, projectId, heldSince ?? reached);
  const place = last ? { createdAt: last.createdAt.toISOString(), id: last.id } : after;
  return { deleted: expired.length, progress: { after: place, heldSince }, isDone };
}

type Retained = Awaited<ReturnType<typeof queries.lockRetained>>[number];

async function onlyAtRest(tx: OrgTx, rows: Retained[]): Promise<Retained[]> {
  const ended = rows.filter(({ status }) => status === 'completed' || status === 'failed');
  if (ended.length === 0) return [];
  const reanalysed = await queries.selectReanalysed(
    tx,
    ended.map(({ id }) => id),
  );
  return ended.filter(({ id }) => !reanalysed.has(id));
}

type Expired = { id: string; storageKey: string | null };

async function deleteContent(tx: OrgTx, expired: Expired[]): Promise<void> {
  const ids = expired.map(({ id }) => id);
  // Transcripts first: otherwise updating an analysis would index its transcript again.
  await queries.deleteContent(tx, ids);
  await queries.clearAnalyses(tx, ids);
  await queries.deleteTranscriptDocuments(tx, ids);
  await queries.clearRecords(tx, ids);
  await discardMuted(tx, ids);
  await emitEvents(tx, deletionsOf(expired.map(({ storageKey }) => storageKey)));
}
