import { bigint, foreignKey, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant, orgId } from './columns.ts';
import { projects } from './projects.ts';

const count = (name: string) => integer(name).notNull().default(0);
const sum = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/**
 * Calls counted by creation time, maintained by triggers: `grain` 0 is half an hour, 1 a day (UTC). The `key` says what
 * is counted: all calls (`call`), those of an agent (name and user), a category's final scores, a check's answers.
 */
export const overviewCounts = pgTable(
  'overview_counts',
  {
    orgId: orgId(),
    grain: smallint('grain').notNull(),
    kind: text('kind', { enum: ['call', 'agent', 'category', 'check'] }).notNull(),
    at: instant('at').notNull(),
    projectId: text('project_id').notNull(),
    key: text('key').notNull(),
    ref: text('ref').notNull(),
    /** For a check: the calls that it applies to, and in `failed` those that fail it. */
    calls: count('calls'),
    completed: count('completed'),
    failed: count('failed'),
    scoreSum: sum('score_sum'),
    scoreCount: count('score_count'),
    durationSum: sum('duration_sum'),
    durationCount: count('duration_count'),
    /** By compliance status. */
    passed: count('passed'),
    violated: count('violated'),
    reviewed: count('reviewed'),
    /** Judged shares in thousandths. */
    shareSum: sum('share_sum'),
    shareCount: count('share_count'),
    /** Without a score because too little was judged, and not reviewed. */
    awaiting: count('awaiting'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.grain, t.kind, t.at, t.projectId, t.key, t.ref] }),
    foreignKey({ columns: [t.orgId, t.projectId], foreignColumns: [projects.orgId, projects.id] }).onDelete('cascade'),
    index('overview_counts_project').on(t.orgId, t.projectId),
  ],
);
