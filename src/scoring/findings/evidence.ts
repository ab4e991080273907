import type { Evidence } from '../../model/scorecard.ts';
import type { Segment } from '../../model/transcript.ts';
import type { Slight } from '../accusations/slights.ts';
import { hasSlightBeside } from '../accusations/slights.ts';
import { spacedPieces } from '../../model/text/tokens.ts';
import type { Conversation, PlacedToken, Utterance } from '../conversation/conversation.ts';

const QUOTE_LENGTH_MAX = 110;
const CONTEXT_LENGTH = 45;

/**
 * Quotes the words at positions `[from, to)`, with the rest of a short segment around them. A phrase that spans several
 * segments gives one quote per segment, at most three.
 */
export function quotePlaces(conversation: Conversation, range: { from: number; to: number }): Evidence[] {
  return splitByUtterance(conversation.tokens.slice(range.from, range.to))
    .slice(0, 3)
    .map(({ utterance, from, to }) => quoteSegment(utterance.segment, widen(utterance.segment.text, from, to)));
}

/** Exactly these words and nothing around them, for what must not be repeated in full. */
export function quoteExactly(conversation: Conversation, range: { from: number; to: number }): Evidence[] {
  return splitByUtterance(conversation.tokens.slice(range.from, range.to))
    .slice(0, 1)
    .map(({ utterance, from, to }) => {
      const long = LONG_NUMBER.exec(utterance.segment.text.slice(from, to));
      return quoteSegment(utterance.segment, { from, to: long ? from + long.index + FIGURES_SHOWN : to });
    });
}

/** Only the beginning of a long number in digits is shown, be it in one piece or in groups. */
const LONG_NUMBER = /(?:[0-9][\s.-]?){6,}/u;
const FIGURES_SHOWN = 4;

/** For evidence in favour of the agent: only the words themselves if there is something rude next to them. */
export function quoteFairly(
  { conversation, slights }: { conversation: Conversation; slights: readonly Slight[] },
  range: { from: number; to: number },
): Evidence[] {
  return hasSlightBeside(conversation.tokens, slights, range.from)
    ? quoteExactly(conversation, range)
    : quotePlaces(conversation, range);
}

export function quoteUtterance({ segment }: Utterance): Evidence {
  return quoteSegment(segment, widen(segment.text, 0, Math.min(segment.text.length, QUOTE_LENGTH_MAX)));
}

/** Drops duplicates and every quote that is not found, word for word, in the segment that it names. */
export function verifyEvidence(texts: ReadonlyMap<string, string>, evidence: readonly Evidence[]): Evidence[] {
  const seen = new Set<string>();
  return evidence.filter(({ segmentId, quote }) => {
    const id = `${segmentId}\n${quote}`;
    if (quote.trim() === '' || seen.has(id) || !texts.get(segmentId)?.includes(quote)) return false;
    seen.add(id);
    return true;
  });
}

type Span = { utterance: Utterance; from: number; to: number };

function splitByUtterance(tokens: readonly PlacedToken[]): Span[] {
  const spans: Span[] = [];
  for (const token of tokens) {
    const last = spans.at(-1);
    if (last && last.utterance === token.utterance) last.to = Math.max(last.to, token.to);
    else spans.push({ utterance: token.utterance, from: token.from, to: token.to });
  }
  return spans;
}

function widen(text: string, from: number, to: number): { from: number; to: number } {
  if (text.length <= QUOTE_LENGTH_MAX) return { from: 0, to: text.length };
  const left = from <= CONTEXT_LENGTH ? 0 : text.lastIndexOf(' ', from - CONTEXT_LENGTH) + 1;
  const right = text.indexOf(' ', Math.min(text.length, to + CONTEXT_LENGTH));
  return { from: left, to: right < 0 ? text.length : right };
}

function quoteSegment(segment: Segment, { from, to }: { from: number; to: number }): Evidence {
  const raw = segment.text.slice(from, to);
  const lead = raw.length - raw.trimStart().length;
  return { segmentId: segment.id, quote: raw.trim(), startMs: startOf(segment, from + lead) };
}

/** The time of the word at this position if words and text match, else the start of the segment. */
function startOf(segment: Segment, place: number): number {
  if (place === 0 || segment.words.length === 0) return segment.startMs;
  const before = spacedPieces(segment.text.slice(0, place)).length;
  const total = spacedPieces(segment.text).length;
  return total === segment.words.length ? (segment.words[before]?.startMs ?? segment.startMs) : segment.startMs;
}
