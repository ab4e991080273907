import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { analyses } from './analyses.ts';
import { bytea, createdAt, instant, orgId, updatedAt } from './columns.ts';
import { orgs } from './orgs.ts';
import { projects } from './projects.ts';

/** A CRM portal that an organization has linked: people who open the app there belong to that organization. */
export const portals = pgTable(
  'portals',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    /** The portal's own id, which stays the same when its domain changes. */
    memberId: text('member_id').notNull(),
    domain: text('domain').notNull(),
    /** The project for its calls. Null if the portal is linked for sign-in only, or its project was deleted. */
    projectId: text('project_id'),
    status: text('status', { enum: ['active', 'suspended'] })
      .notNull()
      .default('active'),
    /** The CRM's own word. */
    suspendedReason: text('suspended_reason'),
    suspendedAt: instant('suspended_at'),
    durationMinSeconds: integer('duration_min_seconds').notNull().default(5),
    sendsTranscript: boolean('sends_transcript').notNull().default(true),
    sendsComment: boolean('sends_comment').notNull().default(true),
    /** Address for events, as last sent to the portal. */
    eventsUrl: text('events_url'),
    /** The next reconciliation covers calls that began then or later. */
    reconcileFrom: instant('reconcile_from')
      .notNull()
      .default(sql`now()`),
    reconciledAt: instant('reconciled_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.memberId] }),
    uniqueIndex('portals_id').on(t.orgId, t.id),
    uniqueIndex('portals_member').on(t.memberId),
    // Sets only the project to null (SQL in the migration): the organization remains.
    foreignKey({ columns: [t.orgId, t.projectId], foreignColumns: [projects.orgId, projects.id] }).onDelete('set null'),
    index('portals_project').on(t.orgId, t.projectId),
    index('portals_created').on(t.orgId, t.createdAt, t.id),
    index('portals_reconciled').on(t.reconciledAt.asc().nullsFirst(), t.memberId),
  ],
);

/** The application in a portal: known from the portal itself, before any organization has linked it. */
export const portalInstallations = pgTable('portal_installations', {
  memberId: text('member_id').primaryKey(),
  domain: text('domain').notNull(),
  /** Client id that the tokens belong to. */
  clientId: text('client_id').notNull().default(''),
  clientEndpoint: text('client_endpoint').notNull(),
  /** SHA-256 of the token that comes with every event. */
  applicationTokenHash: bytea('application_token_hash').notNull(),
  /** Sealed, like the next one. Null once the organization has unlinked the portal. */
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  /** Version of the tokens; of several processes that find one expired, the first to increment this renews it. */
  tokenVersion: integer('token_version').notNull().default(0),
  renewingUntil: instant('renewing_until'),
  /** SHA-256 of the code that was shown to an administrator of the portal. */
  linkCodeHash: bytea('link_code_hash'),
  linkCodeExpiresAt: instant('link_code_expires_at'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Every call that a portal announced, and what became of it. No phone number: that is in the record. */
export const crmCalls = pgTable(
  'crm_calls',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    memberId: text('member_id').notNull(),
    callId: text('call_id').notNull(),
    portalId: text('portal_id').notNull(),
    status: text('status', { enum: ['waiting', 'taken', 'ignored'] }).notNull(),
    /** Why it is waiting or was ignored. */
    reason: text('reason'),
    announcedBy: text('announced_by', { enum: ['event', 'reconciliation'] }).notNull(),
    startedAt: instant('started_at'),
    durationSeconds: integer('duration_seconds'),
    recordId: text('record_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.memberId, t.callId] }),
    index('crm_calls_created').on(t.orgId, t.createdAt, t.callId),
    index('crm_calls_status').on(t.orgId, t.status, t.createdAt, t.callId),
    index('crm_calls_portal').on(t.orgId, t.portalId, t.createdAt, t.callId),
    index('crm_calls_record')
      .on(t.orgId, t.recordId)
      .where(sql`record_id is not null`),
    index('crm_calls_settled')
      .on(t.updatedAt)
      .where(sql`status <> 'waiting'`),
  ],
);

/**
 * What was written back to the CRM, once per analysis. A row in `sending` was started, and may have been carried out.
 */
export const crmReports = pgTable(
  'crm_reports',
  {
    orgId: orgId(),
    analysisId: text('analysis_id').notNull(),
    kind: text('kind', { enum: ['transcript', 'comment'] }).notNull(),
    recordId: text('record_id').notNull(),
    status: text('status', { enum: ['sending', 'sent', 'refused'] }).notNull(),
    reason: text('reason'),
    transcriptVersion: integer('transcript_version'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.analysisId, t.kind] }),
    index('crm_reports_record').on(t.orgId, t.recordId, t.kind),
    foreignKey({ columns: [t.orgId, t.analysisId], foreignColumns: [analyses.orgId, analyses.id] }).onDelete('cascade'),
  ],
);
