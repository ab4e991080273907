import { cardDigitsMax, cardDigitsMin, isCardLength, isIssuedCard, passesLuhn } from '../checksums.ts';
import { hasPlaceholder, isQuantity, topicOf, type Conversation } from '../conversation.ts';
import { CORRECTIONS, UNITS_AFTER } from '../lexicon.ts';
import { findPieces } from '../pieces.ts';
import { findRequests } from '../requests.ts';
import type { Run } from '../runs.ts';
import type { Finding, Span } from '../spans.ts';
import { toFigures, type TokenRange } from '../tokens.ts';
import { turnAt } from '../turns.ts';
import { isLastPart } from './national-ids.ts';

/** Card numbers that were said, over segments too: by checksum and issuer, or after words that announce one. */
export function findSpokenCards(conversation: Conversation): Finding[] {
  const announced = { topic: 'card' as const, digitsMin: announcedDigitsMin, digitsMax: announcedDigitsMax };
  // Not held against the checksum: a figure may be misheard.
  const pieces = bridge(conversation, findPieces(conversation, announced));
  const found = [
    ...conversation.runs.flatMap((run) => cardsIn(conversation, run)),
    ...pieces,
    ...misheardCards(conversation),
    ...answeredCards(conversation),
    ...dictatedCards(conversation),
  ];
  return found.map((place) => ({ kind: 'card_number' as const, ...withFirst(conversation, place) }));
}

/** Fewer than a card has, since a recogniser loses some; more than a telephone number. */
const announcedDigitsMin = 12;
/** A card with the date that it expires, and its code. */
const announcedDigitsMax = 27;
/** Half a card: who is broken off, or goes on after a question. */
const partDigitsMin = 8;
const trailingDigitsMax = 8;

function cardsIn(conversation: Conversation, run: Run): TokenRange[] {
  const { length } = run.digits;
  if (length < partDigitsMin) return [];
  const topic = topicOf(conversation, run);
  if (topic === 'other') return isIssuedCard(run.digits) && passesLuhn(run.digits) ? [run] : [];
  const found = length < announcedDigitsMin ? [] : cardsOf(run);
  if (found.length === 0) {
    const isAnnounced = topic === 'card' || (topic === null && isEndingNext(conversation, run));
    return isAnnounced && length <= announcedDigitsMax && !isQuantity(conversation, run) ? [run] : [];
  }
  const first = found.reduce((a, b) => (b.from < a.from ? b : a));
  const last = found.reduce((a, b) => (b.to >= a.to ? b : a));
  const rest = run.groups.filter(({ from }) => from >= last.to);
  // What follows at once is the date that it expires, and its code; what comes before a correction is a part of it as well.
  const isRestShort = rest.reduce((sum, { digits }) => sum + digits.length, 0) <= trailingDigitsMax;
  const isCorrected = conversation.tokens.slice(run.from, run.to).some(({ word }) => CORRECTIONS.has(word));
  return [
    ...found,
    ...(isRestShort ? [{ from: last.from, to: run.to }] : []),
    ...(isCorrected ? [{ from: run.from, to: first.to }] : []),
  ];
}

const endingWithinTokens = 4;

/** "… and that's ending four two four two": what stands before is the rest of the number. */
function isEndingNext({ tokens }: Conversation, { to, digits }: Run): boolean {
  return (
    digits.length >= partDigitsMin &&
    isLastPart(tokens, { from: Math.min(tokens.length, to + endingWithinTokens) }, endingWithinTokens)
  );
}

const bridgeTokensMax = 2;
const bridgeLettersMax = 6;

