import { type Json, nothing, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { Alert, AlertEvent } from './schemas.ts';

const alert: Json<Alert> = {
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

const alertEvent: Json<AlertEvent> = {
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

export const examples = {
  listAlerts: { responses: { 200: page('One rule', alert) } },
  createAlert: {
    request: {
      score: {
        summary: 'Low scores of one project',
        value: {
          name: 'Low score',
          projectId: ids.project,
          condition: alert.condition,
          actions: ['webhook', 'email'],
          enabled: true,
        },
      },
      compliance: {
        summary: 'Every breach of compliance, wherever it happens',
        value: {
          name: 'Breach',
          projectId: null,
          condition: { field: 'complianceStatus', operator: 'eq', value: 'failed' },
          actions: ['webhook'],
          severity: 'critical',
        },
      },
    },
    responses: {
      201: {
        description: 'Created.',
        ...one('The new rule', { ...alert, triggerCount: 0, lastTriggeredAt: null }),
      },
    },
  },
  getAlert: { responses: { 200: one('A rule', alert) } },
  updateAlert: {
    request: { silence: { summary: 'Silence it', value: { enabled: false } } },
    responses: {
      200: { description: 'The rule as it is now.', ...one('The changed rule', { ...alert, enabled: false }) },
    },
  },
  deleteAlert: { responses: { 204: nothing } },
  listAlertEvents: { responses: { 200: page('One firing', alertEvent) } },
} satisfies Record<string, OperationExamples>;
