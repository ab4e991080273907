import type { AnalysisDetail, AnalysisListItem } from '../domain/analyses/schemas.ts';
import type { Project, ProjectStats } from '../domain/projects/schemas.ts';
import type { RecordDetail, RecordListItem, RecordReceipt } from '../domain/records/schemas.ts';
import { formatTranscript } from '../domain/transcripts/transcript-formats.ts';
import type { Segment, TranscriptDetail } from '../model/transcript.ts';

/** A value as it looks over REST: dates are ISO 8601 strings there. */
export type Json<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Json<T[K]> } : T;

/** One story told through every example: a call about a refund, in one project, judged by one short rubric. */
export const ids = {
  org: 'org_01m7ysd48fenfrajcn47wkxf75',
  user: 'usr_01m7ysd48genfrajctx8frczs9',
  project: 'prj_01m7ysd48genfrajd0czv7xhm3',
  profile: 'prf_01m7ysd48genfrajdcn4kp8yf0',
  record: 'rec_01m7ysd48genfrajdng7gg18f4',
  analysis: 'ana_01m7ysd48genfrajdx960h48hv',
  annotation: 'ann_01m7ysd48genfrajf0z3bs8t6k',
  credit: 'crd_01m7ysd48genfrajfa1v6kq4d2',
  invite: 'inv_01m7ysd48genfrajf8n2v6kq4d',
  review: 'rev_01m7ysd48genfrajf5c3s9q7wd',
  portal: 'ptl_01m7ysd48genfrajf3v8n2q6kc',
  alert: 'alr_01m7ysd48genfrajf7h4c0m2xz',
  webhook: 'whk_01m7ysd48genfrajfbx0e5r2ma',
  segments: ['seg_01m7ysd48genfraje6yb0tsrj9', 'seg_01m7ysd48genfrajea0nakttbf', 'seg_01m7ysd48genfrajep3kwhvje1'],
} as const;

const createdAt = '2026-03-02T09:15:27.041Z';
const completedAt = '2026-03-02T09:15:41.377Z';

export const project: Json<Project> = {
  id: ids.project,
  name: 'Support line',
  description: 'Calls about orders and refunds',
  language: 'en',
  profileId: ids.profile,
  settings: { redactPii: true, redactNames: false, retentionDays: 365, channelMap: { '0': 'customer', '1': 'agent' } },
  recordCount: 1,
  createdAt: '2026-03-02T09:12:03.518Z',
  updatedAt: '2026-03-02T09:12:03.518Z',
};

export const projectStats: Json<ProjectStats> = {
  projectId: ids.project,
  totalRecords: 128,
  completedRecords: 125,
  averageQualityScore: 81.4,
  averageDuration: 214.6,
  period: { from: '2026-02-01T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z' },
};

export const receipt: Json<RecordReceipt> = {
  id: ids.record,
  status: 'pending',
  projectId: ids.project,
  createdAt,
};

export const recordListItem: Json<RecordListItem> = {
  id: ids.record,
  projectId: ids.project,
  type: 'call',
  status: 'completed',
  duration: 14,
  qualityScore: 88,
  complianceStatus: 'passed',
  agentName: 'Maria Lopez',
  customerPhone: '+4******7890',
  createdAt,
  completedAt,
};

