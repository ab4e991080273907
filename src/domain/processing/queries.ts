import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { byId, ofRecord, projectOfRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, profiles, profileVersions, projects, records, transcripts } from '../../db/schema/index.ts';
import { type Failure, underWay } from '../../model/record.ts';
import type { Scorecard } from '../../model/scorecard.ts';
import { modelCostOf } from '../billing/model-cost.ts';
import type { Prices } from '../billing/prices.ts';
import type { ProcessingAttempt, ScoredBy } from './attempt.ts';
import { keptTranscriptColumns } from '../transcripts/columns.ts';
import { requestedRedaction } from '../requested-redaction.ts';
import type { RecordRow } from '../records/rows.ts';

type NewRecord = Omit<typeof records.$inferInsert, 'orgId' | 'id'>;
type RecordChanges = { [Column in keyof NewRecord]?: NewRecord[Column] | SQL };

// The outer columns are spelled out: drizzle omits their table, and they would resolve to the inner ones of the same
// name.
const transcriptExists = sql<boolean>`exists (select from ${transcripts} t
  where t.org_id = records.org_id and t.record_id = records.id)`;
const recordingMissing = sql<boolean>`(${records.recordingUrl} is not null and ${records.storageKey} is null)`;

function isAttempt(tx: OrgTx, { recordId, attempt }: ProcessingAttempt) {
  return and(byId(tx, records, recordId), eq(records.attempt, attempt));
}

function isUnderWay(tx: OrgTx, attempt: ProcessingAttempt) {
  return and(isAttempt(tx, attempt), eq(records.status, 'processing'));
}

const lastTranscript = sql<number | null>`(select max(t.version) from ${transcripts} t
  where t.org_id = records.org_id and t.record_id = records.id)`;

/** The profile that the project currently scores by. */
function presentProfile(column: SQL): SQL {
  return sql`(select ${column} from ${projects} j join ${profiles} p on (p.org_id, p.id) = (j.org_id, j.profile_id)
    where j.org_id = records.org_id and j.id = records.project_id)`;
}

/** An attempt that is resumed keeps the values that it started with. */
const fixedAtBeginning = {
  passProfileId: sql`coalesce(${records.passProfileId}, ${presentProfile(sql`p.id`)})`,
  passProfileVersion: sql`coalesce(${records.passProfileVersion}, ${presentProfile(sql`p.current_version`)})`,
  passTranscriptVersion: sql`coalesce(${records.passTranscriptVersion}, ${lastTranscript})`,
};

export async function markProcessing(tx: OrgTx, attempt: ProcessingAttempt) {
  const [row] = await tx
    .update(records)
    .set({
      status: 'processing',
      stage: sql`case when ${recordingMissing} then 'fetching' when ${transcriptExists} then 'analyzing' else 'transcribing' end`,
      failure: null,
      ...fixedAtBeginning,
      updatedAt: new Date(),
    })
    .where(and(isAttempt(tx, attempt), inArray(records.status, underWay)))
    .returning({ needsRecording: recordingMissing, hasTranscript: transcriptExists });
  return row;
}

/** False if the attempt has ended. */
export async function updateProcessing(
  tx: OrgTx,
  attempt: ProcessingAttempt,
  changes: RecordChanges,
): Promise<boolean> {
  const { count } = await tx
    .update(records)
    .set({ ...changes, updatedAt: new Date() })
    .where(isUnderWay(tx, attempt));
  return count > 0;
}

/** False if the attempt has ended, or has its recording already. */
export async function attachRecording(tx: OrgTx, attempt: ProcessingAttempt, changes: RecordChanges): Promise<boolean> {
  const { count } = await tx
    .update(records)
    .set({ ...changes, updatedAt: new Date() })
    .where(and(isUnderWay(tx, attempt), isNull(records.storageKey)));
  return count > 0;
}

/** Columns of a record and its project that transcribing needs. */
export const sourceColumns = {
  storageKey: records.storageKey,
  contentType: records.fileContentType,
  language: sql<string | null>`coalesce(${records.language}, ${projects.language})`,
  channelMap: sql<typeof records.$inferSelect.channelMap>`coalesce(${records.channelMap}, ${projects.channelMap})`,
  agentName: records.agentName,
  redaction: requestedRedaction,
};

/** What the fetch and transcribe steps need to know about a record. */
export async function selectSource(tx: OrgTx, attempt: ProcessingAttempt) {
  const [row] = await tx
    .select({ ...sourceColumns, recordingUrl: records.recordingUrl, hasTranscript: transcriptExists })
    .from(records)
    .innerJoin(projects, projectOfRecord)
    .where(isUnderWay(tx, attempt));
  return row;
}

/** The number of the record's next transcript. The caller has locked the record. */
export const nextTranscript = sql<number>`(coalesce(${lastTranscript}, 0) + 1)`;

/**
 * The transcript and profile version that the attempt has fixed; otherwise the newest, for attempts started by an older
 * release.
 */
