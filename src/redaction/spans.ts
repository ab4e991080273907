import type { RedactionKind } from '../model/redaction.ts';
import { numberWord } from './number-words.ts';
import type { Token } from './tokens.ts';

/** Something to redact: tokens `[from, to)`. */
export type Finding = { kind: RedactionKind; from: number; to: number };

/** A range `[from, to)` in the text of one segment. */
export type Span = { kind: RedactionKind; segment: number; from: number; to: number };

/** The text of a finding, one span per segment, without what a listener says between two parts of a number. */
export function toSpans(tokens: readonly Token[], { kind, from, to }: Finding): Span[] {
  const spans: (Span & { hasNumber: boolean })[] = [];
  for (let at = from; at < to; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder') continue;
    const hasNumber = token.kind === 'digits' || numberWord(token.word) !== null;
    const last = spans.at(-1);
    if (last?.segment === token.segment) {
      last.to = token.to;
      last.hasNumber ||= hasNumber;
    } else spans.push({ kind, segment: token.segment, from: token.from, to: token.to, hasNumber });
  }
  return spans
    .filter(({ hasNumber }, index) => hasNumber || kind === 'address' || index === 0 || index === spans.length - 1)
    .map(({ hasNumber: _hasNumber, ...span }) => span);
}

/** Joins overlapping findings of one kind, in order. */
export function joinFindings(findings: readonly Finding[]): Finding[] {
  const joined: Finding[] = [];
  for (const finding of findings.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = joined.at(-1);
    if (last && finding.from < last.to) last.to = Math.max(last.to, finding.to);
    else joined.push({ ...finding });
  }
  return joined;
}

const betweenMax = 3;
const WHOLE: readonly RedactionKind[] = ['card_number', 'iban', 'phone_number', 'name'];

/** Joins parts of one number with hardly a word between them ("серия …, номер …"). */
export function bridgeFindings(tokens: readonly Token[], findings: readonly Finding[]): Finding[] {
  return WHOLE.flatMap((kind) => {
    const parts = joinFindings(findings.filter((finding) => finding.kind === kind));
    return parts.flatMap((part, index) => {
      const next = parts[index + 1];
      const most = kind === 'name' ? 1 : betweenMax;
      if (!next || next.from - part.to > most) return [];
      const isOne = tokens
        .slice(part.to, next.from + 1)
        .every(
          ({ segment, gap, kind: token }) =>
            segment === tokens[part.from]?.segment && !/[.?!;,]/.test(gap) && token !== 'placeholder',
        );
      return isOne ? [{ kind, from: part.from, to: next.to }] : [];
    });
  });
}

/** If kinds overlap, the first one in this list names the whole. */
const precedence: readonly RedactionKind[] = [
  'iban',
  'bank_account',
  'card_number',
  'card_expiry',
  'national_id',
  'email',
  'phone_number',
  'date_of_birth',
  'password',
  'security_code',
  'pin',
  'address',
  'name',
];

/** Joins overlapping spans, in order: everything that any of them covers is redacted. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.segment - b.segment || a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1);
    if (last && last.segment === span.segment && span.from < last.to) {
      last.to = Math.max(last.to, span.to);
      if (precedence.indexOf(span.kind) < precedence.indexOf(last.kind)) last.kind = span.kind;
    } else merged.push({ ...span });
  }
  return merged;
}
