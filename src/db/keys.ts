import { and, eq, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { analyses, projects, records, transcripts } from './schema/index.ts';
import type { OrgTx } from './scope.ts';

/** The row of the organization with this id. */
export function byId(tx: OrgTx, table: Record<'orgId' | 'id', PgColumn>, id: string): SQL | undefined {
  return and(eq(table.orgId, tx.orgId), eq(table.id, id));
}

/** The rows of the organization that belong to this record. */
export function ofRecord(tx: OrgTx, table: Record<'orgId' | 'recordId', PgColumn>, recordId: string): SQL | undefined {
  return and(eq(table.orgId, tx.orgId), eq(table.recordId, recordId));
}

export const projectOfRecord = and(eq(projects.orgId, records.orgId), eq(projects.id, records.projectId));
export const recordOfAnalysis = and(eq(records.orgId, analyses.orgId), eq(records.id, analyses.recordId));
/** The transcript that the analysis is based on. */
export const transcriptOfAnalysis = and(
  eq(transcripts.orgId, analyses.orgId),
  eq(transcripts.recordId, analyses.recordId),
  eq(transcripts.version, analyses.transcriptVersion),
);
