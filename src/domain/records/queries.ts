import { and, asc, desc, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import type { Visibility } from '../../auth/principal.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, profileVersions, projects, records, transcripts, uploads, users } from '../../db/schema/index.ts';
import type { KeptTranscript } from './kept-transcript.ts';
import type { RedactionDepth } from '../../model/redaction.ts';
import { visibleRecords } from '../visible-records.ts';

export type RecordRow = typeof records.$inferSelect;
export type NewRecord = Omit<typeof records.$inferInsert, 'orgId'>;

/** Locks the row until the transaction ends, so that two changes of state cannot both believe to be the first. */
export async function lockRecord(tx: OrgTx, id: string, visibility: Visibility): Promise<RecordRow | undefined> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.id, id), visibleRecords(visibility)))
    .for('update');
  return row;
}

export async function selectByExternalId(
  tx: OrgTx,
  source: RecordRow['source'],
  externalId: string,
): Promise<RecordRow | undefined> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.source, source), eq(records.externalId, externalId)));
  return row;
}

/** Null when the call (organization, source, external id) is there already. */
export async function insertRecord(tx: OrgTx, record: NewRecord): Promise<RecordRow | null> {
  const [row] = await tx
    .insert(records)
    .values({ ...record, orgId: tx.orgId })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export async function updateRecord(tx: OrgTx, id: string, changes: Partial<NewRecord>): Promise<void> {
  await tx
    .update(records)
    .set({ ...changes, updatedAt: new Date() })
    .where(and(eq(records.orgId, tx.orgId), eq(records.id, id)));
}

export async function hasSuppliedTranscript(tx: OrgTx, recordId: string): Promise<boolean> {
  const rows = await tx
    .select({ version: transcripts.version })
    .from(transcripts)
    .where(and(eq(transcripts.orgId, tx.orgId), eq(transcripts.recordId, recordId), eq(transcripts.source, 'supplied')))
    .limit(1);
  return rows.length > 0;
}

export async function deleteRecords(tx: OrgTx, ids: string[]): Promise<void> {
  await tx.delete(records).where(and(eq(records.orgId, tx.orgId), inArray(records.id, ids)));
}

/**
 * All records of a project at once: whoever completes one holds it before it needs the counters of its day, which the
 * first deleted batch locks.
 */
export async function lockProjectRecords(tx: OrgTx, projectId: string): Promise<void> {
  await tx.execute(sql`select count(*) from (
    select from ${records} where org_id = ${tx.orgId} and project_id = ${projectId} order by id for update) locked`);
}

/** The next records of a project, for deletion in batches. */
export function selectProjectRecords(tx: OrgTx, projectId: string, limit: number) {
  return tx
    .select({
      id: records.id,
      projectId: records.projectId,
      externalId: records.externalId,
      storageKey: records.storageKey,
    })
    .from(records)
    .where(and(eq(records.orgId, tx.orgId), eq(records.projectId, projectId)))
    .orderBy(asc(records.id))
    .limit(limit);
}

/** A transcript with its segments as JSON, for whoever only hands it on. */
export const keptTranscriptColumns = {
  ...getTableColumns(transcripts),
  segments: sql<string>`${transcripts.segments}::text`,
};

/** Stores segments that are JSON already. */
export function asSegments(json: string): SQL {
  return sql`${json}::jsonb`;
}

/** The same as `selectShownTranscript`, without its text. */
export async function selectKeptTranscript(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select(keptTranscriptColumns)
    .from(transcripts)
    .where(and(eq(transcripts.orgId, tx.orgId), eq(transcripts.recordId, recordId)))
    .orderBy(...shownFirst(tx, recordId))
    .limit(1);
  return row;
}

/** What was said, line by line, of a transcript so long that its segments are not to be read where requests are answered. */
const longText = sql<string | null>`case when pg_column_size(${transcripts.segments}) > 50000 then (
  select string_agg(s.segment ->> 'text', E'\\n' order by s.number)
    from jsonb_array_elements(${transcripts.segments}) with ordinality as s(segment, number)) end`;

/** The one that the current analysis rests on, so that its evidence fits; the latest until there is one. */
export async function selectShownTranscript(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select({ ...keptTranscriptColumns, longText })
    .from(transcripts)
    .where(and(eq(transcripts.orgId, tx.orgId), eq(transcripts.recordId, recordId)))
    .orderBy(...shownFirst(tx, recordId))
    .limit(1);
  return row;
}

/** Of the transcripts of a record, that one first. */
export function shownFirst(tx: OrgTx, recordId: string): SQL[] {
  const isAnalysed = sql`coalesce(${transcripts.version} = (
    select a.transcript_version from ${analyses} a
     where a.org_id = ${tx.orgId} and a.record_id = ${recordId} and a.current), false)`;
  return [desc(isAnalysed), desc(transcripts.version)];
}

export async function insertTranscript(
  tx: OrgTx,
  { segments, ...transcript }: KeptTranscript & { version: number },
): Promise<void> {
  await tx
    .insert(transcripts)
    .values({ ...transcript, segments: asSegments(segments), orgId: tx.orgId })
    .onConflictDoNothing();
}

/** What the project asks for. */
export const redactionAsked = sql<RedactionDepth>`case when not ${projects.redactPii} then 'none'
  when ${projects.redactNames} then 'names' else 'data' end`;

/**
 * Keeps the project from being deleted until the transaction ends; waits for a deletion that is under way. Undefined
 * where there is none. Before anything else is locked, as a deletion locks the project before what belongs to it.
 */
export async function holdProject(tx: OrgTx, id: string) {
  const [row] = await tx
    .select({ redaction: redactionAsked })
    .from(projects)
    .where(and(eq(projects.orgId, tx.orgId), eq(projects.id, id)))
    .for('share');
  return row;
}

/** Whether the profile that the record would be scored by was changed, or another one was chosen, since it was changed last. */
export async function hasNewerProfile(tx: OrgTx, { projectId, updatedAt }: RecordRow): Promise<boolean> {
  const since = updatedAt.toISOString();
  const rows = await tx.execute(sql`
    select from ${projects} p join ${profileVersions} v on v.org_id = p.org_id and v.profile_id = p.profile_id
     where p.org_id = ${tx.orgId} and p.id = ${projectId}
       and (p.updated_at > ${since}::timestamptz or v.created_at > ${since}::timestamptz) limit 1`);
  return rows.length > 0;
}

export async function insertUpload(tx: OrgTx, storageKey: string): Promise<void> {
  await tx.insert(uploads).values({ orgId: tx.orgId, storageKey });
}

/** False when the trace is gone already, and with it the object: the sweeper took it for abandoned. */
export async function deleteUpload(tx: OrgTx, storageKey: string): Promise<boolean> {
  const rows = await tx
    .delete(uploads)
    .where(and(eq(uploads.orgId, tx.orgId), eq(uploads.storageKey, storageKey)))
    .returning({ storageKey: uploads.storageKey });
  return rows.length > 0;
}

export async function selectMemberIdByEmail(tx: OrgTx, email: string): Promise<string | null> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email})`);
  return row?.id ?? null;
}
