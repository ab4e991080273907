import { chainAt } from '../chains.ts';
import type { Conversation } from '../conversation.ts';
import { isOrdinal } from '../date-words.ts';
import { UNITS_AFTER } from '../lexicon.ts';
import { SMALL_TALK } from '../small-talk.ts';
import type { Finding } from '../spans.ts';
import type { Run } from '../runs.ts';
import type { Token, TokenRange } from '../tokens.ts';
import { turnAt, type Turn } from '../turns.ts';
import { findAnsweredAddresses, isOtherNumber } from './answered-addresses.ts';
import { NO_STREETS, OURS, PARTS, SMALL, STREET_ENDS, STREETS, WHERE } from './address-words.ts';

/** The role of a token in an address; null if it ends one. */
type Role = 'number' | 'street' | 'part' | 'small' | 'word' | null;
type Reading = { conversation: Conversation; numbers: ReadonlySet<number>; leads: ReadonlyMap<number, string> };

/** Street addresses: a street with its number, and a postcode or a word that announces it; not that of a company. */
export function findAddresses(conversation: Conversation): Finding[] {
  const reading = read(conversation);
  const places = conversation.tokens.flatMap((_, at) => {
    const isStreet = roleOf(reading, at) === 'street';
    const isStart = isStreet || isAnnounced(conversation, at);
    const turn = isStart ? conversation.turns[turnAt(conversation.turns, at)] : undefined;
    if (!turn) return [];
    const place = isStreet ? around(reading, at, turn) : after(reading, at, turn);
    return place && !isOfCompany(conversation, turn, place) ? [place] : [];
  });
  return [...places, ...findAnsweredAddresses(conversation)].map((place) => ({
    kind: 'address' as const,
    ...place,
  }));
}

function read(conversation: Conversation): Reading {
  const numbers = new Set<number>();
  for (const { groups } of conversation.runs) {
    for (const { from, to } of groups) for (let at = from; at < to; at += 1) numbers.add(at);
  }
  const leads = new Map<number, string>();
  for (const { topic, from, to } of conversation.leads) for (let at = from; at < to; at += 1) leads.set(at, topic);
  return { conversation, numbers, leads };
}

const ENDING_TOPICS = new Set([
  'phone',
  'email',
  'birth',
  'id',
  'card',
  'password',
  'pin',
  'code',
  'iban',
  'account',
  'expiry',
]);

function roleOf({ conversation, numbers, leads }: Reading, at: number): Role {
  const token = conversation.tokens[at];
  if (!token || token.kind === 'placeholder' || token.kind === 'at') return null;
  if (numbers.has(at) || token.kind === 'digits' || isGlued(conversation.tokens, at)) return 'number';
  if (PARTS.has(token.word)) return 'part';
  if (STREETS.has(token.word) || (STREET_ENDS.test(token.word) && !NO_STREETS.has(token.word))) return 'street';
  if (SMALL.has(token.word)) return 'small';
  if (isOrdinal(token)) return 'part';
  if (/^\p{L}$/u.test(token.word)) return isBesideNumber(numbers, conversation.tokens, at) ? 'part' : 'small';
  if (ENDING_TOPICS.has(leads.get(at) ?? '') || UNITS_AFTER.has(token.word)) return null;
  return SMALL_TALK.has(token.word) ? null : 'word';
}

/** Letters that figures stand right before: `1AA`, `12b`. */
function isGlued(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.kind === 'digits' && tokens[at]?.gap === '' && tokens[at]?.segment === tokens[at - 1]?.segment;
}

const lettersApartMax = 2;

/** A letter of a house or a postcode: near a number, not a word of one letter. */
function isBesideNumber(numbers: ReadonlySet<number>, tokens: readonly Token[], at: number): boolean {
  const isLetter = (place: number): boolean => /^\p{L}$/u.test(tokens[place]?.word ?? '');
  for (let away = 1; away <= lettersApartMax; away += 1) {
    if (numbers.has(at - away)) return true;
    if (!isLetter(at - away)) break;
  }
  for (let away = 1; away <= lettersApartMax; away += 1) {
    if (numbers.has(at + away)) return !/^[iaиуявксо]$/.test(tokens[at]?.word ?? '');
    if (!isLetter(at + away)) break;
  }
  return false;
}

const wordsMax = 3;
const beforeMax = 5;
const tokensMax = 34;

/** The address that this street is a part of. */
function around(reading: Reading, at: number, turn: Turn): TokenRange | null {
  const { conversation } = reading;
  const from = startOf(reading, at, turn);
  const to = endOf(reading, at + 1, turn);
  const isNumbered = hasNumber(reading, from, to);
  const hasCode = hasPostcode(conversation, from, to);
  const isSaid = hasCode || isAnnouncedBefore(conversation, from, turn);
  return isNumbered && isSaid && to - from > 2 ? { from, to } : null;
}

/** From the number before the street, the words of its name, and a postcode with its town before both. */
function startOf(reading: Reading, at: number, turn: Turn): number {
  const { tokens } = reading.conversation;
  let start = at;
  let words = 0;
  for (let place = at - 1; place >= Math.max(turn.from, at - tokensMax); place -= 1) {
    const role = isJoined(tokens, place + 1) ? roleOf(reading, place) : null;
    if (role === null || role === 'street') break;
    words = role === 'word' ? words + 1 : 0;
    if (words > wordsMax) break;
    if (role === 'number' || role === 'part') start = place;
    else if (at - start > beforeMax && start - place > wordsMax + 1) break;
  }
  while (start < at && roleOf(reading, start) === 'small') start += 1;
  if (start < at) return start;
  // "Lange Straße", "малая озёрная улица": the name comes first, and the number after it.
  let name = at;
  while (name > turn.from && at - name < 2 && isJoined(tokens, name) && roleOf(reading, name - 1) === 'word') name -= 1;
  return /^(?:strasse|str|gasse|weg|allee|platz|ring|улиц|проспект|переул|бульвар|шоссе|набереж|площад|проезд)/.test(
    tokens[at]?.word ?? '',
  )
    ? name
    : at;
}

