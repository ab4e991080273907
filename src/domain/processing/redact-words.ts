import { redactProse, redactQuote, type RedactedSource } from '../../redaction/redact-quotes.ts';
import { redactSaid } from '../../redaction/redact-said.ts';
import type { RedactedSpan } from '../../redaction/redact-transcript.ts';
import type { Evidence } from '../../model/scorecard.ts';
import type { Redaction, RedactionDepth, RedactionKind } from '../../model/redaction.ts';
import type { AnalysisTexts } from './redaction-queries.ts';
import type { Segment, Speaker } from '../../model/transcript.ts';

/** The stored words of a record: each transcript with its segments as JSON, and the texts of its analyses. */
export type WordsToRedact = {
  redaction: RedactionDepth;
  transcripts: StoredTranscript[];
  analyses: AnalysisTexts[];
};

type StoredTranscript = { version: number; speakers: Speaker[]; segments: string; redactions: Redaction[] | null };

export type RedactedWords = {
  transcripts: (StoredTranscript & { redactions: Redaction[]; namesRedacted: boolean })[];
  analyses: AnalysisTexts[];
};

/** Removes personal data from transcripts, and from what analyses quote of them. */
export function redactStored({ transcripts, analyses, redaction }: WordsToRedact): RedactedWords {
  const names = redaction === 'names';
  const redacted: RedactedWords = { transcripts: [], analyses: [] };
  for (const { segments: json, ...stored } of transcripts) {
    const heard = JSON.parse(json) as Segment[];
    const { spans, segments, ...said } = redactSaid({ ...stored, segments: heard }, { names });
    redacted.transcripts.push({ ...said, segments: JSON.stringify(segments) });
    const removed = { ...readRemoved(heard, spans), names };
    const own = analyses.filter(({ transcriptVersion }) => transcriptVersion === stored.version);
    redacted.analyses.push(...own.map((analysis) => redactAnalysis(analysis, removed)));
  }
  return redacted;
}

type Removed = {
  sources: ReadonlyMap<string, RedactedSource>;
  secrets: ReadonlyMap<string, RedactionKind>;
  names: boolean;
};

function readRemoved(segments: readonly Segment[], spans: readonly RedactedSpan[]): Omit<Removed, 'names'> {
  const bySegment = Map.groupBy(spans, ({ segmentId }) => segmentId);
  const sources = segments.map(({ id, text }) => [id, { text, spans: bySegment.get(id) ?? [] }] as const);
  const secrets = segments.flatMap(({ id, text }) =>
    (bySegment.get(id) ?? []).map(({ kind, from, to }) => [text.slice(from, to), kind] as const),
  );
  return { sources: new Map(sources), secrets: new Map(secrets) };
}

function redactAnalysis(analysis: AnalysisTexts, { sources, secrets, names }: Removed): AnalysisTexts {
  const prose = (text: string): string => redactProse(text, secrets, { names });
  const quoted = (evidence: Evidence[]): Evidence[] =>
    evidence.map((each) => ({
      ...each,
      quote: redactQuote(each.quote, sources.get(each.segmentId) ?? { text: '', spans: [] }, { names }),
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
