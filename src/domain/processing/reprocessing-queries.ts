import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { byId, projectOfRecord, recordOfAnalysis } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, profiles, projects, records, reviews, transcripts } from '../../db/schema/index.ts';
import { type Failure, underWay } from '../../model/record.ts';
import type { Prices } from '../billing/prices.ts';
import { engineColumns, sourceColumns } from './queries.ts';
import type { ScoredBy } from './attempt.ts';
import { keptTranscriptColumns } from '../transcripts/columns.ts';
import { requestedRedaction } from '../requested-redaction.ts';
import type { Scorecard } from '../../model/scorecard.ts';

/** The transcript that was created for it, else that of the current analysis. */
const judgedTranscript = sql`coalesce(analyses.transcript_version,
  (select c.transcript_version from ${analyses} c
    where c.org_id = analyses.org_id and c.record_id = analyses.record_id and c.current),
  (select max(l.version) from ${transcripts} l
    where l.org_id = analyses.org_id and l.record_id = analyses.record_id))`;

/** The revision of the current analysis's review; null if it was not reviewed. */
const currentRevision = sql<number | null>`(select v.revision from ${analyses} c
  join ${reviews} v on (v.org_id, v.analysis_id) = (c.org_id, c.id)
  where c.org_id = analyses.org_id and c.record_id = analyses.record_id and c.current)`;

/** Decides whether the record of an analysis can be analysed again. The caller has locked the record. */
export async function selectReanalysisSubject(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({
      recordId: records.id,
      projectId: records.projectId,
      recordStatus: records.status,
      contentDeletedAt: records.contentDeletedAt,
      hasRecording: sql<boolean>`${records.storageKey} is not null`,
      lastVersion: sql<number>`(select max(a.version) from ${analyses} a
        where a.org_id = records.org_id and a.record_id = records.id)`,
      reviewRevision: currentRevision,
      isRunning: sql<boolean>`exists (select from ${analyses} a
        where a.org_id = records.org_id and a.record_id = records.id and a.status in ('pending', 'processing'))`,
    })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .where(byId(tx, analyses, id));
  return row;
}

/** The profile with its current version, locked against deletion until the transaction ends. */
export async function selectPresentProfile(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({ id: profiles.id, name: profiles.name, version: profiles.currentVersion })
    .from(profiles)
    .where(and(byId(tx, profiles, id), isNull(profiles.deletedAt)))
    .for('key share');
  return row;
}

/** The profile that scored the analysis, and the one that its project scores by. */
export async function selectProfileIds(
  tx: OrgTx,
  { analysisId, projectId }: { analysisId: string; projectId: string },
): Promise<string[]> {
  const [row] = await tx
    .select({ ofAnalysis: analyses.profileId, ofProject: projects.profileId })
    .from(analyses)
    .innerJoin(projects, and(eq(projects.orgId, analyses.orgId), eq(projects.id, projectId)))
    .where(byId(tx, analyses, analysisId));
  return row ? [row.ofAnalysis, row.ofProject] : [];
}

type NewReanalysis = {
  id: string;
  recordId: string;
  projectId: string;
  version: number;
  profile: { id: string; name: string; version: number };
  retranscribe: boolean;
  transcriptVersion: number | null;
  replacesRevision: number | null;
  reservedCost: string;
  reason: string | null;
  requestedBy: string;
};

export async function insertReanalysis(tx: OrgTx, { profile, ...analysis }: NewReanalysis): Promise<Date> {
  const [row] = await tx
    .insert(analyses)
    .values({
      ...analysis,
      orgId: tx.orgId,
      status: 'pending',
      profileId: profile.id,
      profileName: profile.name,
      profileVersion: profile.version,
      engineKind: 'rules',
    })
    .returning({ createdAt: analyses.createdAt });
  if (!row) throw new Error('The database answered nothing.');
  return row.createdAt;
}

