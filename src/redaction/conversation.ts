import type { SpeakerRole } from '../model/transcript.ts';
import { readChains, type Chain } from './chains.ts';
import { ACKNOWLEDGEMENTS, CURRENCY_SIGNS, UNITS_AFTER, type Topic } from './lexicon.ts';
import { findLeads } from './leads.ts';
import { type Lead } from './lead.ts';
import { readNumbers, type NumberGroup } from './numbers.ts';
import { isAsked } from './requests.ts';
import { readRuns, type Run, type SegmentTimes } from './runs.ts';
import { readTokens, type Token, type TokenRange } from './tokens.ts';
import { readTurns, turnAt, type Turn } from './turns.ts';

export type SpokenSegment = SegmentTimes & { speaker: string; role: SpeakerRole; text: string };

/** A call as one sequence of words, without what a listener says meanwhile ("mm-hm") or repeats. */
export type Conversation = {
  texts: readonly string[];
  tokens: Token[];
  /** With those of listeners. */
  allTokens: Token[];
  turns: Turn[];
  leads: Lead[];
  runs: Run[];
  chains: Chain[];
  /** Segments that repeat the digits said just before: each is treated like its original. */
  echoes: Echo[];
};

/** The repeated digits are at `[from, to)`; the last of them is at `originalAt` in the original's text. */
export type Echo = { segment: number; from: number; to: number; original: number; originalAt: number };

const acknowledgementWordsMax = 8;

export function readConversation(segments: readonly SpokenSegment[]): Conversation {
  const tokens: Token[] = [];
  const allTokens: Token[] = [];
  const echoes: Echo[] = [];
  let last: { segment: number; tokens: Token[] } | null = null;
  for (const [segment, { text, speaker }] of segments.entries()) {
    const said = readTokens(text, segment);
    for (const token of said) allTokens.push(token);
    const isOther = last !== null && segments[last.segment]?.speaker !== speaker;
    if (said.length === 0 || (isOther && isAcknowledgement(said))) continue;
    const echo = last && isOther ? echoOf(said, last.tokens) : null;
    if (last && echo) {
      echoes.push({ segment, original: last.segment, ...echo });
      continue;
    }
    for (const token of said) tokens.push(token);
    last = { segment, tokens: said };
  }
  const texts = segments.map(({ text }) => text);
  const runs = readRuns(tokens, segments);
  return {
    texts,
    tokens,
    allTokens,
    echoes,
    turns: readTurns(tokens, segments),
    leads: findLeads(tokens),
    runs,
    chains: readChains(tokens, { texts, groups: runs.flatMap(({ groups }) => groups) }),
  };
}

const reachTokens = 25;
const reachBackTokens = 6;
const LINKS = new Set("is as for are was it's that's ist lautet das es son это мой моя".split(' '));

/** What the digits are called: by the nearest lead before them, else by one right after ("… is my phone number"). */
export function topicOf(conversation: Conversation, { from, to }: TokenRange): Topic | null {
  const { tokens, leads } = conversation;
  const before = namingBefore(conversation, from);
  if (before && from - before.to <= reachTokens && !hasPlaceholder(tokens, before.to, from)) return before.topic;
  const after = leads[indexAfter(leads, to)];
  if (!after || after.from < to || after.to - to > reachBackTokens + 3 || after.from - to > reachBackTokens)
    return null;
  const between = tokens.slice(to, after.from);
  // "… из смс".
  if (between.length === 0 && after.topic === 'code' && !/[.?!;,]/.test(tokens[after.from]?.gap ?? ''))
    return after.topic;
  const isLinked = between.some(({ word }) => LINKS.has(word)) && between.every(({ kind }) => kind === 'word');
  return isLinked ? after.topic : null;
}

const PURPOSES = new Set(
  'for in on at to by via per your ihr su aufs auf im am al за for in on at with about für zur zum bei in mit wegen para en con de для на в по с'.split(
    ' ',
  ),
);
const purposeTokens = 5;
const BY_THE_WAY: ReadonlySet<Topic> = new Set(['other', 'phone', 'email']);
const SECRETS: ReadonlySet<Topic> = new Set(['code', 'pin', 'password']);