/** "Vier zwei sieben neuen fünf fünf": a misheard figure between two of one number, and short words between two parts. */
function misheardCards(conversation: Conversation): TokenRange[] {
  const { runs } = conversation;
  const places: TokenRange[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const first = runs[index];
    if (!first) continue;
    let [to, digits] = [first.to, first.digits.length];
    while (isBridged(conversation, { to, next: runs[index + 1] })) {
      index += 1;
      digits += runs[index]?.digits.length ?? 0;
      to = runs[index]?.to ?? to;
    }
    if (to === first.to || digits < announcedDigitsMin || digits > announcedDigitsMax) continue;
    if (topicOf(conversation, first) === 'card') places.push({ from: first.from, to });
  }
  return places;
}

function isBridged({ tokens }: Conversation, { to, next }: { to: number; next: Run | undefined }): boolean {
  if (!next || next.from - to > bridgeTokensMax) return false;
  if (next.groups[0]?.isWritten) return false;
  const between = tokens.slice(to, next.from);
  const { segment } = tokens[to - 1] ?? {};
  return [...between, tokens[next.from]].every(
    (token, index) =>
      token?.segment === segment &&
      !/[.?!;:]/.test(token?.gap ?? '') &&
      (index === between.length ||
        (token?.kind === 'word' && token.word.length <= bridgeLettersMax && !UNITS_AFTER.has(token.word))),
  );
}

const pieceGapMax = 4;

/** Pieces of one number that few words part, with these words. */
function bridge({ tokens }: Conversation, pieces: readonly TokenRange[]): TokenRange[] {
  const joined: TokenRange[] = [];
  for (const { from, to } of pieces) {
    const last = joined.at(-1);
    const isNear = last && from >= last.to && from - last.to <= pieceGapMax;
    if (isNear && tokens[from]?.segment === tokens[last.to - 1]?.segment) last.to = to;
    else joined.push({ from, to });
  }
  return joined;
}

const answeredDigitsMin = 4;

/** Any figures that are answered to who asks for the number of a card, but for its last ones. */
function answeredCards(conversation: Conversation): TokenRange[] {
  const { tokens, runs } = conversation;
  return findRequests(conversation, ({ topic }) => topic === 'card').flatMap(({ lead, answers }) => {
    if (isLastPart(tokens, lead) || !isForNumber(conversation, lead)) return [];
    return answers.flatMap(({ from, to }) =>
      runs.filter(
        (run) =>
          run.from >= from &&
          run.to <= to &&
          run.digits.length >= answeredDigitsMin &&
          run.digits.length <= announcedDigitsMax &&
          topicOf(conversation, run) === 'card' &&
          !isQuantity(conversation, run) &&
          !isLastPart(tokens, run) &&
          !/^(?:19|20)\d\d$/.test(run.digits),
      ),
    );
  });
}

const dictatedDigitsMax = 21;
const gapTokensMax = 14;

/**
 * "Cincuenta y cuatro doce …" "La escucho." "… y los de abajo …": figures in pieces by one person, within few words, that
 * are as many as a card has and were begun as one, or were announced by one.
 */
function dictatedCards(conversation: Conversation): TokenRange[] {
  const { runs, tokens, turns } = conversation;
  const places: TokenRange[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const pieces = piecesFrom(conversation, index);
    const digits = pieces.map((piece) => piece.digits).join('');
    if (pieces.length < 2 || digits.length < announcedDigitsMin || digits.length > dictatedDigitsMax) continue;
    const first = pieces[0];
    const speaker = turns[turnAt(turns, first?.from ?? 0)]?.speaker;
    const isOneSpeaker = pieces.every(({ from }) => turns[turnAt(turns, from)]?.speaker === speaker);
    const isMeant = first !== undefined && (topicOf(conversation, first) === 'card' || isWholeCard(digits));
    if (!isOneSpeaker || !isMeant || pieces.some(({ from, to }) => hasPlaceholder(tokens, from, to))) continue;
    places.push(...pieces);
    index += pieces.length - 1;
  }
  return places;
}

/** Sixteen figures of an issuer; the last of the sum may be misheard. */
function isWholeCard(digits: string): boolean {
  return digits.length === 16 && /^(?:4|5[1-5]|2[2-7]|6[0-9])/.test(digits);
}

