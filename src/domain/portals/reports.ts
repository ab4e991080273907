import type { OrgTx } from '../../db/scope.ts';
import type { Segment } from '../../model/transcript.ts';
import { judgedInWords } from '../judged-share.ts';
import * as queries from './report-queries.ts';

/** What the CRM gets for an analysed call, each once per analysis. */
export type ReportKind = 'transcript' | 'comment';

export type ReportPlan = {
  memberId: string;
  callId: string;
  sendsTranscript: boolean;
  /** Null if the call has no CRM entity with a timeline. */
  comment: { entityType: string; entityId: string; text: string } | null;
};

/** Kinds of entities whose timeline accepts comments. */
const commented = new Set(['lead', 'deal', 'contact', 'company', 'order']);

/** Null if there is nothing to report: the call is from no linked portal, or a later analysis is current. */
export async function planReport(
  tx: OrgTx,
  { analysisId, publicUrl }: { analysisId: string; publicUrl: string | undefined },
): Promise<ReportPlan | null> {
  const row = await queries.selectReported(tx, analysisId);
  if (!row) return null;
  const { memberId, callId, crm, sendsTranscript, sendsComment } = row;
  const { entityType = '', entityId = '' } = crm ?? {};
  const comment =
    sendsComment && commented.has(entityType) && entityId !== ''
      ? { entityType, entityId, text: commentOf({ ...row, analysisId, publicUrl }) }
      : null;
  return { memberId, callId, sendsTranscript, comment };
}

type CommentFacts = {
  analysisId: string;
  recordId: string;
  publicUrl: string | undefined;
  version: number;
  qualityScore: number | null;
  judgedShare: number | null;
  needsReviewCount: number | null;
  complianceStatus: string | null;
  categories: Record<string, number | null>;
  sendsTranscript: boolean;
  segments: number;
  segmentsOfUnknown: number;
};

/** Figures only: summaries may repeat what was said, including phone numbers. The analysis id tells comments apart. */
export function commentOf(facts: CommentFacts): string {
  const { analysisId, recordId, publicUrl, version, complianceStatus, categories } = facts;
  const parts = Object.entries(categories).flatMap(([key, value]) => (value === null ? [] : [`${key} ${value}`]));
  const base = publicUrl?.replace(/\/+$/, '');
  return [
    `Call quality: ${scoreOf(facts)}${version > 1 ? ` (analysis ${version})` : ''}`,
    `Compliance: ${(complianceStatus ?? 'not judged').replaceAll('_', ' ')}`,
    ...(parts.length > 0 ? [parts.join(', ')] : []),
    ...unattached(facts),
    base === undefined ? analysisId : `${base}/calls/${recordId}?analysis=${analysisId}`,
  ].join('\n');
}

function scoreOf({ qualityScore, judgedShare, needsReviewCount }: CommentFacts): string {
  if (qualityScore === null && judgedShare === null) return 'not scored (no agent speaks)';
  const judged = judgedInWords({ judgedShare, needsReviewCount });
  if (qualityScore === null) return `not scored yet: somebody has to listen (${judged})`;
  return judgedShare === null || judgedShare === 1 ? `${qualityScore} of 100` : `${qualityScore} of 100 (${judged})`;
}

/** A portal knows only two sides, so segments of unknown speakers are not attached; the comment says how many. */
function unattached({ sendsTranscript, segments, segmentsOfUnknown }: CommentFacts): string[] {
  if (!sendsTranscript || segmentsOfUnknown === 0) return [];
  const part = segmentsOfUnknown === segments ? 'all' : `${segmentsOfUnknown} of ${segments} utterances`;
  return [`Not attached: ${part} of the transcript, since the speaker is unknown (one channel for both parties?)`];
}

export type Utterance = { SIDE: 'User' | 'Client'; START_TIME: number; STOP_TIME: number; MESSAGE: string };

/** In the format of the portal's telephony: two sides, whole seconds. Announcements and unknown voices are left out. */
export function toUtterances(segments: Segment[]): Utterance[] {
  return segments.flatMap(({ role, startMs, endMs, text }) => {
    const message = withoutPhones(text).trim();
    if ((role !== 'agent' && role !== 'customer') || message === '') return [];
    const start = Math.floor(startMs / 1000);
    const stop = Math.max(start, Math.ceil(endMs / 1000));
    return [{ SIDE: role === 'agent' ? 'User' : 'Client', START_TIME: start, STOP_TIME: stop, MESSAGE: message }];
  });
}

/** Removes runs of digits as long as phone numbers. */
function withoutPhones(text: string): string {
  return text.replace(/\+?\d(?:[\s().-]{0,2}\d){8,}/g, '[number]');
}

/** The utterances of an analysis, unless another analysis with the same transcript has sent them. */
export async function readUtterances(
  tx: OrgTx,
  analysisId: string,
): Promise<{ utterances: Utterance[]; version: number } | null> {
  const row = await queries.selectUnsentTranscript(tx, analysisId);
  return row ? { utterances: toUtterances(row.segments), version: row.version } : null;
}

export type Begun = 'begun' | 'resumed' | 'done';

/**
 * Call it before sending, in its own transaction: after a crash the state is `resumed`, and the report may have been
 * sent. `done`: it was sent or refused before.
 */
export async function beginReport(
  tx: OrgTx,
  {
    analysisId,
    kind,
    transcriptVersion = null,
  }: { analysisId: string; kind: ReportKind; transcriptVersion?: number | null },
): Promise<Begun> {
  if (await queries.insertReport(tx, { analysisId, kind, transcriptVersion })) return 'begun';
  const report = await queries.selectReport(tx, { analysisId, kind });
  return report?.status === 'sending' ? 'resumed' : 'done';
}

/** Marks reports that were started and will not be retried as failed. */
export async function abandonReports(tx: OrgTx, analysisId: string): Promise<void> {
  await queries.refuseSending(tx, analysisId, 'CRM_UNAVAILABLE');
}

/** `reason` is the CRM's reason for refusing it. */
export async function endReport(
  tx: OrgTx,
  { analysisId, kind, reason }: { analysisId: string; kind: ReportKind; reason: string | null },
): Promise<void> {
  await queries.updateReport(tx, { analysisId, kind, status: reason === null ? 'sent' : 'refused', reason });
}
