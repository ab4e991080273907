import type { RedactionKind } from '../../model/redaction.ts';
import { digitsIn, type Chain } from '../chains.ts';
import { isQuantity, lastEndingBy, topicOf, type Conversation } from '../conversation.ts';
import { letterOf } from '../letters.ts';
import { COUNTED, type Topic } from '../lexicon.ts';
import type { Lead } from '../lead.ts';
import { findRequests } from '../requests.ts';
import type { Run } from '../runs.ts';
import type { Finding } from '../spans.ts';
import { plainWord, type Token, type TokenRange } from '../tokens.ts';
import type { Turn } from '../turns.ts';
import { isLastPart } from './national-ids.ts';

const digitsMin = 3;
const digitsMax = 8;
const KINDS = new Map<Topic, RedactionKind>([
  ['code', 'security_code'],
  ['pin', 'pin'],
  ['password', 'password'],
]);

/** Security codes and PINs: digits or letters that are called one, and answers to a request for one. */
export function findCodes(conversation: Conversation): Finding[] {
  return [...namedCodes(conversation), ...letteredCodes(conversation), ...answeredCodes(conversation)];
}

const againWithinTokens = 8;

/** The first figures after the word, and those that correct them. */
function namedCodes(conversation: Conversation): Finding[] {
  const answered = new Map<Lead, number>();
  return conversation.runs.flatMap((run) => {
    if (run.digits.length < digitsMin || run.digits.length > digitsMax) return [];
    const topic = topicOf(conversation, run);
    const kind = topic === 'password' ? undefined : KINDS.get(topic ?? 'other');
    if (!kind || isQuantity(conversation, run) || isCount(conversation, run)) return [];
    const lead = lastEndingBy(conversation.leads, run.from);
    const last = lead ? answered.get(lead) : undefined;
    if (last !== undefined && run.from - last > againWithinTokens) return [];
    if (lead && isYearFarFrom(conversation, lead, run)) return [];
    if (run.digits.length === 4 && isLastFour(conversation, run.from)) return [];
    if (lead) answered.set(lead, run.to);
    return [{ kind, from: run.from, to: run.to }];
  });
}

const besideTokensMax = 30;

/** Three or four figures that are said after a card are the code on it, where nothing else names them. */
export function findCodesBesideCards(conversation: Conversation, cards: readonly Finding[]): Finding[] {
  return cards.flatMap((card) =>
    conversation.runs.flatMap((run) => {
      const isNear = run.from >= card.to && run.from - card.to <= besideTokensMax;
      if (!isNear || run.digits.length < 3 || run.digits.length > 4) return [];
      const topic = topicOf(conversation, run);
      const isOpen = topic === null || topic === 'card' || topic === 'expiry' || topic === 'code';
      if (!isOpen || isQuantity(conversation, run) || isCount(conversation, run)) return [];
      const isLast = isLastPart(conversation.tokens, run) || /^(?:19|20)\d\d$/.test(run.digits);
      return isLast ? [] : [{ kind: 'security_code' as const, from: run.from, to: run.to }];
    }),
  );
}

const reachTokens = 14;
const charactersMin = 4;
const charactersMax = 16;

/** "The activation code is QX-7714". */
function letteredCodes({ leads, chains, tokens }: Conversation): Finding[] {
  return leads.flatMap((lead, index) => {
    const kind = KINDS.get(lead.topic);
    if (!kind || lead.topic === 'password') return [];
    const end = Math.min(lead.to + reachTokens, leads[index + 1]?.from ?? Infinity);
    const chain = chains.find(({ from }) => from >= lead.to);
    if (!chain || chain.from > end || !isLettered(chain)) return [];
    if (tokens.slice(lead.to, chain.from).some((token) => token.kind === 'placeholder')) return [];
    return [{ kind, from: chain.from, to: chain.to }];
  });
}

/** Figures and letters, as no word and no amount has them. */
function isLettered({ text, pieces }: Chain): boolean {
  const isMixed =
    digitsIn(text) >= 2 && /\p{L}/u.test(text) && pieces.some((piece) => /\p{L}/u.test(piece.text) && !piece.isWeak);
  return isMixed && text.length >= charactersMin && text.length <= charactersMax;
}

/** What is answered to who asks for a code: everything from the first to the last figure of it. */
function answeredCodes(conversation: Conversation): Finding[] {
  const requests = findRequests(conversation, ({ topic }) => KINDS.has(topic));
  return requests.flatMap(({ lead, answers, isSure, isYesOrNo, isOfCustomer }) => {
    if (isOfCustomer) return [];
    const kind = KINDS.get(lead.topic) ?? 'security_code';
    const isInParts = isSure && asksForParts(conversation, lead);
    for (const turn of answers) {
      const isShort = isSure && !isYesOrNo && lead.topic === 'code' && turn.to - turn.from <= shortTurnTokensMax;
      const place = figuresIn(conversation, turn, { isInParts, digitsAtLeast: isShort ? shortDigitsMin : digitsMin });
      if (place) return [{ kind, ...place }];
    }
    return [];
  });
}

