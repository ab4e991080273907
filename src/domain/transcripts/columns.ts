import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import { transcripts } from '../../db/schema/index.ts';

/** A transcript with its segments as JSON, for callers that only pass it on. */
export const keptTranscriptColumns = {
  ...getTableColumns(transcripts),
  segments: sql<string>`${transcripts.segments}::text`,
};

/** Stores segments that are already JSON. */
export function asSegments(json: string): SQL {
  return sql`${json}::jsonb`;
}