export async function selectScoringInput(tx: OrgTx, attempt: ProcessingAttempt) {
  const [row] = await tx
    .select({
      agentName: records.agentName,
      durationSeconds: records.durationSeconds,
      profile: {
        id: profiles.id,
        version: sql<number>`coalesce(${records.passProfileVersion}, ${profiles.currentVersion})`,
        name: profiles.name,
      },
      transcript: keptTranscriptColumns,
      requestedRedaction,
    })
    .from(records)
    .innerJoin(projects, projectOfRecord)
    .innerJoin(
      profiles,
      and(
        eq(profiles.orgId, projects.orgId),
        sql`${profiles.id} = coalesce(${records.passProfileId}, ${projects.profileId})`,
      ),
    )
    .innerJoin(
      transcripts,
      and(
        eq(transcripts.orgId, records.orgId),
        eq(transcripts.recordId, records.id),
        sql`${transcripts.version} = coalesce(${records.passTranscriptVersion}, ${lastTranscript})`,
      ),
    )
    .where(isUnderWay(tx, attempt));
  return row;
}

export type LockedRecord = NonNullable<Awaited<ReturnType<typeof lockProcessing>>>;

/** The locked record, with the number of its latest analysis. */
export async function lockProcessing(tx: OrgTx, attempt: ProcessingAttempt) {
  const [row] = await tx
    .select({
      projectId: records.projectId,
      source: records.source,
      externalId: records.externalId,
      agentName: records.agentName,
      durationSeconds: records.durationSeconds,
      reservedCost: records.reservedCost,
      createdAt: records.createdAt,
      lastVersion: sql<number>`(select coalesce(max(a.version), 0) from ${analyses} a
        where a.org_id = records.org_id and a.record_id = records.id)`,
    })
    .from(records)
    .where(isUnderWay(tx, attempt))
    .for('no key update');
  return row;
}

export async function retireAnalyses(tx: OrgTx, recordId: string): Promise<void> {
  await tx
    .update(analyses)
    .set({ current: false })
    .where(and(ofRecord(tx, analyses, recordId), eq(analyses.current, true)));
}

type NewAnalysis = {
  id: string;
  recordId: string;
  projectId: string;
  version: number;
  completedAt: Date;
  scorecard: Scorecard;
  scoredBy: ScoredBy;
  prices: Prices;
};

export async function insertAnalysis(
  tx: OrgTx,
  { scorecard, scoredBy, prices, ...analysis }: NewAnalysis,
): Promise<void> {
  const { profile, transcriptVersion } = scoredBy;
  await tx.insert(analyses).values({
    ...analysis,
    ...scorecard,
    orgId: tx.orgId,
    current: true,
    status: 'completed',
    profileId: profile.id,
    profileVersion: profile.version,
    profileName: profile.name,
    ...engineColumns(scoredBy, prices),
    transcriptVersion,
  });
}

/** Who answered, and at what cost. */
export function engineColumns({ engine, tokens }: ScoredBy, prices: Prices) {
  return {
    engineKind: engine.kind,
    engineModel: engine.model,
    engineFallback: engine.fallback,
    ...(tokens && { ...tokens, modelCost: modelCostOf(tokens, prices) }),
  };
}

export async function completeRecord(tx: OrgTx, id: string, changes: RecordChanges): Promise<void> {
  await tx
    .update(records)
    .set({ ...changes, status: 'completed', stage: null, failure: null, reservedCost: null, updatedAt: new Date() })
    .where(byId(tx, records, id));
}

/** Locks a record whose attempt has not ended. */
export async function lockReserved(tx: OrgTx, attempt: ProcessingAttempt) {
  const [row] = await tx
    .select({ reservedCost: records.reservedCost })
    .from(records)
    .where(and(isAttempt(tx, attempt), inArray(records.status, underWay)))
    .for('no key update');
  return row;
}

export async function markFailed(tx: OrgTx, attempt: ProcessingAttempt, failure: Failure) {
  const [row] = await tx
    .update(records)
    .set({ status: 'failed', stage: null, failure, reservedCost: null, updatedAt: new Date() })
    .where(and(isAttempt(tx, attempt), inArray(records.status, underWay)))
    .returning({ projectId: records.projectId, externalId: records.externalId, createdAt: records.createdAt });
  return row;
}

/** Whether the record's profile has changed, or a different one was chosen, since the record last changed. */
export async function hasNewerProfile(tx: OrgTx, { projectId, updatedAt }: RecordRow): Promise<boolean> {
  const since = updatedAt.toISOString();
  const rows = await tx.execute(sql`
    select from ${projects} p join ${profileVersions} v on v.org_id = p.org_id and v.profile_id = p.profile_id
     where p.org_id = ${tx.orgId} and p.id = ${projectId}
       and (p.updated_at > ${since}::timestamptz or v.created_at > ${since}::timestamptz) limit 1`);
  return rows.length > 0;
}
