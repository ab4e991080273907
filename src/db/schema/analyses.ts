import { sql } from 'drizzle-orm';
import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { complianceStatuses, type CheckResult, type ComplianceFinding, type Metrics } from '../../model/scorecard.ts';
import type { KeyedAnswers } from '../../model/model-answers.ts';
import { createdAt, instant, orgId, updatedAt } from './columns.ts';
import { profileVersions } from './projects.ts';
import type { Failure } from '../../model/record.ts';
import { records } from './records.ts';
import { analysisStatuses, engineKinds } from '../../model/analysis.ts';

export const analyses = pgTable(
  'analyses',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    recordId: text('record_id').notNull(),
    projectId: text('project_id').notNull(),
    version: integer('version').notNull(),
    current: boolean('current').notNull().default(false),
    status: text('status', { enum: analysisStatuses }).notNull(),
    failure: jsonb('failure').$type<Failure>(),
    profileId: text('profile_id').notNull(),
    profileVersion: integer('profile_version').notNull(),
    profileName: text('profile_name').notNull(),
    engineKind: text('engine_kind', { enum: engineKinds }).notNull(),
    engineModel: text('engine_model'),
    /** Why the rules answered instead of the model. */
    engineFallback: jsonb('engine_fallback').$type<{ code: string; message: string }>(),
    /** Tokens of the model's answers, and their cost; null if no model answered. */
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    modelCost: numeric('model_cost', { precision: 18, scale: 4 }),
    transcriptVersion: integer('transcript_version'),
    qualityScore: integer('quality_score'),
    /** Null where no check applies; also in analyses of earlier releases that hold no answers any more. */
    judgedShare: doublePrecision('judged_share'),
    needsReviewCount: integer('needs_review_count'),
    summary: text('summary').notNull().default(''),
    improvements: jsonb('improvements').$type<string[]>().notNull().default([]),
    complianceStatus: text('compliance_status', { enum: complianceStatuses }),
    // Not jsonb, to keep the categories in the order of the rubric.
    categories: json('categories').$type<Record<string, number | null>>().notNull().default({}),
    /** The scores after a review. The automatic ones above never change. */
    reviewed: boolean('reviewed').notNull().default(false),
    finalQualityScore: integer('final_quality_score'),
    finalJudgedShare: doublePrecision('final_judged_share'),
    finalNeedsReviewCount: integer('final_needs_review_count'),
    finalComplianceStatus: text('final_compliance_status', { enum: complianceStatuses }),
    finalCategories: json('final_categories').$type<Record<string, number | null>>(),
    /** What lists show, sort and filter by: the final value if there is a review. */
    shownQualityScore: integer('shown_quality_score').generatedAlwaysAs(
      sql`case when reviewed then final_quality_score else quality_score end`,
    ),
    shownJudgedShare: doublePrecision('shown_judged_share').generatedAlwaysAs(
      sql`case when reviewed then final_judged_share else judged_share end`,
    ),
    shownNeedsReviewCount: integer('shown_needs_review_count').generatedAlwaysAs(
      sql`case when reviewed then final_needs_review_count else needs_review_count end`,
    ),
    shownComplianceStatus: text('shown_compliance_status', { enum: complianceStatuses }).generatedAlwaysAs(
      sql`case when reviewed then final_compliance_status else compliance_status end`,
    ),
    checks: jsonb('checks').$type<CheckResult[]>().notNull().default([]),
    complianceFindings: jsonb('compliance_findings').$type<ComplianceFinding[]>().notNull().default([]),
    metrics: jsonb('metrics').$type<Metrics>(),
    topics: jsonb('topics').$type<string[]>().notNull().default([]),
    actionItems: jsonb('action_items').$type<string[]>().notNull().default([]),
    /** Who requested a re-analysis, why, and whether the recording is transcribed again. */
    requestedBy: text('requested_by'),
    reason: text('reason'),
    retranscribe: boolean('retranscribe').notNull().default(false),
    /** The revision of the review that it may replace; null if there was none when it was requested. */
    replacesRevision: integer('replaces_revision'),
    /** Reserved in the budget for a further analysis until it is done. */
    reservedCost: numeric('reserved_cost', { precision: 18, scale: 4 }),
    /**
     * The time of its call, copied by triggers, since statistics outlive the record. It was the time of arrival, which
     * its name still says.
     */
    recordCreatedAt: instant('record_created_at')
      .notNull()
      .default(sql`now()`),
    createdAt: createdAt(),
    /** The last sign of life of a running analysis. */
    updatedAt: updatedAt(),
    completedAt: instant('completed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    foreignKey({ columns: [t.orgId, t.recordId], foreignColumns: [records.orgId, records.id] }).onDelete('cascade'),
    foreignKey({
      columns: [t.orgId, t.profileId, t.profileVersion],
      foreignColumns: [profileVersions.orgId, profileVersions.profileId, profileVersions.version],
    }),
    uniqueIndex('analyses_version').on(t.orgId, t.recordId, t.version),
    uniqueIndex('analyses_current')
      .on(t.orgId, t.recordId)
      .where(sql`current`),
    // One re-analysis of a record at a time.
    uniqueIndex('analyses_running')
      .on(t.orgId, t.recordId)
      .where(sql`status in ('pending', 'processing')`),
    index('analyses_unfinished')
      .on(t.updatedAt)
      .where(sql`status in ('pending', 'processing')`),
    // Over all versions: most are current, so one index serves lists with and without superseded ones.
    index('analyses_created').on(t.orgId, t.createdAt, t.id),
    // Includes `current` for counts, which then read nothing else.
    index('analyses_project_created').on(t.orgId, t.projectId, t.createdAt, t.id, t.current),
    index('analyses_reviewed_created').on(t.orgId, t.reviewed, t.createdAt, t.id, t.current),
    index('analyses_compliance_created').on(t.orgId, t.shownComplianceStatus, t.createdAt, t.id, t.current),
    // Reviewed analyses are spread over all scores; this index finds them without reading the others.
    index('analyses_reviewed_score_asc')
      .on(t.orgId, t.shownQualityScore.asc().nullsLast(), t.id.asc())
      .where(sql`reviewed`),
    index('analyses_reviewed_score_desc')
      .on(t.orgId, t.shownQualityScore.desc().nullsLast(), t.id.desc())
      .where(sql`reviewed`),
    index('analyses_score_asc').on(t.orgId, t.shownQualityScore.asc().nullsLast(), t.id.asc()),
    index('analyses_score_desc').on(t.orgId, t.shownQualityScore.desc().nullsLast(), t.id.desc(), t.current),
    index('analyses_share_asc').on(t.orgId, t.shownJudgedShare.asc().nullsLast(), t.id.asc()),
    index('analyses_share_desc').on(t.orgId, t.shownJudgedShare.desc().nullsLast(), t.id.desc()),
    // Few analyses need a review: the index finds them without reading the others.
    index('analyses_awaiting')
      .on(t.orgId, t.createdAt, t.id)
      .where(sql`current and not reviewed and quality_score is null and judged_share is not null`),
  ],
);

/**
 * Answers of a language model about a record that is not scored yet, by the digest of the question: a repeated attempt
 * asks nothing twice. Publishing an analysis deletes them.
 */
export const modelAnswers = pgTable(
  'model_answers',
  {
    orgId: orgId(),
    recordId: text('record_id').notNull(),
    digest: text('digest').notNull(),
    answers: jsonb('answers').$type<KeyedAnswers>().notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.recordId, t.digest] }),
    foreignKey({ columns: [t.orgId, t.recordId], foreignColumns: [records.orgId, records.id] }).onDelete('cascade'),
  ],
);
