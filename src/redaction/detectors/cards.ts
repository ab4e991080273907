import { cardDigitsMax, cardDigitsMin, isCardLength, isIssuedCard, passesLuhn } from '../checksums.ts';
import { isQuantity, topicOf, type Conversation } from '../conversation.ts';
import { findPieces } from '../pieces.ts';
import type { Run } from '../runs.ts';
import type { Finding, Span } from '../spans.ts';
import { toFigures } from '../tokens.ts';

/** Card numbers that were said, over segments too: by checksum and issuer, or after words that announce one. */
export function findSpokenCards(conversation: Conversation): Finding[] {
  return [
    ...conversation.runs.flatMap((run) => cardsIn(conversation, run)),
    // Not held against the checksum: a figure may be misheard.
    ...findPieces(conversation, { topic: 'card', digitsMin: announcedDigitsMin, digitsMax: announcedDigitsMax }).map(
      toFinding,
    ),
  ];
}

/** Fewer than a card has, since a recogniser loses some; more than a telephone number. */
const announcedDigitsMin = 12;
/** A card with the date that it expires, and its code. */
const announcedDigitsMax = 27;
const trailingDigitsMax = 8;

function cardsIn(conversation: Conversation, run: Run): Finding[] {
  const { length } = run.digits;
  if (length < announcedDigitsMin) return [];
  const topic = topicOf(conversation, run);
  if (topic === 'other') return isIssuedCard(run.digits) && passesLuhn(run.digits) ? [toFinding(run)] : [];
  const found = cardsOf(run);
  if (found.length === 0) {
    const isAnnounced = topic === 'card' && length <= announcedDigitsMax && !isQuantity(conversation, run);
    return isAnnounced ? [toFinding(run)] : [];
  }
  const last = found.reduce((a, b) => (b.to >= a.to ? b : a));
  const rest = run.groups.filter(({ from }) => from >= last.to);
  // What follows at once is the date that it expires, and its code.
  const isRestShort = rest.reduce((sum, { digits }) => sum + digits.length, 0) <= trailingDigitsMax;
  return [...found, ...(isRestShort ? [{ from: last.from, to: run.to }] : [])].map(toFinding);
}

function toFinding({ from, to }: { from: number; to: number }): Finding {
  return { kind: 'card_number', from, to };
}

/** Every stretch of whole groups that is a card. At most as many are tried per group as a card has figures. */
function cardsOf({ groups }: Run): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const [first, start] of groups.entries()) {
    let digits = '';
    for (let end = first; end < groups.length && digits.length <= cardDigitsMax; end += 1) {
      const group = groups[end];
      digits += group?.digits ?? '';
      if (group && isIssuedCard(digits) && passesLuhn(digits)) found.push({ from: start.from, to: group.to });
    }
  }
  return found;
}

/** Figures with nothing but spaces, dashes and the like between their groups. */
const WRITTEN = /\p{Nd}+(?:[\s\p{Pd}\p{Cf}._·()]{1,5}\p{Nd}+)*/gu;

/**
 * Card numbers in figures, whatever is said around them: no number of 13 to 19 figures that passes the checksum stays,
 * however it is grouped. Parts of a longer row count where they are whole groups, or begin or end an unbroken one.
 */
export function findWrittenCards(text: string, segment: number): Span[] {
  return [...text.matchAll(WRITTEN)].flatMap((row) => {
    const groups = [...row[0].matchAll(/\p{Nd}+/gu)].map((group) => ({
      digits: toFigures(group[0]),
      from: row.index + group.index,
      to: row.index + group.index + group[0].length,
    }));
    const length = groups.reduce((sum, { digits }) => sum + digits.length, 0);
    if (length < cardDigitsMin) return [];
    return cardsInRow(groups).map((place) => ({ kind: 'card_number' as const, segment, ...place }));
  });
}

type WrittenGroup = { digits: string; from: number; to: number };

function cardsInRow(groups: readonly WrittenGroup[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const [first, start] of groups.entries()) {
    let digits = '';
    let hasSingle = false;
    for (let end = first; end < groups.length && digits.length <= cardDigitsMax; end += 1) {
      const group = groups[end];
      if (!group) break;
      digits += group.digits;
      hasSingle ||= group.digits.length === 1;
      const isWhole = first === 0 && end === groups.length - 1;
      // One figure at a time has so many stretches that one of them passes by chance.
      const isCandidate = isWhole || !hasSingle || isIssuedCard(digits);
      if (isCardLength(digits.length) && isCandidate && passesLuhn(digits))
        found.push({ from: start.from, to: group.to });
    }
    if (isCardAtEdge(start.digits)) found.push({ from: start.from, to: start.to });
  }
  return found;
}

/** An unbroken row that is too long for a card and begins or ends with one. */
function isCardAtEdge(digits: string): boolean {
  if (digits.length <= cardDigitsMax) return false;
  return Array.from({ length: 7 }, (_, index) => index + 13).some((length) =>
    [digits.slice(0, length), digits.slice(-length)].some((part) => isIssuedCard(part) && passesLuhn(part)),
  );
}
