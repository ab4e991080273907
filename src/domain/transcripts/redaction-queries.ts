import { and, eq, sql } from 'drizzle-orm';
import { byId, projectOfRecord } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { projects, records, transcripts } from '../../db/schema/index.ts';
import { depthOf, type RedactionDepth } from '../../model/redaction.ts';
import { requestedRedaction } from '../requested-redaction.ts';

const done = { redactions: transcripts.redactions, namesRedacted: transcripts.namesRedacted };

/** The redaction that the record's project asks for, and what there is to mute. */
export async function selectRedactionPolicy(tx: OrgTx, recordId: string) {
  const [row] = await tx
    .select({ asked: requestedRedaction, hasRecording: sql<boolean>`${records.storageKey} is not null` })
    .from(records)
    .innerJoin(projects, projectOfRecord)
    .where(byId(tx, records, recordId));
  return row;
}

/** The redaction that a transcript should have, and the one that it has. Undefined if there is no such record. */
export async function selectDepths(tx: OrgTx, recordId: string, version: number): Promise<Depths | undefined> {
  const [row] = await tx
    .select({ asked: requestedRedaction, done })
    .from(records)
    .innerJoin(projects, projectOfRecord)
    .leftJoin(
      transcripts,
      and(eq(transcripts.orgId, records.orgId), eq(transcripts.recordId, records.id), eq(transcripts.version, version)),
    )
    .where(byId(tx, records, recordId));
  return row && { asked: row.asked, done: row.done ? depthOf(row.done) : 'none' };
}

export type Depths = { asked: RedactionDepth; done: RedactionDepth };
