import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { analyses } from './analyses.ts';
import { createdAt, instant, orgId, updatedAt } from './columns.ts';
import { orgs } from './orgs.ts';
import { projects } from './projects.ts';
import { alertActions, alertCauses, alertSeverities } from '../../model/alert.ts';

const operators = ['lt', 'lte', 'gt', 'gte', 'eq', 'neq'] as const;

export const alerts = pgTable(
  'alerts',
  {
    orgId: orgId().references(() => orgs.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** Null means all projects. */
    projectId: text('project_id'),
    field: text('field').notNull(),
    operator: text('operator', { enum: operators }).notNull(),
    value: jsonb('value').$type<number | string>().notNull(),
    actions: text('actions', { enum: alertActions }).array().notNull(),
    recipients: text('recipients')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    severity: text('severity', { enum: alertSeverities }).notNull(),
    cooldownSeconds: integer('cooldown_seconds').notNull(),
    enabled: boolean('enabled').notNull(),
    triggerCount: integer('trigger_count').notNull().default(0),
    lastTriggeredAt: instant('last_triggered_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    foreignKey({ columns: [t.orgId, t.projectId], foreignColumns: [projects.orgId, projects.id] }).onDelete('cascade'),
    index('alerts_created').on(t.orgId, t.createdAt, t.id),
    index('alerts_project').on(t.orgId, t.projectId, t.createdAt, t.id),
  ],
);

/** Each time a rule fired: at most once per version of an analysis. The id is that of the event that announces it. */
export const alertEvents = pgTable(
  'alert_events',
  {
    orgId: orgId(),
    id: text('id').notNull(),
    alertId: text('alert_id').notNull(),
    analysisId: text('analysis_id').notNull(),
    recordId: text('record_id').notNull(),
    projectId: text('project_id').notNull(),
    cause: text('cause', { enum: alertCauses }).notNull(),
    severity: text('severity', { enum: alertSeverities }).notNull(),
    field: text('field').notNull(),
    operator: text('operator', { enum: operators }).notNull(),
    threshold: jsonb('threshold').$type<number | string>().notNull(),
    value: jsonb('value').$type<number | string>().notNull(),
    triggeredAt: instant('triggered_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orgId, t.id] }),
    foreignKey({ columns: [t.orgId, t.alertId], foreignColumns: [alerts.orgId, alerts.id] }).onDelete('cascade'),
    foreignKey({ columns: [t.orgId, t.analysisId], foreignColumns: [analyses.orgId, analyses.id] }).onDelete('cascade'),
    uniqueIndex('alert_events_once').on(t.orgId, t.analysisId, t.alertId),
    index('alert_events_alert').on(t.orgId, t.alertId, t.triggeredAt, t.id),
  ],
);
