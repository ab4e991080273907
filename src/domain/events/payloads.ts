import { z } from 'zod';
import { ComplianceStatus, JudgedShare, NeedsReviewCount } from '../../model/scorecard.ts';
import { alertActions, alertCauses, alertSeverities } from '../../model/alert.ts';

const timestamp = z.string();
const recordFacts = {
  recordId: z.string(),
  projectId: z.string(),
  externalId: z.string().nullable(),
  createdAt: timestamp,
};

/** For a call: `needsReviewCount` checks are left to a person; without a score, the whole call needs a review. */
const scoreFacts = {
  qualityScore: z.int().nullable(),
  judgedShare: JudgedShare,
  needsReviewCount: NeedsReviewCount.nullable(),
};

/**
 * Every event by type. Public ones (`webhookEvents`) reach webhooks unchanged (no phone number, no transcript); those
 * ending in `.requested` are internal orders of the pipeline.
 */
export const eventPayloads = {
  'record.created': z.object({ ...recordFacts, status: z.literal('pending') }),
  'record.completed': z.object({
    ...recordFacts,
    analysisId: z.string(),
    status: z.literal('completed'),
    duration: z.int().nullable(),
    ...scoreFacts,
    complianceStatus: ComplianceStatus,
    agentName: z.string().nullable(),
    completedAt: timestamp,
  }),
  'record.failed': z.object({
    ...recordFacts,
    status: z.literal('failed'),
    failure: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }),
  }),
  'record.deleted': z.object({ recordId: z.string(), projectId: z.string(), externalId: z.string().nullable() }),
  'analysis.completed': z.object({
    analysisId: z.string(),
    recordId: z.string(),
    projectId: z.string(),
    version: z.int(),
    ...scoreFacts,
    complianceStatus: ComplianceStatus,
  }),
  'analysis.reviewed': z.object({
    analysisId: z.string(),
    recordId: z.string(),
    projectId: z.string(),
    version: z.int(),
    reviewId: z.string(),
    revision: z.int(),
    verdict: z.enum(['approved', 'adjusted', 'rejected']),
    reviewerId: z.string(),
    ...scoreFacts,
    complianceStatus: ComplianceStatus.nullable(),
    automatic: z.object({ ...scoreFacts, complianceStatus: ComplianceStatus.nullable() }),
  }),
  'alert.triggered': z.object({
    alertId: z.string(),
    name: z.string(),
    severity: z.enum(alertSeverities),
    actions: z.array(z.enum(alertActions)),
    condition: z.object({ field: z.string(), operator: z.string(), value: z.union([z.number(), z.string()]) }),
    value: z.union([z.number(), z.string()]),
    cause: z.enum(alertCauses),
    recordId: z.string(),
    analysisId: z.string(),
    projectId: z.string(),
    agentName: z.string().nullable(),
    ...scoreFacts,
    complianceStatus: ComplianceStatus.nullable(),
    triggeredAt: timestamp,
  }),
  'budget.threshold_reached': z.object({
    orgId: z.string(),
    period: z.string(),
    threshold: z.union([z.literal(80), z.literal(100)]),
    budgetLimit: z.number(),
    totalCost: z.number(),
    budgetUsedPercent: z.number(),
  }),
  'record.process.requested': z.object({ recordId: z.string(), attempt: z.int() }),
  'invite.mail.requested': z.object({ inviteId: z.string() }),
  /** About a published analysis, or a revision of its review. */
  'alerts.evaluate.requested': z.object({
    recordId: z.string(),
    analysisId: z.string(),
    review: z.object({ id: z.string(), revision: z.int() }).nullable(),
  }),
  'analysis.process.requested': z.object({ analysisId: z.string(), recordId: z.string() }),
  'crm.call.requested': z.object({ memberId: z.string(), callId: z.string() }),
  'crm.portal.reconcile.requested': z.object({ memberId: z.string() }),
  'crm.report.requested': z.object({ recordId: z.string(), analysisId: z.string() }),
  'recording.mute.requested': z.object({ recordId: z.string() }),
  'recording.waveform.requested': z.object({ recordId: z.string() }),
  'object.delete.requested': z.object({ storageKey: z.string() }),
  /** With the record that the delivered event is about, if any. */
  'webhook.delivery.requested': z.object({
    deliveryId: z.string(),
    webhookId: z.string(),
    requestId: z.string(),
    recordId: z.string().optional(),
  }),
  'webhook.disabled.mail.requested': z.object({ orgId: z.string(), webhookId: z.string() }),
};

export type EventType = keyof typeof eventPayloads;
export type EventPayload<T extends EventType> = z.infer<(typeof eventPayloads)[T]>;

/** The types that an endpoint can subscribe to. `webhook.test` is sent on request and needs no subscription. */
export const webhookEvents = [
  'record.created',
  'record.completed',
  'record.failed',
  'record.deleted',
  'analysis.completed',
  'analysis.reviewed',
  'alert.triggered',
  'budget.threshold_reached',
] as const;

export const WebhookEvent = z.enum(webhookEvents).meta({ id: 'WebhookEvent' });

export type WebhookEvent = z.infer<typeof WebhookEvent>;
