import type { SpokenSegment } from '../conversation.ts';
import type { Span } from '../spans.ts';

const NAME = String.raw`\p{Lu}[\p{L}.'’-]*(?:\s(?:de|del|la|las|los|der|den|dem|am|an|of|the|y|и|на))?`;
const STREET_FIRST = String.raw`(?:${NAME}\s){1,4}(?:n[.º°]?\s?)?\d{1,4}\s?[a-zA-Z]?(?:,\s[^,.;:?!\n]{1,24}){0,2},\s(?:[A-Z]{1,2}-)?\d{4,6}\s${NAME}(?:\s${NAME}){0,2}`;
const NUMBER_FIRST = String.raw`\d{1,5}[a-z]?\s(?:${NAME}\s?){1,4},\s(?:[^,.;:?!\n]{1,24},\s){0,2}(?:(?:${NAME}\s?){1,2},?\s)?(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]{2}\s\d{5}|[A-Z]{2,3}\s\d{4}|[A-Z]\d{2}\s?[A-Z\d]{4})`;
const WRITTEN = new RegExp(String.raw`(?<![\p{L}\d])(?:${STREET_FIRST}|${NUMBER_FIRST})(?![\p{L}\d])`, 'gu');
const OURS =
  /(?:our|ours|office|branch|store|unser\p{L}*|filiale|nuestr[oa]s?|oficina|tienda|наш\p{L}*|офис\p{L}*|магазин\p{L}*|sitz)[^.?!]{0,40}$/iu;

/** Addresses as they are written on an envelope: street, number, postcode and town; not that of a company from its agent. */
export function findWrittenAddresses({ text, role }: SpokenSegment, segment: number): Span[] {
  return [...text.matchAll(WRITTEN)].flatMap(({ 0: raw, index }) =>
    role === 'agent' && OURS.test(text.slice(0, index))
      ? []
      : [{ kind: 'address' as const, segment, from: index, to: index + raw.length }],
  );
}