/** This run and those after it that a few words part, until something else is named. */
function piecesFrom(conversation: Conversation, index: number): Run[] {
  const { runs, leads, tokens } = conversation;
  const pieces: Run[] = [];
  let length = 0;
  for (const run of runs.slice(index, index + piecesMax)) {
    const last = pieces.at(-1);
    const isFar = last !== undefined && run.from - last.to > gapTokensMax;
    const isOther =
      last !== undefined &&
      leads.some(({ topic, from, to }) => topic !== 'card' && topic !== 'code' && from >= last.to && to <= run.from);
    if (
      isFar ||
      isOther ||
      isAmountOrDay(conversation, run) ||
      isQuantity(conversation, run) ||
      length >= cardDigitsMin ||
      (length < partDigitsMin && isLastPart(tokens, run))
    )
      break;
    if (last === undefined && run.digits.length === 1 && run.groups.length === 1) break;
    pieces.push(run);
    length += run.digits.length;
  }
  return pieces;
}

/** "49.99", "the 12th". */
function isAmountOrDay({ tokens, texts }: Conversation, { from, to, groups }: Run): boolean {
  const [first, last, next] = [tokens[from], tokens[to - 1], tokens[to]];
  if (!first || !last || first.segment !== last.segment || !groups.some(({ isWritten }) => isWritten)) return false;
  const isDay = next?.segment === last.segment && next.gap === '' && /^(?:st|nd|rd|th)$/.test(next.word);
  return isDay || /^\d+[.,]\d\d$/.test(texts[first.segment]?.slice(first.from, last.to) ?? '');
}

const piecesMax = 8;
const numberWithinTokens = 6;
const NUMBERS = /^(?:numbers?|digits?|.*nummer|numero|cifras|numeracion|номер.*|цифр.*)$/u;

/** The number of the card is asked for, not the card, its bank or its owner. */
function isForNumber({ tokens }: Conversation, { from, to }: TokenRange): boolean {
  return tokens
    .slice(Math.max(0, from - numberWithinTokens), to + numberWithinTokens)
    .some(({ word }) => NUMBERS.test(word));
}

/** "The number is for eight oh seven …": with a first figure that was heard as another word. */
function withFirst({ tokens, leads }: Conversation, { from, to }: TokenRange): TokenRange {
  const before = tokens[from - 1];
  const isAlike = before?.kind === 'word' && before.segment === tokens[from]?.segment && FIRST_ALIKES.has(before.word);
  const isAfterWord = LINKS.has(tokens[from - 2]?.word ?? '') || leads.some((lead) => lead.to === from - 1);
  return isAlike && isAfterWord ? { from: from - 1, to } : { from, to };
}

const FIRST_ALIKES = new Set(['for', 'fore', 'to', 'too', 'won', 'ate', 'sex', 'free', 'fier', 'dry', 'sinco', 'пядь']);
const LINKS = new Set(["it's", 'is', 'ist', 'es', 'это', 'number', 'nummer', 'numero', 'номер']);

/** Every stretch of whole groups that is a card. At most as many are tried per group as a card has figures. */
function cardsOf({ groups }: Run): TokenRange[] {
  const found: TokenRange[] = [];
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
    // Within a word of letters and figures, as carriers give them to parcels, only what an issuer may have given counts.
    const isInWord = [text.charAt(row.index - 1), text.charAt(row.index + row[0].length)].some((beside) =>
      /\p{L}/u.test(beside),
    );
    return cardsInRow(groups, isInWord).map((place) => ({ kind: 'card_number' as const, segment, ...place }));
  });
}

type WrittenGroup = { digits: string; from: number; to: number };

function cardsInRow(groups: readonly WrittenGroup[], isInWord: boolean): TokenRange[] {
  const found: TokenRange[] = [];
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
      const isCandidate = (!isInWord && (isWhole || !hasSingle)) || isIssuedCard(digits);
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