/**
 * The lead that names what is said from here on: the last one, though "the birthday for the travel policy" does not ask
 * for a policy.
 */
export function namingBefore({ tokens, turns, leads }: Conversation, at: number): Lead | undefined {
  const index = indexAfter(leads, at) - 1;
  const [last, other] = [leads[index], leads[index - 1]];
  if (!last || !other || !BY_THE_WAY.has(last.topic) || other.topic === 'other') return last;
  if (hasPlaceholder(tokens, other.to, at)) return last;
  const turn = turns[turnAt(turns, last.from)];
  if (!turn) return last;
  if (other.from < turn.from) return isWhereOnly({ tokens, turns }, { last, other }) ? other : last;
  const isOneRequest =
    SECRETS.has(other.topic) || (at >= turn.to && last.topic === 'other' && isAsked(tokens, other, turn));
  const isPurpose = tokens
    .slice(Math.max(other.to, last.from - purposeTokens), last.from)
    .some(({ word }) => PURPOSES.has(word));
  return isOneRequest && isPurpose ? other : last;
}

const PLACES = new Set('in on im in auf am en в на'.split(' '));

/** "По какому счёту?" "По тому что в договоре …": where the number stands that was asked for. */
function isWhereOnly(
  { tokens, turns }: Pick<Conversation, 'tokens' | 'turns'>,
  { last, other }: { last: Lead; other: Lead },
): boolean {
  const [asking, turn] = [turns[turnAt(turns, other.from)], turns[turnAt(turns, last.from)]];
  const isAnswer = asking !== undefined && turn !== undefined && asking.speaker !== turn.speaker;
  return isAnswer && PLACES.has(tokens[last.from - 1]?.word ?? '') && isAsked(tokens, other, asking);
}

/** Whether the digits count or measure something: money, time, people. */
export function isQuantity({ tokens, texts }: Conversation, { from, to }: TokenRange): boolean {
  const first = tokens[from];
  const last = tokens[to - 1];
  const next = tokens[to];
  if (!first || !last) return false;
  if (next?.segment === last.segment && /^[\s-]*$/.test(next.gap) && UNITS_AFTER.has(next.word)) return true;
  const before = texts[first.segment]?.slice(Math.max(0, first.from - 3), first.from) ?? '';
  return CURRENCY_SIGNS.test(before) || /^\s?[$£€¥₽%]/.test(texts[last.segment]?.slice(last.to, last.to + 2) ?? '');
}

export function hasPlaceholder(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (tokens[at]?.kind === 'placeholder') return true;
  return false;
}

/** The last lead that ends at or before this token. */
export function lastEndingBy(leads: readonly Lead[], at: number): Lead | undefined {
  return leads[indexAfter(leads, at) - 1];
}

/** Index of the first lead that ends after this token. */
function indexAfter(leads: readonly Lead[], at: number): number {
  let low = 0;
  let high = leads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((leads[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isAcknowledgement(said: readonly Token[]): boolean {
  return said.length <= acknowledgementWordsMax && said.every(({ word }) => ACKNOWLEDGEMENTS.has(word));
}

/** Null unless the segment is nothing but the last digits of the previous one and acknowledgements. */
function echoOf(said: readonly Token[], original: readonly Token[]): Omit<Echo, 'segment' | 'original'> | null {
  const groups = readNumbers(said);
  const [first, last] = [said[groups[0]?.from ?? -1], said[(groups.at(-1)?.to ?? 0) - 1]];
  const digits = digitsOf(groups);
  if (!first || !last || digits.length < 2) return null;
  const isCovered = (at: number) => groups.some(({ from, to }) => at >= from && at < to);
  if (!said.every((token, at) => isCovered(at) || ACKNOWLEDGEMENTS.has(token.word))) return null;
  const heard = readNumbers(original);
  if (!digitsOf(heard).endsWith(digits)) return null;
  return { from: first.from, to: last.to, originalAt: original[heard.at(-1)?.from ?? 0]?.from ?? 0 };
}

function digitsOf(groups: readonly NumberGroup[]): string {
  return groups.map(({ digits }) => digits).join('');
}
