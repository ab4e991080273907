import { and, eq, or, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Visibility } from '../auth/principal.ts';
import { records } from '../db/schema/index.ts';

type GivenVisibility = { [Key in keyof Visibility]: Placeholder | null };

/**
 * Conditions on `records` that limit a query to what the actor may see. Row-level security limits it to the
 * organization.
 */
export function visibleRecords({ projectIds, ownUserId }: Visibility | GivenVisibility): SQL | undefined {
  return and(
    projectIds === null ? undefined : sql`${records.projectId} = any(${sql.param(projectIds)})`,
    ownUserId === null ? undefined : or(eq(records.uploadedBy, ownUserId), eq(records.agentUserId, ownUserId)),
  );
}

/** The values for a prepared statement: only those that limit the actor. */
export function visibilityValues({ projectIds, ownUserId }: Visibility): VisibilityValues {
  return { ...(projectIds !== null && { projectIds }), ...(ownUserId !== null && { ownUserId }) };
}

export type VisibilityValues = { projectIds?: string[]; ownUserId?: string };

/** The placeholders of `visibilityValues`. */
export function givenVisibility(given: { [Key in keyof VisibilityValues]?: Placeholder }): GivenVisibility {
  return { projectIds: given.projectIds ?? null, ownUserId: given.ownUserId ?? null };
}
