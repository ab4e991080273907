import { isDeepStrictEqual } from 'node:util';
import type { Database, OrgTx } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { deleteModelAnswers } from '../analyses/model-answers.ts';
import type { HeavyWork } from '../heavy-work.ts';
import { UnredactedError, selectRedactionPolicy } from '../transcripts/redaction-checks.ts';
import { renewMuted } from '../recordings/muting.ts';
import type { RedactedWords, WordsToRedact } from './redact-words.ts';
import * as queries from './redaction-queries.ts';

export type RedactionDeps = { db: Database; heavyWork: HeavyWork };

/**
 * Redacts the stored data of a record that was processed before its project asked for redaction: all transcripts, and
 * the texts of all analyses. What people wrote (annotations, reviews) stays. False if there was nothing to do.
 */
export async function redactRecord(
  { db, heavyWork }: RedactionDeps,
  { orgId, recordId }: { orgId: string; recordId: string },
): Promise<boolean> {
  for (;;) {
    const words = await db.withOrg(orgId, (tx) => readWords(tx, recordId));
    if (!words) return false;
    const redacted = await heavyWork.run('redactStored', words, { orgId, isAwaited: false });
    const outcome = await db.withOrg(orgId, (tx) => storeWords(tx, recordId, { words, redacted }));
    if (outcome !== 'changed') return outcome === 'stored';
  }
}

/**
 * Runs `work` a second time with redacted words if redaction was turned on, or carried out, during the first. Only
 * once, however often the project's setting changes. `isAgain` marks the second run.
 */
export async function withRedactedWords<T>(
  deps: RedactionDeps,
  of: { orgId: string; recordId: string },
  work: (isAgain: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await work(false);
  } catch (error) {
    if (!(error instanceof UnredactedError)) throw error;
    await redactRecord(deps, of);
    return work(true);
  }
}

/** Null if there is nothing to redact. */
async function readWords(tx: OrgTx, recordId: string): Promise<WordsToRedact | null> {
  const { asked: redaction = 'none' } = (await selectRedactionPolicy(tx, recordId)) ?? {};
  const transcripts = await queries.selectUnredacted(tx, recordId, redaction);
  if (transcripts.length === 0) return null;
  return { redaction, transcripts, analyses: await queries.selectAnalysisTexts(tx, recordId) };
}

/** `changed` if an analysis was published or a transcript stored since the words were read: then nothing is written. */
async function storeWords(
  tx: OrgTx,
  recordId: string,
  { words, redacted }: { words: WordsToRedact; redacted: RedactedWords },
): Promise<'stored' | 'changed' | 'gone'> {
  // What retention has deleted meanwhile must not come back.
  const record = await queries.lockRedactable(tx, recordId);
  if (!record) return 'gone';
  if (!isDeepStrictEqual(await readWords(tx, recordId), words)) return 'changed';
  for (const transcript of redacted.transcripts) await queries.updateTranscript(tx, recordId, transcript);
  for (const analysis of redacted.analyses) await queries.updateAnalysisTexts(tx, analysis);
  // A model's answers wait for the analysis that asked for them, but were based on unredacted words.
  await deleteModelAnswers(tx, recordId);
  await renewMuted(tx, recordId, record.hasRecording);
  return 'stored';
}

const batchSize = 20;

/**
 * Redacts all remaining calls of a project in batches. Throws NOT_FOUND for the project, CONFLICT if it does not ask
 * for redaction.
 */
export async function redactProject(
  { db, heavyWork }: RedactionDeps,
  { orgId, projectId }: { orgId: string; projectId: string },
): Promise<{ redacted: number }> {
  const asked = await db.withOrg(orgId, (tx) => queries.selectProjectDepth(tx, projectId));
  if (asked === undefined) throw notFound('Project');
  if (asked === 'none')
    throw new AppError('CONFLICT', 'The project does not redact: turn on its setting redactPii first.');
  let redacted = 0;
  for (let after = ''; ;) {
    const ids = await db.withOrg(orgId, (tx) =>
      queries.selectUnredactedRecords(tx, { projectId, asked, after, limit: batchSize }),
    );
    for (const id of ids) {
      if (await redactRecord({ db, heavyWork }, { orgId, recordId: id })) redacted += 1;
    }
    after = ids.at(-1) ?? '';
    if (ids.length < batchSize) return { redacted };
  }
}
