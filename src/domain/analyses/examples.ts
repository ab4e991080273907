import { type Json, one, type OperationExamples, page } from '../../trpc/examples.ts';
import { ids } from '../example-story.ts';
import { segments } from '../transcripts/examples.ts';
import type { AnalysisDetail, AnalysisListItem } from './schemas.ts';

const analysisListItem: Json<AnalysisListItem> = {
  id: ids.analysis,
  recordId: ids.record,
  projectId: ids.project,
  qualityScore: 88,
  judgedShare: 1,
  needsReviewCount: 0,
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
  automatic: {
    qualityScore: 88,
    judgedShare: 1,
    needsReviewCount: 0,
    categories: { greeting: 50, problemResolution: 100 },
    complianceStatus: 'passed',
  },
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
  completedAt: '2026-03-02T09:15:41.377Z',
};

export const examples = {
  listAnalyses: { responses: { 200: page('One analysis', analysisListItem) } },
  getAnalysis: { responses: { 200: one('An analysis with its evidence', analysis) } },
} satisfies Record<string, OperationExamples>;