/** Behind the last number or part, and behind the town where that is a postcode. */
function endOf(reading: Reading, from: number, turn: Turn): number {
  const { tokens } = reading.conversation;
  let [end, words] = [from, 0];
  for (let at = from; at < Math.min(turn.to, from + tokensMax); at += 1) {
    const isLinked = LINKS.has(tokens[at]?.word ?? '') && PARTS.has(tokens[at - 1]?.word ?? '');
    const role = !isJoined(tokens, at) ? null : isLinked ? 'small' : roleOf(reading, at);
    if (role === null) break;
    words = role === 'word' ? words + 1 : 0;
    if (words > wordsMax) break;
    // A part alone is none yet: "… and the zip code" goes on with its figures, or not at all.
    if (role === 'number' || role === 'street' || (role === 'part' && end === at)) end = at + 1;
  }
  return townEnd(reading, end, turn);
}

/** "The zip code is …". */
const LINKS = new Set(['is', 'ist', 'es', 'lautet']);
const townWordsMax = 2;

function townEnd(reading: Reading, end: number, turn: Turn): number {
  const { tokens, runs } = reading.conversation;
  const last = runs.findLast((run) => run.from < end && run.to >= end - 3);
  const isCode = (last?.digits.length ?? 0) >= 5 || /^\p{L}{1,3}$/u.test(tokens[end - 1]?.word ?? '');
  if (!isCode) return end;
  let to = end;
  for (let at = end; at < Math.min(turn.to, end + townWordsMax); at += 1) {
    const isSame = tokens[at]?.segment === tokens[end - 1]?.segment;
    const role = isSame && isJoined(tokens, at) ? roleOf(reading, at) : null;
    if (role === 'word') to = at + 1;
    else if (role !== 'small' || at > end) break;
    // One word is a town, unless it goes on as one: "bad homburg", "san sebastián".
    if (
      role === 'word' &&
      !/^(?:bad|new|san|santa|saint|st|los|las|el|la|нижнии|великии|великие|frankfurt)$/.test(tokens[at]?.word ?? '')
    )
      break;
  }
  return to;
}

/** Where an address was announced: everything that may be a part of it. */
function after(reading: Reading, at: number, turn: Turn): TokenRange | null {
  const { conversation } = reading;
  let from = at;
  while (
    from < turn.to &&
    (roleOf(reading, from) === null || roleOf(reading, from) === 'small') &&
    from - at < beforeMax
  ) {
    if (roleOf(reading, from) === 'small' && roleOf(reading, from + 1) === 'word') break;
    from += 1;
  }
  const to = endOf(reading, from, turn);
  const hasWord = conversation.tokens.slice(from, to).some((_, index) => roleOf(reading, from + index) === 'word');
  return hasWord && hasNumber(reading, from, to) && hasPostcode(conversation, from, to) ? { from, to } : null;
}

/** Nothing that ends a sentence stands before this token. A comma is no end. */
function isJoined(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!token || !before) return false;
  const isAbbreviation =
    (before.word.length <= 4 && STREETS.has(before.word)) ||
    PARTS.has(before.word) ||
    /^(?:str|.*str)$/.test(before.word);
  return !/[?!;:]/.test(token.gap) && (!/\.\s/.test(token.gap) || isAbbreviation);
}

function hasNumber({ numbers }: Reading, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (numbers.has(at)) return true;
  return false;
}

const POSTCODE_GB = /[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}$/;

/** Five or six figures, or a British postcode. */
function hasPostcode(conversation: Conversation, from: number, to: number): boolean {
  const { runs, chains } = conversation;
  const isCode = (run: Run): boolean => run.digits.length >= 5 && !isOtherNumber(conversation, run);
  if (runs.some((run) => run.from >= from && run.to <= to && isCode(run))) return true;
  for (let at = from; at < to; at += 1) {
    const chain = chainAt(chains, at);
    if (chain && POSTCODE_GB.test(chain.text)) return true;
  }
  return false;
}

const announcedWithinTokens = 12;

/** The first token after the words that announce an address, or of an answer to who asks where. */
function isAnnounced({ leads, turns, tokens }: Conversation, at: number): boolean {
  if (leads.some(({ topic, to }) => topic === 'address' && to === at)) return true;
  const index = turnAt(turns, at);
  return turns[index]?.from === at && asksWhere(tokens, turns[index - 1]);
}

function isAnnouncedBefore({ leads, turns, tokens }: Conversation, at: number, turn: Turn): boolean {
  const isNamed = leads.some(({ topic, to }) => topic === 'address' && to <= at && at - to <= announcedWithinTokens);
  return isNamed || asksWhere(tokens, turns[turnAt(turns, turn.from) - 1]);
}

function asksWhere(tokens: readonly Token[], turn: Turn | undefined): boolean {
  return turn !== undefined && tokens.slice(turn.from, turn.to).some(({ word }) => WHERE.test(word));
}

const oursWithinTokens = 12;

/** "Our branch is at …", and what an agent answers to who asks where they are. */
function isOfCompany({ tokens, turns }: Conversation, turn: Turn, { from }: TokenRange): boolean {
  if (turn.role === 'customer') return false;
  const before = tokens.slice(Math.max(turn.from, from - oursWithinTokens), from);
  if (before.some(({ word }) => OURS.has(word))) return true;
  const asked = turns[turnAt(turns, turn.from) - 1];
  return turn.role === 'agent' && asked?.role === 'customer' && asksWhere(tokens, asked);
}
