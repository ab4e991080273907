import { placeholders, type Redaction } from '../model/redaction.ts';
import type { Segment, Word } from '../model/transcript.ts';
import { detect, type Detection, type RedactionOptions } from './detect.ts';
import { render } from './rendering.ts';
import { soundsLikeFigure } from './sound-alikes.ts';
import { mergeSpans, type Span } from './spans.ts';
import { learnedTagger, type Tagger, type TurnMemory } from './tagger/tagger.ts';
import { placeWords, type PlacedWord } from './word-places.ts';

/** One redacted stretch of a segment. */
export type RedactedSpan = Redaction & {
  /** Position `[from, to)` in the original text. */
  from: number;
  to: number;
  /** Indices `[first, end)` of the original words; null if none of them is there. */
  words: { first: number; end: number } | null;
};

export type RedactedTranscript<S extends Segment> = { segments: S[]; spans: RedactedSpan[]; redactions: Redaction[] };

/**
 * Removes personal data from a transcript: each stretch becomes a placeholder (`[card number]`) in the text, and one
 * word with its time among the words. Segments must be in the order of the call. Redacting again changes nothing.
 */
export function redactTranscript<S extends Segment>(
  segments: readonly S[],
  { names }: RedactionOptions = { names: false },
  tagger: Tagger | null = learnedTagger(),
): RedactedTranscript<S> {
  const found = Map.groupBy(findSpans(segments, { names, tagger }), ({ segment }) => segment);
  const redacted = segments.map((segment, index) => redactSegment(segment, found.get(index) ?? []));
  const spans = redacted.flatMap((each) => each.spans);
  return {
    segments: redacted.map((each) => each.segment),
    spans,
    redactions: spans.map(({ kind, segmentId, startMs, endMs }) => ({ kind, segmentId, startMs, endMs })),
  };
}

/** The same for a standalone text, such as a summary: by the rules alone, since the tagger has learned from calls. */
export function redactText(text: string, { names }: RedactionOptions = { names: false }): string {
  const segment = { speaker: '', role: 'unknown' as const, startMs: 0, endMs: 0, text };
  return render(text, findSpans([segment], { names, tagger: null })).text;
}

type Said = Pick<Segment, 'speaker' | 'role' | 'startMs' | 'endMs' | 'text'>;

/** More than any real call has needed; limits the work for one that was designed to need more. */
const roundsMax = 16;

/**
 * Searches until nothing more is found: a placeholder separates the words around it, which may then be read
 * differently.
 */
function findSpans(segments: readonly Said[], options: Detection): Span[] {
  let spans: Span[] = [];
  const memory: TurnMemory = new Map();
  for (let round = 0; round < roundsMax; round += 1) {
    const known = Map.groupBy(spans, ({ segment }) => segment);
    const rendered = segments.map(({ text }, index) => render(text, known.get(index) ?? []));
    const fresh = detect(
      segments.map(({ speaker, role, startMs, endMs }, index) => ({
        speaker,
        role,
        startMs,
        endMs,
        text: rendered[index]?.text ?? '',
      })),
      { ...options, memory },
    );
    if (fresh.length === 0) break;
    const original = fresh.map((span) => {
      const toOriginal = rendered[span.segment]?.toOriginal ?? ((place: number) => place);
      return { ...span, from: toOriginal(span.from), to: toOriginal(span.to - 1) + 1 };
    });
    spans = mergeSpans([...spans, ...original]);
  }
  return spans;
}

function redactSegment<S extends Segment>(segment: S, spans: readonly Span[]): { segment: S; spans: RedactedSpan[] } {
  const placed = placeWords(segment.text, segment.words);
  const timed = spans.map((span): RedactedSpan => {
    const first = placed.findIndex(({ to }) => to > span.from);
    const end = placed.findLastIndex(({ from }) => from < span.to) + 1;
    const inside = first >= 0 && first < end ? placed.slice(first, end) : [];
    return {
      kind: span.kind,
      segmentId: segment.id,
      from: span.from,
      to: span.to,
      words: indicesOf(inside),
      ...timesOf(segment, {
        span,
        inside,
        before: placed[(first < 0 ? placed.length : first) - 1],
        after: placed[end],
      }),
    };
  });
  const text = render(segment.text, spans).text;
  return { segment: { ...segment, text, words: redactWords(placed, timed) }, spans: timed };
}

type Neighbours = {
  span: Span;
  inside: readonly PlacedWord[];
  before: PlacedWord | undefined;
  after: PlacedWord | undefined;
};

/** From the first to the last word; if words are missing, everything between those around the stretch. */
function timesOf(segment: Segment, { span, inside, before, after }: Neighbours): { startMs: number; endMs: number } {
  const text = segment.text.slice(span.from, span.to);
  const said = [...text.matchAll(/[\p{L}\p{N}]/gu)];
  const isWhole = said.every(({ index }) => {
    const place = span.from + index;
    return inside.some(({ from, to }) => from <= place && place < to);
  });
  const indices = indicesOf(inside);
  // If a word in between is not in the text, its time is unknown.
  const isAll = isWhole && indices !== null && indices.end - indices.first === inside.length;
  const starts = inside.map(({ startMs }) => startMs);
  const ends = inside.map(({ endMs }) => endMs);
  const isDoubtful = isAll && isFirstDoubtful(inside[0], before);
  const startMs = Math.min(
    ...starts,
    ...(isAll ? [] : [before?.endMs ?? segment.startMs]),
    ...(isDoubtful ? [before?.startMs ?? segment.startMs] : []),
  );
  const endMs = Math.max(...ends, ...(isAll ? [] : [after?.startMs ?? segment.endMs]));
  return startMs < endMs
    ? { startMs, endMs }
    : { startMs: segment.startMs, endMs: Math.max(segment.startMs, segment.endMs) };
}

const sureConfidenceMin = 0.75;

/**
 * Whether the word before the first may belong to what was said: recognisers hear "for one one one" for four digits,
 * and if they are unsure of a word, they are unsure of where it begins.
 */
function isFirstDoubtful(first: PlacedWord | undefined, before: PlacedWord | undefined): boolean {
  const isUnsure = (word: PlacedWord | undefined): boolean =>
    word !== undefined && (word.confidence === null || word.confidence < sureConfidenceMin);
  return isUnsure(first) || isUnsure(before) || (before !== undefined && soundsLikeFigure(before.text));
}

function indicesOf(inside: readonly PlacedWord[]): { first: number; end: number } | null {
  const [first, last] = [inside[0], inside.at(-1)];
  if (!first || !last) return null;
  return { first: first.index, end: last.index + 1 };
}

function redactWords(placed: readonly PlacedWord[], spans: readonly RedactedSpan[]): Word[] {
  const words: Word[] = [];
  let covering: RedactedSpan | undefined;
  for (const { from, to, index: _index, ...word } of placed) {
    const span = spans.find((each) => each.from < to && from < each.to);
    const last = words.at(-1);
    if (span && span === covering && last) last.endMs = Math.max(last.endMs, word.endMs);
    else if (span) words.push({ ...word, text: placeholders[span.kind], confidence: null });
    else words.push(word);
    covering = span;
  }
  return words;
}