const PARTS = new Set(
  'character characters digit digits letter letters number numbers position stelle stellen zeichen ziffer ziffern buchstabe buchstaben zahl zahlen posición cifra cifras letra letras dígito dígitos carácter числа цифра цифру цифры букву буква буквы символ символы позиция знак'
    .split(' ')
    .map(plainWord),
);
const partsWithinTokens = 12;

/** "The second and the fifth character of your passcode". */
function asksForParts({ tokens }: Conversation, { from, to }: Lead): boolean {
  return tokens.slice(Math.max(0, from - partsWithinTokens), to + 4).some(({ word }) => PARTS.has(word));
}

const answeredDigitsMax = 16;
/** "Choose the number that you see": two figures, where nothing else is said. */
const shortDigitsMin = 2;
const shortTurnTokensMax = 16;
const pieceTokensMax = 14;

function figuresIn(
  conversation: Conversation,
  turn: Turn,
  { isInParts, digitsAtLeast }: { isInParts: boolean; digitsAtLeast: number },
): TokenRange | null {
  const { tokens, leads, chains } = conversation;
  const end = leads.find(({ from, topic }) => from >= turn.from && !KINDS.has(topic))?.from ?? turn.to;
  const place = { from: turn.from, to: Math.min(end, turn.to) };
  const said = isInParts ? charactersIn(conversation, place) : piecesIn(chains, place);
  const pieces = said.filter(
    (piece) => !isQuantity(conversation, piece) && !isCount(conversation, piece) && (!piece.isWeak || isInParts),
  );
  const figures = pieces.reduce((sum, { text }) => sum + text.length, 0);
  if (pieces.length === 1 && pieces[0]?.isWeak) return null;
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last || figures > answeredDigitsMax) return null;
  if (figures < digitsAtLeast && !isInParts) return null;
  if (!pieces.some(({ text }) => /\d/.test(text)) && !isInParts) return null;
  if (last.to - first.from > pieceTokensMax + figures) return null;
  if (figures === 4 && isLastFour(conversation, first.from)) return null;
  if (tokens.slice(first.from, last.to).some(({ kind }) => kind === 'placeholder')) return null;
  return withKeys(tokens, { from: first.from, to: last.to }, place);
}

const KEYS = new Set(
  'hash pound star asterisk pause raute rautetaste stern sternchen stern-taste almohadilla numeral gato asterisco estrella решетка решетку решетки звездочка звездочку'
    .split(' ')
    .map(plainWord),
);
const keyWithinTokens = 3;

/** "Raute, dann sechs sechs eins null, dann nochmal Raute": with the keys that are no figures. */
function withKeys(tokens: readonly Token[], { from, to }: TokenRange, within: TokenRange): TokenRange {
  const isKey = (at: number): boolean => at >= within.from && at < within.to && KEYS.has(tokens[at]?.word ?? '');
  const before = [3, 2, 1].find((away) => isKey(from - away)) ?? 0;
  const after = [3, 2, 1].find((away) => away <= keyWithinTokens && isKey(to + away - 1)) ?? 0;
  return { from: from - before, to: to + after };
}

/** Every letter and figure, also those that may as well be words. */
function charactersIn({ tokens, runs }: Conversation, { from, to }: TokenRange): Chain['pieces'] {
  const figures = runs
    .flatMap(({ groups }) => groups)
    .filter((group) => group.from >= from && group.to <= to)
    .map((group) => ({ from: group.from, to: group.to, text: group.digits, isWeak: false }));
  const letters = tokens.slice(from, to).flatMap(({ word }, index) => {
    const letter = letterOf(word);
    return letter ? [{ from: from + index, to: from + index + 1, text: letter.letter, isWeak: letter.isWeak }] : [];
  });
  return [...figures, ...letters].toSorted((a, b) => a.from - b.from);
}

function piecesIn(chains: readonly Chain[], { from, to }: TokenRange): Chain['pieces'] {
  return chains.flatMap((chain) => chain.pieces.filter((piece) => piece.from >= from && piece.to <= to));
}

const nearTokens = 2;
const LINKS = new Set("is it's ist lautet es это con mit with".split(' '));

/** "Pin the message at the top for 2024": a year counts only right after the word, or where the word "is" it. */
function isYearFarFrom({ tokens }: Conversation, lead: Lead, { from, digits }: Run): boolean {
  if (!/^(?:19|20)\d\d$/.test(digits) || from - lead.to <= nearTokens) return false;
  return !tokens.slice(lead.to, from).some(({ word }) => LINKS.has(word));
}

const lastFourTokens = 14;
const LAST_FOUR = /(?:last|letzten|letzte|ultimos|ultimas|последние|последних) (?:four|4|vier|cuatro|четыре|четырех)/u;

/** "The last four digits": people are told apart by them, and they stay. */
function isLastFour({ tokens }: Conversation, from: number): boolean {
  const before = tokens.slice(Math.max(0, from - lastFourTokens), from);
  return LAST_FOUR.test(before.map(({ word }) => word).join(' '));
}

/** "A 100-digit code". */
function isCount({ tokens }: Conversation, { to }: { to: number }): boolean {
  return COUNTED.has(tokens[to]?.word ?? '');
}
