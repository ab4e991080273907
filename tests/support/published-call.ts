import type { Metrics } from '../../src/model/scorecard.ts';
import { beginProcessing, publishAnalysis } from '../../src/domain/processing/service.ts';
import type { TestApp, TestMember } from './app.ts';
import { seedRecords } from './seed.ts';

const metrics: Metrics = {
  talkTimeMs: { agent: 60_000, customer: 40_000 },
  talkRatio: 0.6,
  nonTalkTimeMs: 20_000,
  longestMonologueMs: 15_000,
  interruptions: { agent: 2, customer: 1 },
  wordsPerMinute: { agent: 140, customer: null },
  sentiment: { agent: 0.4, customer: -0.8, overall: -0.2 },
};

export type PublishedCall = {
  projectId: string;
  qualityScore: number | null;
  judgedShare: number | null;
  needsReviewCount: number;
  complianceStatus: 'passed' | 'failed' | 'needs_review' | 'not_applicable';
  categories: Record<string, number | null>;
};

/** A call whose analysis becomes the current one, as the pipeline publishes it: of 120 s, with score 50 unless told otherwise. */
export async function publishCall(
  t: TestApp,
  org: TestMember,
  { projectId = org.projectId, ...scores }: Partial<PublishedCall> = {},
): Promise<{ recordId: string; analysisId: string }> {
  const [recordId = ''] = await seedRecords(t, org, [{ projectId, durationSeconds: 120, agentName: 'Dana' }]);
  const pass = { recordId, attempt: 1 };
  const values = await publishedValues(t, org, scores);
  const published = await t.deps.services.db.withOrg(org.orgId, async (tx) => {
    await beginProcessing(tx, pass);
    return publishAnalysis(tx, pass, values);
  });
  return { recordId, analysisId: published?.analysisId ?? '' };
}

/** What the last step of a pass or of a re-analysis publishes. */
export async function publishedValues(
  t: TestApp,
  org: TestMember,
  scores: Partial<Omit<PublishedCall, 'projectId'>> = {},
): Promise<Parameters<typeof publishAnalysis>[2]> {
  const [profile] = await t.deps.services.db.withOrg(org.orgId, (tx) =>
    tx.execute<{ id: string; name: string }>('select id, name from profiles order by id limit 1'),
  );
  return {
    scorecard: {
      qualityScore: 50,
      judgedShare: 1,
      needsReviewCount: 0,
      categories: { greeting: 50, closing: null },
      complianceStatus: 'passed',
      summary: '',
      improvements: [],
      checks: [],
      complianceFindings: [],
      metrics,
      topics: [],
      actionItems: [],
      ...scores,
    },
    scoredBy: {
      profile: { id: profile?.id ?? '', name: profile?.name ?? '', version: 1 },
      engine: { kind: 'rules', model: null, fallback: null },
      tokens: null,
      transcriptVersion: 1,
      redaction: 'none',
      transcriptSource: 'supplied',
      durationMs: 120_000,
    },
    prices: t.deps.services.prices,
  };
}
