import type { Database, OrgTx } from '../../db/scope.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { redactProse, redactQuote, type RedactedSource } from '../../redaction/redact-quotes.ts';
import { redactSpeakers } from '../../redaction/redact-speakers.ts';
import { redactTranscript } from '../../redaction/redact-transcript.ts';
import { deleteModelAnswers } from '../analyses/model-answers.ts';
import type { Evidence } from '../analyses/schemas.ts';
import { renewMuted } from './redacting.ts';
import type { RedactionKind } from './redaction.ts';
import * as queries from './redaction-queries.ts';
import type { Segment } from './transcript.ts';

/**
 * Redacts what is stored of a record that was processed before its project asked for it: every transcript, and the words
 * of every analysis. What people wrote (annotations, reviews) stays. False where there was nothing to do.
 */
export async function redactRecord(tx: OrgTx, recordId: string): Promise<boolean> {
  const transcripts = await queries.selectUnredacted(tx, recordId);
  const policy = transcripts.length === 0 ? undefined : await queries.selectRedactionPolicy(tx, recordId);
  if (!policy?.isAsked) return false;
  const analyses = await queries.selectAnalysisTexts(tx, recordId);
  for (const { version, ...heard } of transcripts) {
    const { speakers, segments } = redactSpeakers(heard);
    const redacted = redactTranscript(segments);
    await queries.updateTranscript(tx, recordId, { version, speakers, ...redacted });
    const removed = readRemoved(segments, redacted.spans);
    for (const analysis of analyses.filter(({ transcriptVersion }) => transcriptVersion === version)) {
      await queries.updateAnalysisTexts(tx, redactAnalysis(analysis, removed));
    }
  }
  // A model's answers wait for the analysis that asked for them; what it read was not redacted.
  await deleteModelAnswers(tx, recordId);
  await renewMuted(tx, recordId, policy.hasRecording);
  return true;
}

const batchSize = 20;

/**
 * Redacts all calls of a project that are not yet, batch by batch. Throws NOT_FOUND for the project, CONFLICT where it
 * does not ask for redaction.
 */
export async function redactProject(
  db: Database,
  { orgId, projectId }: { orgId: string; projectId: string },
): Promise<{ redacted: number }> {
  const isAsked = await db.withOrg(orgId, (tx) => queries.selectProjectRedacts(tx, projectId));
  if (isAsked === undefined) throw notFound('Project');
  if (!isAsked) throw new AppError('CONFLICT', 'The project does not redact: turn on its setting redactPii first.');
  let redacted = 0;
  for (let after = ''; ;) {
    const ids = await db.withOrg(orgId, (tx) =>
      queries.selectUnredactedRecords(tx, { projectId, after, limit: batchSize }),
    );
    for (const id of ids) {
      if (await db.withOrg(orgId, (tx) => redactRecord(tx, id))) redacted += 1;
    }
    after = ids.at(-1) ?? '';
    if (ids.length < batchSize) return { redacted };
  }
}

type Removed = { sources: ReadonlyMap<string, RedactedSource>; secrets: ReadonlyMap<string, RedactionKind> };

function readRemoved(segments: readonly Segment[], spans: ReturnType<typeof redactTranscript>['spans']): Removed {
  const bySegment = Map.groupBy(spans, ({ segmentId }) => segmentId);
  const sources = segments.map(({ id, text }) => [id, { text, spans: bySegment.get(id) ?? [] }] as const);
  const secrets = segments.flatMap(({ id, text }) =>
    (bySegment.get(id) ?? []).map(({ kind, from, to }) => [text.slice(from, to), kind] as const),
  );
  return { sources: new Map(sources), secrets: new Map(secrets) };
}

function redactAnalysis(analysis: queries.AnalysisTexts, { sources, secrets }: Removed): queries.AnalysisTexts {
  const prose = (text: string): string => redactProse(text, secrets);
  const quoted = (evidence: Evidence[]): Evidence[] =>
    evidence.map((each) => ({
      ...each,
      quote: redactQuote(each.quote, sources.get(each.segmentId) ?? { text: '', spans: [] }),
    }));
  const explained = <T extends { rationale: string; evidence: Evidence[] }>(answers: T[]): T[] =>
    answers.map((answer) => ({ ...answer, rationale: prose(answer.rationale), evidence: quoted(answer.evidence) }));
  return {
    ...analysis,
    summary: prose(analysis.summary),
    improvements: analysis.improvements.map(prose),
    topics: analysis.topics.map(prose),
    actionItems: analysis.actionItems.map(prose),
    checks: explained(analysis.checks),
    complianceFindings: explained(analysis.complianceFindings),
  };
}