export const record: Json<RecordDetail> = {
  ...recordListItem,
  customerPhone: '+441234567890',
  analysisId: ids.analysis,
  source: 'upload',
  direction: 'inbound',
  externalId: 'call-4711',
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

const segments: Segment[] = [
  {
    id: ids.segments[0],
    index: 0,
    speaker: 'spk_1',
    role: 'agent',
    channel: 1,
    startMs: 640,
    endMs: 3_180,
    text: 'Good morning, how can I help you?',
    confidence: 0.94,
    words: [
      { text: 'Good', startMs: 640, endMs: 850, confidence: 0.97 },
      { text: 'morning,', startMs: 850, endMs: 1_390, confidence: 0.95 },
    ],
  },
  {
    id: ids.segments[1],
    index: 1,
    speaker: 'spk_0',
    role: 'customer',
    channel: 0,
    startMs: 3_900,
    endMs: 7_260,
    text: 'I would like a refund for order four seven one one. My number is [phone number].',
    confidence: 0.91,
    words: [],
  },
  {
    id: ids.segments[2],
    index: 2,
    speaker: 'spk_1',
    role: 'agent',
    channel: 1,
    startMs: 8_020,
    endMs: 12_450,
    text: 'Your refund has been sent, it will be there by Friday.',
    confidence: 0.93,
    words: [],
  },
];

export const transcript: Json<TranscriptDetail> = {
  recordId: ids.record,
  language: 'en',
  source: 'speech-to-text',
  model: 'pocketsphinx/en-us',
  channels: 2,
  speakers: [
    { id: 'spk_0', role: 'customer', name: null },
    { id: 'spk_1', role: 'agent', name: 'Maria Lopez' },
  ],
  segments,
  text: segments.map(({ text }) => text).join('\n'),
  redactions: [{ kind: 'phone_number', segmentId: ids.segments[1], startMs: 3_900, endMs: 7_260 }],
};

export const subtitles = {
  vtt: formatTranscript(transcript, 'vtt'),
  srt: formatTranscript(transcript, 'srt'),
  txt: formatTranscript(transcript, 'txt'),
};

export const analysisListItem: Json<AnalysisListItem> = {
  id: ids.analysis,
  recordId: ids.record,
  projectId: ids.project,
  qualityScore: 88,
  summary: 'The customer asked for a refund of order 4711. The agent confirmed that it has been sent.',
  improvements: ['Say your name in the greeting, so that the customer knows who is helping.'],
  complianceStatus: 'passed',
  categories: { greeting: 50, problemResolution: 100 },
  version: 1,
  current: true,
  status: 'completed',
  profile: { id: ids.profile, name: 'Refund call', version: 1 },
  engine: { kind: 'rules', model: null, fallback: null },
  agentName: 'Maria Lopez',
  reviewed: false,
  createdAt: '2026-03-02T09:15:40.912Z',
};

/** (1 × 50 + 3 × 100) / 4 = 87.5, rounded: the figures of the example add up. */
export const analysis: Json<AnalysisDetail> = {
  ...analysisListItem,
  automatic: { qualityScore: 88, categories: { greeting: 50, problemResolution: 100 }, complianceStatus: 'passed' },
  checks: [
    {
      key: 'greeting.opens',
      category: 'greeting',
      title: 'Greets the customer',
      weight: 1,
      critical: false,
      answer: 'pass',
      score: 100,
      rationale: 'The agent opens with "Good morning".',
      evidence: [{ segmentId: ids.segments[0], quote: 'Good morning', startMs: 640 }],
    },
    {
      key: 'greeting.name',
      category: 'greeting',
      title: 'Says the own name',
      weight: 1,
      critical: false,
      answer: 'fail',
      score: 0,
      rationale: 'The agent gives no name at the beginning.',
      evidence: [],
    },
    {
      key: 'problem.resolved',
      category: 'problemResolution',
      title: 'Gives what was asked for',
      weight: 1,
      critical: false,
      answer: 'pass',
      score: 100,
      rationale: 'The agent says that the refund has been sent.',
      evidence: [{ segmentId: ids.segments[2], quote: 'Your refund has been sent', startMs: 8_020 }],
    },
  ],
  complianceFindings: [
    {
      key: 'compliance.pressure',
      title: 'No pressure on the customer',
      severity: 'medium',
      answer: 'pass',
      rationale: 'None of the forbidden phrases is used.',
      evidence: [],
    },
  ],
  metrics: {
    talkTimeMs: { agent: 6_970, customer: 3_360 },
    talkRatio: 0.675,
    nonTalkTimeMs: 3_670,
    longestMonologueMs: 4_430,
    interruptions: { agent: 0, customer: 0 },
    wordsPerMinute: { agent: 154.9, customer: 196.4 },
    sentiment: { agent: 0.2, customer: 0, overall: 0.1 },
  },
  topics: ['refund'],
  actionItems: [],
  segments,
  modelUsage: null,
  failure: null,
  reason: null,
  completedAt,
};
