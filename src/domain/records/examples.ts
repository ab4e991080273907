import { type Json, nothing, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import type { RecordDetail, RecordListItem, RecordReceipt } from './schemas.ts';

const createdAt = '2026-03-02T09:15:27.041Z';
const completedAt = '2026-03-02T09:15:41.377Z';

export const receipt: Json<RecordReceipt> = {
  id: ids.record,
  status: 'pending',
  projectId: ids.project,
  createdAt,
};

const recordListItem: Json<RecordListItem> = {
  id: ids.record,
  projectId: ids.project,
  type: 'call',
  status: 'completed',
  duration: 14,
  qualityScore: 88,
  judgedShare: 1,
  needsReviewCount: 0,
  complianceStatus: 'passed',
  externalId: 'call-4711',
  agentName: 'Maria Lopez',
  customerPhone: '+4******7890',
  callAt: '2026-03-02T08:58:10.000Z',
  createdAt,
  completedAt,
};

export const record: Json<RecordDetail> = {
  ...recordListItem,
  customerPhone: '+441234567890',
  analysisId: ids.analysis,
  source: 'upload',
  direction: 'inbound',
  agentId: null,
  tags: ['refund'],
  startedAt: '2026-03-02T08:58:10.000Z',
  language: 'en',
  channels: 2,
  file: {
    name: 'call-4711.wav',
    size: 448_044,
    contentType: 'audio/wav',
    sha256: '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
    damage: null,
  },
  stage: null,
  failure: null,
  crm: null,
  metadata: { queue: 'refunds' },
  contentDeletedAt: null,
  uploadedBy: ids.user,
};

export const examples = {
  listRecords: { responses: { 200: page('One call', recordListItem) } },
  getRecord: { responses: { 200: one('A call that has been analysed', record) } },
  deleteRecord: { responses: { 204: nothing } },
} satisfies Record<string, OperationExamples>;
