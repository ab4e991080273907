import { placeholders, type RedactionKind } from '../model/redaction.ts';
import type { RedactionOptions } from './detect.ts';
import { redactText, type RedactedSpan } from './redact-transcript.ts';
import { render } from './rendering.ts';

/** A segment as it was before it was redacted, and what was taken out of it. */
export type RedactedSource = { text: string; spans: readonly RedactedSpan[] };

/** Words that were quoted from a segment before it was redacted, without what was taken out of it. */
export function redactQuote(quote: string, { text, spans }: RedactedSource, options: RedactionOptions): string {
  let best = redactText(quote, options);
  if (quote === '') return best;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    const inside = spans
      .filter(({ from, to }) => from < at + quote.length && at < to)
      .map(({ kind, from, to }) => ({
        kind,
        segment: 0,
        from: Math.max(0, from - at),
        to: Math.min(quote.length, to - at),
      }));
    if (inside.length > 0) best = redactText(render(quote, inside).text, options);
  }
  return best;
}

const secretLengthMin = 3;

/** A text that speaks of a call, without anything that was taken out of the call itself. */
export function redactProse(
  text: string,
  secrets: ReadonlyMap<string, RedactionKind>,
  options: RedactionOptions,
): string {
  let redacted = text;
  for (const [secret, kind] of secrets) {
    if (secret.length >= secretLengthMin) redacted = redacted.replaceAll(secret, placeholders[kind]);
  }
  return redactText(redacted, options);
}
