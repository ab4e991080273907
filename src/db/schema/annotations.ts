import { foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { analyses } from './analyses.ts';
import { createdAt, orgId, updatedAt } from './columns.ts';

/** Comments that people add to an analysis. The author's name is copied, since comments outlive memberships. */
export const annotations = pgTable(
  'annotations',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    analysisId: text('analysis_id').notNull(),
    text: text('text').notNull(),
    type: text('type', { enum: ['comment', 'praise', 'issue', 'correction'] }).notNull(),
    segmentId: text('segment_id'),
    startMs: integer('start_ms'),
    endMs: integer('end_ms'),
    category: text('category'),
    authorId: text('author_id').notNull(),
    authorName: text('author_name').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    foreignKey({ columns: [t.orgId, t.analysisId], foreignColumns: [analyses.orgId, analyses.id] }).onDelete('cascade'),
    index('annotations_analysis').on(t.orgId, t.analysisId, t.createdAt, t.id),
  ],
);
