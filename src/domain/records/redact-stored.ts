import { redactProse, redactQuote, type RedactedSource } from '../../redaction/redact-quotes.ts';
import { redactSpeakers } from '../../redaction/redact-speakers.ts';
import { redactTranscript } from '../../redaction/redact-transcript.ts';
import type { Evidence } from '../analyses/schemas.ts';
import type { Redaction, RedactionKind } from './redaction.ts';
import type { AnalysisTexts } from './redaction-queries.ts';
import type { Segment, Speaker } from './transcript.ts';

/** What is stored of a record: each transcript, its segments as JSON, and what the analyses say in words. */
export type StoredWords = {
  transcripts: { version: number; speakers: Speaker[]; segments: string }[];
  analyses: AnalysisTexts[];
};

export type RedactedWords = {
  transcripts: (StoredWords['transcripts'][number] & { redactions: Redaction[] })[];
  analyses: AnalysisTexts[];
};

/** Takes personal data out of transcripts, and out of what the analyses quote of them. */
export function redactStored({ transcripts, analyses }: StoredWords): RedactedWords {
  const redacted: RedactedWords = { transcripts: [], analyses: [] };
  for (const { version, speakers: named, segments: json } of transcripts) {
    const { speakers, segments } = redactSpeakers({ speakers: named, segments: JSON.parse(json) as Segment[] });
    const { spans, redactions, ...said } = redactTranscript(segments);
    redacted.transcripts.push({ version, speakers, segments: JSON.stringify(said.segments), redactions });
    const removed = readRemoved(segments, spans);
    const own = analyses.filter(({ transcriptVersion }) => transcriptVersion === version);
    redacted.analyses.push(...own.map((analysis) => redactAnalysis(analysis, removed)));
  }
  return redacted;
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

function redactAnalysis(analysis: AnalysisTexts, { sources, secrets }: Removed): AnalysisTexts {
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
