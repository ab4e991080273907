import { isAboutCard, isAboutOther } from '../card-context.ts';
import { isQuantity, type Conversation } from '../conversation.ts';
import {
  digitsOfStretch,
  mayBeginDate,
  numberEndsIn,
  readStretch,
  shorten,
  type NumberEnds,
  type Stretch,
} from '../date-stretches.ts';
import { isMonth } from '../date-words.ts';
import { findRequests } from '../requests.ts';
import type { Finding } from '../spans.ts';
import type { Token, TokenRange } from '../tokens.ts';

const namedWithinTokens = 12;
const besideWithinTokens = 14;

/** The month and year that a card expires: named, asked for, or said right after its number. */
export function findExpiries(conversation: Conversation, cards: readonly Finding[]): Finding[] {
  const { leads, turns } = conversation;
  const numbers = numberEndsIn(conversation);
  const search = (from: number, to: number): TokenRange[] => expiryIn(conversation, { from, to, numbers });
  const named = leads.flatMap(({ topic, from, to }) =>
    topic === 'expiry' && isAboutCard(conversation, from, cards) && !isAboutOther(conversation, from)
      ? search(to, to + namedWithinTokens)
      : [],
  );
  const asked = findRequests(conversation, (lead) => {
    const isNamed = conversation.tokens.slice(lead.from, lead.to).some(({ word }) => EXPIRY.test(word));
    return (
      lead.topic === 'expiry' &&
      (isNamed || isAboutCard(conversation, lead.from, cards)) &&
      !isAboutOther(conversation, lead.from)
    );
  });
  const answered = asked.flatMap(({ answers }) => {
    for (const turn of answers) {
      const found = search(turn.from, turn.to);
      if (found.length > 0) return found;
    }
    return [];
  });
  const beside = cards.flatMap(({ to }) => {
    const end = turns.find((turn) => turn.from < to && to <= turn.to)?.to ?? to;
    return search(to, Math.min(end, to + besideWithinTokens));
  });
  return [...named, ...answered, ...beside].map((place) => ({ kind: 'card_expiry' as const, ...place }));
}

/** Words that are hardly said but of cards; "valid until" is of anything. */
const EXPIRY = /^(?:exp.*|ablauf.*|verfall.*|gultigkeit.*|caducidad|vencimiento|срок)$/u;

type Search = TokenRange & { numbers: NumberEnds };

/** The first month with a year. */
function expiryIn(conversation: Conversation, { from, to, numbers }: Search): TokenRange[] {
  const { tokens } = conversation;
  for (let at = from; at < Math.min(to, tokens.length); at += 1) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder') return [];
    if (!mayBeginDate(token, at, numbers)) continue;
    const whole = readStretch(tokens, at, numbers);
    const parts = [whole, ...[5, 4, 3, 2].map((count) => shorten(tokens, whole, numbers, count))];
    const stretch = parts.find((part) => isExpiry(conversation, part));
    const isStart = FROM.has(tokens[at - 1]?.word ?? '');
    if (stretch && !isStart) return [{ from: stretch.from, to: monthAgain(tokens, stretch.to) }];
    at = (stretch ?? whole).to - 1;
  }
  return [];
}

/** "From May twenty three until …": a card is not secret since when. */
const FROM = new Set(['from', 'since', 'seit', 'von', 'desde', 'с', 'от']);
const againWithinTokens = 2;

/** "Zwölfter sechsundzwanzig, also Dezember". */
function monthAgain(tokens: readonly Token[], to: number): number {
  for (let at = to; at < to + againWithinTokens; at += 1) {
    const token = tokens[at];
    if (token?.segment === tokens[to - 1]?.segment && token && isMonth(token)) return at + 1;
  }
  return to;
}

/** "March 2029", "11/28", "oh nine twenty seven", "zwölfter sechsundzwanzig": with a day it is another date. */
function isExpiry(conversation: Conversation, stretch: Stretch): boolean {
  const digits = digitsOfStretch(conversation, stretch);
  if (isQuantity(conversation, stretch) && !stretch.hasMonth) return false;
  const first = conversation.tokens[stretch.from];
  if (stretch.hasMonth && (!first || !isMonth(first))) return false;
  if (stretch.hasMonth)
    return /^(?:\d\d|20\d\d)$/.test(digits) || (digits === '' && stretch.hasOrdinal) || isRussian(stretch, digits);
  if (stretch.hasOrdinal) return digits.length === 2 || digits.length === 4;
  return /^(?:0?[1-9]|1[0-2])(?:20)?[2-4]\d$/.test(digits) || /^(?:0[1-9]|1[0-2])\/?\d\d$/.test(digits);
}

/** "Январь две тысячи тридцатого": the year is half number, half ordinal. */
function isRussian({ hasOrdinal }: Stretch, digits: string): boolean {
  return hasOrdinal && digits.length <= 6;
}
