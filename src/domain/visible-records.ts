import { and, eq, or, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Visibility } from '../auth/principal.ts';
import { records } from '../db/schema/index.ts';

type GivenVisibility = { [Key in keyof Visibility]: Placeholder | null };

/** Conditions on `records` that keep a query to what the actor may see. Row-level security keeps it to the organization. */
export function visibleRecords({ projectIds, ownUserId }: Visibility | GivenVisibility): SQL | undefined {
  return and(
    projectIds === null ? undefined : sql`${records.projectId} = any(${sql.param(projectIds)})`,
    ownUserId === null ? undefined : or(eq(records.uploadedBy, ownUserId), eq(records.agentUserId, ownUserId)),
  );
}
