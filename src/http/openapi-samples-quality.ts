import type { Alert, AlertEvent } from '../domain/alerts/schemas.ts';
import type { Annotation } from '../domain/annotations/schemas.ts';
import type { Review, ReviewEntry } from '../domain/reviews/schemas.ts';
import type { ReanalysisReceipt } from '../domain/processing/schemas.ts';
import { analysis, ids, type Json } from './openapi-samples.ts';

const reviewer = { id: ids.user, name: 'Paula Becker' };

export const annotation: Json<Annotation> = {
  id: ids.annotation,
  analysisId: ids.analysis,
  current: true,
  text: 'A warm opening, but no name.',
  type: 'issue',
  segmentId: ids.segments[0],
  startMs: 640,
  endMs: 3_180,
  category: 'greeting',
  author: reviewer,
  createdAt: '2026-03-02T10:02:11.630Z',
  updatedAt: '2026-03-02T10:02:11.630Z',
};

/** (1 × 100 + 3 × 100) / 4 = 100: the reviewer heard the name that recognition missed. */
export const review: Json<Review> = {
  id: ids.review,
  analysisId: ids.analysis,
  current: true,
  reviewer,
  verdict: 'adjusted',
  automatic: analysis.automatic,
  final: { qualityScore: 100, categories: { greeting: 100, problemResolution: 100 }, complianceStatus: 'passed' },
  comment: 'The name is said at 0:02, just not recognised.',
  revision: 1,
  status: 'submitted',
  dispute: null,
  resolution: null,
  createdAt: '2026-03-02T10:05:42.118Z',
  updatedAt: '2026-03-02T10:05:42.118Z',
};

const dispute = {
  comment: 'I also confirmed the order number.',
  author: { id: 'usr_01m7ysd48genfrajf8w2k6p3nv', name: 'Maria Lopez' },
  revision: 1,
  createdAt: '2026-03-02T11:30:00.504Z',
};

export const disputedReview: Json<Review> = {
  ...review,
  status: 'disputed',
  dispute,
  updatedAt: dispute.createdAt,
};

const resolution = {
  outcome: 'rejected' as const,
  comment: 'It was the customer who said the number.',
  author: reviewer,
  createdAt: '2026-03-02T14:12:09.377Z',
};

export const resolvedReview: Json<Review> = {
  ...disputedReview,
  status: 'resolved',
  resolution,
  updatedAt: resolution.createdAt,
};

export const reviewEntry: Json<ReviewEntry> = {
  kind: 'submitted',
  revision: 1,
  verdict: review.verdict,
  outcome: null,
  final: review.final,
  comment: review.comment,
  author: reviewer,
  createdAt: review.createdAt,
};

export const reanalysis: Json<ReanalysisReceipt> = {
  id: 'ana_01m7ysd48genfrajf1r5t7x9yb',
  previousAnalysisId: ids.analysis,
  recordId: ids.record,
  profileId: ids.profile,
  status: 'pending',
  createdAt: '2026-03-03T08:20:17.225Z',
};

export const alert: Json<Alert> = {
  id: ids.alert,
  name: 'Low score',
  projectId: ids.project,
  condition: { field: 'qualityScore', operator: 'lt', value: 60 },
  actions: ['webhook', 'email'],
  recipients: ['quality@example.com'],
  enabled: true,
  severity: 'warning',
  cooldownSeconds: 3600,
  triggerCount: 1,
  lastTriggeredAt: '2026-03-02T09:15:41.377Z',
  createdAt: '2026-03-01T16:44:08.010Z',
  updatedAt: '2026-03-01T16:44:08.010Z',
};

export const alertEvent: Json<AlertEvent> = {
  id: 'evt_01m7ysd48genfrajf9s6d8q4ke',
  alertId: ids.alert,
  recordId: ids.record,
  analysisId: ids.analysis,
  projectId: ids.project,
  cause: 'analysis',
  severity: 'warning',
  condition: alert.condition,
  value: 49,
  triggeredAt: '2026-03-02T09:15:41.377Z',
};
