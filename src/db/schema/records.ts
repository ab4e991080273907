import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { ChannelMap } from '../../model/channel-map.ts';
import type { Redaction } from '../../model/redaction.ts';
import type { Segment, Speaker } from '../../model/transcript.ts';
import { bytea, createdAt, instant, orgId, updatedAt } from './columns.ts';
import { profileVersions, projects } from './projects.ts';
import {
  directions,
  recordSources,
  recordStatuses,
  recordTypes,
  stages,
  type CrmReference,
  type Failure,
  type FieldChange,
} from '../../model/record.ts';
import { complianceStatuses } from '../../model/scorecard.ts';
import { transcriptSources } from '../../model/transcript.ts';

export const records = pgTable(
  'records',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    projectId: text('project_id').notNull(),
    type: text('type', { enum: recordTypes }).notNull().default('call'),
    status: text('status', { enum: recordStatuses }).notNull().default('pending'),
    stage: text('stage', { enum: stages }),
    failure: jsonb('failure').$type<Failure>(),
    /** Counts attempts to process the record: a retry starts the next one. */
    attempt: integer('attempt').notNull().default(1),
    /** The profile of this attempt, fixed when it starts, and the transcript that it scores, once there is one. */
    passProfileId: text('pass_profile_id'),
    passProfileVersion: integer('pass_profile_version'),
    passTranscriptVersion: integer('pass_transcript_version'),
    source: text('source', { enum: recordSources }).notNull(),
    externalId: text('external_id'),
    direction: text('direction', { enum: directions }),
    agentName: text('agent_name'),
    agentUserId: text('agent_user_id'),
    customerPhone: text('customer_phone'),
    startedAt: instant('started_at'),
    durationSeconds: integer('duration_seconds'),
    language: text('language'),
    channels: integer('channels'),
    channelMap: jsonb('channel_map').$type<ChannelMap>(),
    fileName: text('file_name'),
    fileSizeBytes: bigint('file_size_bytes', { mode: 'number' }),
    fileContentType: text('file_content_type'),
    fileSha256: text('file_sha256'),
    /** How much of the recording is damaged and unreadable; null if nothing is missing. */
    fileMissingMs: integer('file_missing_ms'),
    storageKey: text('storage_key'),
    recordingUrl: text('recording_url'),
    crm: jsonb('crm').$type<CrmReference>(),
    /** Parts of `crm` as columns: with row-level security, expressions on JSON use no index. */
    crmEntityType: text('crm_entity_type').generatedAlwaysAs(sql`crm ->> 'entityType'`),
    crmEntityId: text('crm_entity_id').generatedAlwaysAs(sql`crm ->> 'entityId'`),
    tags: text('tags').array().notNull().default([]),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    uploadedBy: text('uploaded_by'),
    /** Reserved for it in the budget until it is processed. */
    reservedCost: numeric('reserved_cost', { precision: 18, scale: 4 }),
    /** Copied from the current analysis, so that lists sort and filter by index. */
    analysisId: text('analysis_id'),
    qualityScore: integer('quality_score'),
    judgedShare: doublePrecision('judged_share'),
    needsReviewCount: integer('needs_review_count'),
    complianceStatus: text('compliance_status', { enum: complianceStatuses }),
    /** Whether that analysis was reviewed. */
    reviewed: boolean('reviewed').notNull().default(false),
    /** Whether it has no score because too little of it was judged. Without a share no check applies, so no review is needed. */
    awaitsReview: boolean('awaits_review')
      .notNull()
      .generatedAlwaysAs(
        sql`status = 'completed' and not reviewed and quality_score is null and judged_share is not null`,
      ),
    createdAt: createdAt(),
    /** When the call took place, as far as anybody said: what periods, statistics and trends go by. */
    callAt: instant('call_at')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(started_at, created_at)`),
    updatedAt: updatedAt(),
    completedAt: instant('completed_at'),
    /** When retention deleted the recording, the transcript and what quotes it; the figures stay. */
    contentDeletedAt: instant('content_deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    foreignKey({ columns: [t.orgId, t.projectId], foreignColumns: [projects.orgId, projects.id] }),
    foreignKey({
      name: 'records_pass_profile_fk',
      columns: [t.orgId, t.passProfileId, t.passProfileVersion],
      foreignColumns: [profileVersions.orgId, profileVersions.profileId, profileVersions.version],
    }),
    uniqueIndex('records_external')
      .on(t.orgId, t.source, t.externalId)
      .where(sql`external_id is not null and source <> 'upload'`),
    // The time of the call comes last: a list by arrival that is limited to a period skips other calls in the index.
    index('records_created').on(t.orgId, t.createdAt, t.id, t.callAt),
    index('records_project_created').on(t.orgId, t.projectId, t.createdAt, t.id, t.callAt),
    index('records_status_created').on(t.orgId, t.status, t.createdAt, t.id, t.callAt),
    index('records_call').on(t.orgId, t.callAt, t.id),
    index('records_project_call').on(t.orgId, t.projectId, t.callAt, t.id),
    index('records_status_call').on(t.orgId, t.status, t.callAt, t.id),
    index('records_compliance_call').on(t.orgId, t.complianceStatus, t.callAt, t.id),
    index('records_reviewed_call').on(t.orgId, t.reviewed, t.callAt, t.id),
    // Nulls come last in both directions, which one index cannot serve.
    index('records_duration_asc').on(t.orgId, t.durationSeconds.asc().nullsLast(), t.id.asc()),
    index('records_duration_desc').on(t.orgId, t.durationSeconds.desc().nullsLast(), t.id.desc()),
    index('records_score_asc').on(t.orgId, t.qualityScore.asc().nullsLast(), t.id.asc()),
    index('records_score_desc').on(t.orgId, t.qualityScore.desc().nullsLast(), t.id.desc()),
    index('records_share_asc').on(t.orgId, t.judgedShare.asc().nullsLast(), t.id.asc()),
    index('records_share_desc').on(t.orgId, t.judgedShare.desc().nullsLast(), t.id.desc()),
    index('records_awaiting_call').on(t.orgId, t.awaitsReview, t.callAt, t.id),
    // Finds the worst unreviewed calls score by score, newest first.
    index('records_unreviewed_score')
      .on(t.orgId, t.qualityScore, t.callAt, t.projectId)
      .where(sql`status = 'completed' and not reviewed and quality_score is not null`),
    index('records_uploader').on(t.orgId, t.uploadedBy, t.createdAt),
    index('records_agent').on(t.orgId, t.agentUserId, t.createdAt),
    index('records_crm_entity')
      .on(t.orgId, t.crmEntityType, t.crmEntityId, t.createdAt, t.id)
      .where(sql`crm_entity_id is not null`),
    index('records_external_id')
      .on(t.orgId, t.externalId, t.createdAt, t.id)
      .where(sql`external_id is not null`),
    // For counting analyses of an agent, which are spread over the table.
    index('records_agent_name').on(t.orgId, t.agentName, t.id),
    index('records_unfinished')
      .on(t.updatedAt)
      .where(sql`status in ('pending', 'processing')`),
  ],
);

/** What people corrected in what is known of a call: one row for each request that changed something. */
export const recordChanges = pgTable(
  'record_changes',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    recordId: text('record_id').notNull(),
    /** Fields with their values before and after; a phone number is masked, of `metadata` there are the keys. */
    changes: jsonb('changes').$type<FieldChange[]>().notNull(),
    authorId: text('author_id').notNull(),
    authorName: text('author_name').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    foreignKey({ columns: [t.orgId, t.recordId], foreignColumns: [records.orgId, records.id] }).onDelete('cascade'),
    index('record_changes_created').on(t.orgId, t.recordId, t.createdAt, t.id),
  ],
);

/**
 * Objects being received. A row is written before the first byte and deleted once the record exists, so a crash leaves
 * a trace for the sweeper.
 */
export const uploads = pgTable(
  'uploads',
  {
    orgId: orgId(),
    storageKey: text('storage_key').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.orgId, t.storageKey] }), index('uploads_created').on(t.createdAt)],
);

/**
 * Records counted by project and day of the call (UTC), maintained by triggers: exact totals and statistics without a
 * scan.
 */
export const recordDays = pgTable(
  'record_days',
  {
    orgId: orgId(),
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    pending: bigint('pending', { mode: 'number' }).notNull().default(0),
    processing: bigint('processing', { mode: 'number' }).notNull().default(0),
    completed: bigint('completed', { mode: 'number' }).notNull().default(0),
    failed: bigint('failed', { mode: 'number' }).notNull().default(0),
    /** Completed records only, as in the statistics. */
    durationSum: numeric('duration_sum').notNull().default('0'),
    durationCount: bigint('duration_count', { mode: 'number' }).notNull().default(0),
    scoreSum: numeric('score_sum').notNull().default('0'),
    scoreCount: bigint('score_count', { mode: 'number' }).notNull().default(0),
    /** Judged shares in thousandths. */
    shareSum: bigint('share_sum', { mode: 'number' }).notNull().default(0),
    shareCount: bigint('share_count', { mode: 'number' }).notNull().default(0),
    /** Without a score because too little was judged, and not reviewed. */
    awaiting: bigint('awaiting', { mode: 'number' }).notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.projectId, t.day] }),
    foreignKey({ columns: [t.orgId, t.projectId], foreignColumns: [projects.orgId, projects.id] }).onDelete('cascade'),
  ],
);

export const transcripts = pgTable(
  'transcripts',
  {
    orgId: orgId(),
    recordId: text('record_id').notNull(),
    version: integer('version').notNull(),
    language: text('language'),
    source: text('source', { enum: transcriptSources }).notNull(),
    model: text('model'),
    channels: integer('channels').notNull(),
    durationMs: integer('duration_ms'),
    speakers: jsonb('speakers').$type<Speaker[]>().notNull(),
    segments: jsonb('segments').$type<Segment[]>().notNull(),
    /** What was redacted in the segments; null if they are as they were heard. */
    redactions: jsonb('redactions').$type<Redaction[]>(),
    /** Whether the names of customers were redacted too. */
    namesRedacted: boolean('names_redacted').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.recordId, t.version] }),
    foreignKey({ columns: [t.orgId, t.recordId], foreignColumns: [records.orgId, records.id] }).onDelete('cascade'),
  ],
);

/** The loudness of a recording over time: one byte per point, channel after channel. */
export const waveforms = pgTable(
  'waveforms',
  {
    orgId: orgId(),
    recordId: text('record_id').notNull(),
    durationMs: integer('duration_ms').notNull(),
    points: integer('points').notNull(),
    /** Which channels of the recording; duplicates of another channel are omitted. */
    channels: integer('channels').array().notNull(),
    /** Null if the recording cannot be decoded: then there is nothing to draw or to retry. */
    levels: bytea('levels'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.recordId] }),
    foreignKey({ columns: [t.orgId, t.recordId], foreignColumns: [records.orgId, records.id] }).onDelete('cascade'),
  ],
);

/** The recording with its redacted stretches muted. Deleted when a transcript of the record is redacted again. */
export const mutedRecordings = pgTable(
  'muted_recordings',
  {
    orgId: orgId(),
    recordId: text('record_id').notNull(),
    /** Null if there is nothing to mute: then the recording itself may be heard. */
    storageKey: text('storage_key'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
    sha256: text('sha256'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.recordId] }),
    foreignKey({ columns: [t.orgId, t.recordId], foreignColumns: [records.orgId, records.id] }).onDelete('cascade'),
  ],
);
