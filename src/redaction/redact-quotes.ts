import { placeholders, type RedactionKind } from '../model/redaction.ts';
import type { RedactionOptions } from './detect.ts';
import { redactText, type RedactedSpan } from './redact-transcript.ts';
import { render } from './rendering.ts';

/** A segment before it was redacted, and what was removed from it. */
export type RedactedSource = { text: string; spans: readonly RedactedSpan[] };

/** A quote from a segment before it was redacted, without what was removed from it. */
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

/** A text about a call, without anything that was removed from the call itself. */
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
