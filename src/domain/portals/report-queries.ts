import { and, eq, sql } from 'drizzle-orm';
import { byId, recordOfAnalysis, transcriptOfAnalysis } from '../../db/keys.ts';
import type { OrgTx } from '../../db/scope.ts';
import { analyses, crmCalls, crmReports, portals, records, transcripts } from '../../db/schema/index.ts';

type ReportKey = { analysisId: string; kind: 'transcript' | 'comment' };

/** The current analysis of a call from a portal that is still linked. */
export async function selectReported(tx: OrgTx, analysisId: string) {
  const [row] = await tx
    .select({
      recordId: analyses.recordId,
      version: analyses.version,
      qualityScore: analyses.shownQualityScore,
      judgedShare: analyses.shownJudgedShare,
      needsReviewCount: analyses.shownNeedsReviewCount,
      complianceStatus: analyses.shownComplianceStatus,
      categories: sql<Record<string, number | null>>`coalesce(${analyses.finalCategories}, ${analyses.categories})`,
      crm: records.crm,
      memberId: crmCalls.memberId,
      callId: crmCalls.callId,
      sendsTranscript: portals.sendsTranscript,
      sendsComment: portals.sendsComment,
      /** Number of segments, and of those without a known speaker. */
      segments: sql<number>`coalesce(jsonb_array_length(${transcripts.segments}), 0)`,
      segmentsOfUnknown: sql<number>`coalesce(jsonb_array_length(
        jsonb_path_query_array(${transcripts.segments}, '$[*] ? (@.role == "unknown")')), 0)`,
    })
    .from(analyses)
    .innerJoin(records, recordOfAnalysis)
    .innerJoin(crmCalls, and(eq(crmCalls.orgId, records.orgId), eq(crmCalls.recordId, records.id)))
    .innerJoin(portals, and(eq(portals.orgId, crmCalls.orgId), eq(portals.memberId, crmCalls.memberId)))
    .leftJoin(transcripts, transcriptOfAnalysis)
    .where(and(byId(tx, analyses, analysisId), eq(analyses.current, true)));
  return row;
}

/** The transcript of an analysis, unless another analysis has sent it. */
export async function selectUnsentTranscript(tx: OrgTx, analysisId: string) {
  const [row] = await tx
    .select({ version: transcripts.version, segments: transcripts.segments })
    .from(analyses)
    .innerJoin(transcripts, transcriptOfAnalysis)
    .where(
      and(
        eq(analyses.orgId, tx.orgId),
        eq(analyses.id, analysisId),
        sql`not exists (
          select from ${crmReports} r
           where r.org_id = ${tx.orgId} and r.record_id = ${analyses.recordId} and r.kind = 'transcript'
             and r.transcript_version = ${analyses.transcriptVersion} and r.analysis_id <> ${analysisId})`,
      ),
    );
  return row;
}

/** False if it exists. */
export async function insertReport(
  tx: OrgTx,
  { analysisId, kind, transcriptVersion }: ReportKey & { transcriptVersion: number | null },
): Promise<boolean> {
  const rows = await tx.execute(sql`
    insert into ${crmReports} (org_id, analysis_id, kind, record_id, status, transcript_version)
    select a.org_id, a.id, ${kind}, a.record_id, 'sending', ${transcriptVersion}::int
      from ${analyses} a where a.org_id = ${tx.orgId} and a.id = ${analysisId}
    on conflict do nothing returning 1`);
  return rows.length > 0;
}

export async function selectReport(tx: OrgTx, key: ReportKey) {
  const [row] = await tx.select().from(crmReports).where(isReport(tx, key));
  return row;
}

export async function updateReport(
  tx: OrgTx,
  { status, reason, ...key }: ReportKey & { status: 'sent' | 'refused'; reason: string | null },
): Promise<void> {
  await tx.update(crmReports).set({ status, reason, updatedAt: new Date() }).where(isReport(tx, key));
}

export async function refuseSending(tx: OrgTx, analysisId: string, reason: string): Promise<void> {
  await tx
    .update(crmReports)
    .set({ status: 'refused', reason, updatedAt: new Date() })
    .where(
      and(eq(crmReports.orgId, tx.orgId), eq(crmReports.analysisId, analysisId), eq(crmReports.status, 'sending')),
    );
}

function isReport(tx: OrgTx, { analysisId, kind }: ReportKey) {
  return and(eq(crmReports.orgId, tx.orgId), eq(crmReports.analysisId, analysisId), eq(crmReports.kind, kind));
}