/** Fixes the transcript to score, unless the recording is to be transcribed first. */
export async function markReprocessing(tx: OrgTx, id: string) {
  const transcriptVersion = sql`case when ${analyses.retranscribe} then ${analyses.transcriptVersion} else ${judgedTranscript} end`;
  const [row] = await tx
    .update(analyses)
    .set({ status: 'processing', transcriptVersion, updatedAt: new Date() })
    .where(and(byId(tx, analyses, id), inArray(analyses.status, [...underWay])))
    .returning({ retranscribe: analyses.retranscribe, transcriptVersion: analyses.transcriptVersion });
  return row;
}

/** False if the analysis has ended. */
export async function touchReprocessing(
  tx: OrgTx,
  id: string,
  changes: { transcriptVersion?: number } = {},
): Promise<boolean> {
  const { count } = await tx
    .update(analyses)
    .set({ ...changes, updatedAt: new Date() })
    .where(isUnderWay(tx, id));
  return count > 0;
}

/** What transcribing a recording again needs to know about it. */
export async function selectReanalysisSource(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({ ...sourceColumns, hasTranscript: sql<boolean>`${analyses.transcriptVersion} is not null` })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .innerJoin(projects, projectOfRecord)
    .where(isUnderWay(tx, id));
  return row;
}

/** The transcript that was created for it, else that of the current analysis, and the profile version that it names. */
export async function selectRescoringInput(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({
      agentName: records.agentName,
      durationSeconds: records.durationSeconds,
      retranscribe: analyses.retranscribe,
      profile: { id: analyses.profileId, version: analyses.profileVersion, name: analyses.profileName },
      transcript: keptTranscriptColumns,
      requestedRedaction,
    })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .innerJoin(projects, projectOfRecord)
    .leftJoin(
      transcripts,
      and(
        eq(transcripts.orgId, analyses.orgId),
        eq(transcripts.recordId, analyses.recordId),
        sql`${transcripts.version} = ${judgedTranscript}`,
      ),
    )
    .where(isUnderWay(tx, id));
  return row;
}

/** The running analysis. The record must be locked. */
export async function selectReprocessing(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({
      projectId: analyses.projectId,
      version: analyses.version,
      reservedCost: analyses.reservedCost,
      replacesRevision: analyses.replacesRevision,
      reviewRevision: currentRevision,
    })
    .from(analyses)
    .where(isUnderWay(tx, id));
  return row;
}

type Completed = { scorecard: Scorecard; scoredBy: ScoredBy; prices: Prices; completedAt: Date };

export async function completeReanalysis(tx: OrgTx, id: string, completed: Completed): Promise<void> {
  const { scorecard, scoredBy, prices, completedAt } = completed;
  await tx
    .update(analyses)
    .set({
      ...scorecard,
      status: 'completed',
      current: true,
      reservedCost: null,
      ...engineColumns(scoredBy, prices),
      transcriptVersion: scoredBy.transcriptVersion,
      completedAt,
      updatedAt: completedAt,
    })
    .where(byId(tx, analyses, id));
}

export async function markReanalysisFailed(tx: OrgTx, id: string, failure: Failure): Promise<boolean> {
  const { count } = await tx
    .update(analyses)
    .set({ status: 'failed', failure, reservedCost: null, updatedAt: new Date() })
    .where(and(byId(tx, analyses, id), inArray(analyses.status, [...underWay])));
  return count > 0;
}

/** The amount reserved for it; null also if it has ended. */
export async function selectReserved(tx: OrgTx, id: string): Promise<string | null> {
  const [row] = await tx
    .select({ reservedCost: analyses.reservedCost })
    .from(analyses)
    .where(and(byId(tx, analyses, id), inArray(analyses.status, [...underWay])));
  return row?.reservedCost ?? null;
}

/** Undefined if the record was deleted. */
export async function lockRecord(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select({ source: records.source, durationSeconds: records.durationSeconds })
    .from(records)
    .where(byId(tx, records, recordId))
    .for('no key update');
  return row;
}

function isUnderWay(tx: OrgTx, id: string) {
  return and(byId(tx, analyses, id), eq(analyses.status, 'processing'));
}
