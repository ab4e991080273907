import { eq } from 'drizzle-orm';
import { analyses, profiles, records, transcripts } from '../../src/db/schema/index.ts';
import { newId } from '../../src/lib/ids.ts';
import type { TestApp, TestMember } from './app.ts';

type NewRecord = Partial<Omit<typeof records.$inferInsert, 'orgId'>>;
type NewAnalysis = Partial<Omit<typeof analyses.$inferInsert, 'orgId'>> & { recordId: string };

/** Rows as the service would have written them, for tests that need many or old ones. Gives their ids in order. */
export async function seedRecords(t: TestApp, member: TestMember, rows: NewRecord[]): Promise<string[]> {
  const { orgId, projectId } = member;
  const values = rows.map((row) => ({ id: newId('record'), projectId, source: 'api' as const, ...row, orgId }));
  await t.deps.services.db.withOrg(orgId, async (tx) => {
    for (let start = 0; start < values.length; start += 500) {
      await tx.insert(records).values(values.slice(start, start + 500));
    }
  });
  return values.map(({ id }) => id);
}

/** A completed analysis by the organization's first profile, with a transcript unless the record has one. */
export async function seedAnalysis(t: TestApp, { orgId, projectId }: TestMember, row: NewAnalysis): Promise<string> {
  const id = newId('analysis');
  await t.deps.services.db.withOrg(orgId, async (tx) => {
    const [profile] = await tx.select().from(profiles).where(eq(profiles.orgId, orgId)).limit(1);
    if (!profile) throw new Error('The organization has no profile.');
    const segment = { id: newId('segment'), index: 0, speaker: 'spk_0', role: 'agent' as const, channel: 0 };
    await tx
      .insert(transcripts)
      .values({
        orgId,
        recordId: row.recordId,
        version: 1,
        source: 'supplied',
        channels: 1,
        speakers: [{ id: 'spk_0', role: 'agent', name: null }],
        segments: [{ ...segment, startMs: 0, endMs: 1000, text: 'Hello.', confidence: null, words: [] }],
      })
      .onConflictDoNothing();
    const analysis = {
      id,
      projectId,
      version: 1,
      current: true,
      status: 'completed' as const,
      profileId: profile.id,
      profileVersion: profile.currentVersion,
      profileName: profile.name,
      engineKind: 'rules' as const,
      transcriptVersion: 1,
      qualityScore: 80,
      complianceStatus: 'passed' as const,
      summary: 'The agent greeted the customer.',
      categories: { greeting: 80 },
      ...row,
      orgId,
    };
    await tx.insert(analyses).values(analysis);
    if (!analysis.current) return;
    const { qualityScore, judgedShare, needsReviewCount, complianceStatus } = analysis;
    await tx
      .update(records)
      .set({ analysisId: analysis.id, qualityScore, judgedShare, needsReviewCount, complianceStatus })
      .where(eq(records.id, row.recordId));
  });
  return row.id ?? id;
}
