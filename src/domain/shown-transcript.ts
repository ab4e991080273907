import { desc, sql, type SQL } from 'drizzle-orm';
import type { OrgTx } from '../db/scope.ts';
import { analyses, transcripts } from '../db/schema/index.ts';

/** Sorts the transcript that a record shows before its others. */
export function shownFirst(tx: OrgTx, recordId: string): SQL[] {
  const isAnalysed = sql`coalesce(${transcripts.version} = (
    select a.transcript_version from ${analyses} a
     where a.org_id = ${tx.orgId} and a.record_id = ${recordId} and a.current), false)`;
  return [desc(isAnalysed), desc(transcripts.version)];
}
