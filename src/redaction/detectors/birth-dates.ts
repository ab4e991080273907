import { isQuantity, type Conversation } from '../conversation.ts';
import { isDateJoint, isMonth, isOrdinal } from '../date-words.ts';
import type { Lead } from '../leads.ts';
import type { Run } from '../runs.ts';
import type { Finding } from '../spans.ts';
import type { Token } from '../tokens.ts';

/** Dates that are said to be of birth: in figures, as words, or the year alone. */
export function findBirthDates(conversation: Conversation): Finding[] {
  const { leads, tokens } = conversation;
  const numbers = numberPlaces(conversation);
  return leads.flatMap((lead, index) => {
    if (lead.topic !== 'birth') return [];
    const end = leads[index + 1]?.from ?? tokens.length;
    const search = { lead, end, numbers };
    const date = dateAfter(conversation, search) ?? dateBefore(conversation, search);
    return date ? [{ kind: 'date_of_birth' as const, ...date }] : [];
  });
}

const reachTokens = 22;
const jointsMax = 3;
const digitsMax = 10;

type Numbers = ReadonlyMap<number, number>;
type Search = { lead: Lead; end: number; numbers: Numbers };

/** The first stretch of numbers, months and ordinals after the lead that makes a date. */
function dateAfter(conversation: Conversation, { lead, end, numbers }: Search): { from: number; to: number } | null {
  const { tokens } = conversation;
  const last = Math.min(tokens.length, lead.to + reachTokens, Math.max(end, lead.to + 1));
  for (let at = lead.to; at < last; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder') return null;
    if (!isAtom(token, at, numbers)) continue;
    const stretch = readStretch(tokens, at, numbers);
    if (isDate(conversation, stretch, lead)) return { from: stretch.from, to: stretch.to };
    at = stretch.to - 1;
  }
  return null;
}

const backTokens = 14;
const backGapMax = 5;

/** "Am dritten März geboren", "03/04/1984 is my date of birth": the last date before the lead, in the same sentence. */
function dateBefore(conversation: Conversation, { lead, numbers }: Search): { from: number; to: number } | null {
  const { tokens } = conversation;
  let last: Stretch | null = null;
  for (let at = Math.max(0, lead.from - backTokens); at < lead.from; at += 1) {
    const token = tokens[at];
    if (!token || !isAtom(token, at, numbers)) continue;
    const stretch = readStretch(tokens, at, numbers);
    if (isDate(conversation, stretch, lead)) last = stretch;
    at = stretch.to - 1;
  }
  if (!last || last.to > lead.from || lead.from - last.to > backGapMax) return null;
  const between = tokens.slice(last.to, lead.from + 1);
  return between.some(({ kind, gap }) => kind === 'placeholder' || /[.?!;]/.test(gap)) ? null : last;
}

function isAtom(token: Token, at: number, numbers: Numbers): boolean {
  return token.kind === 'digits' || numbers.has(at) || isOrdinal(token) || isMonth(token);
}

type Stretch = { from: number; to: number; numbers: number[]; hasMonth: boolean; hasOrdinal: boolean };

function readStretch(tokens: readonly Token[], from: number, numbers: Numbers): Stretch {
  const stretch: Stretch = { from, to: from, numbers: [], hasMonth: false, hasOrdinal: false };
  let joints = 0;
  for (let at = from; at < tokens.length && joints <= jointsMax;) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder' || (at > from && /[?!;]/.test(token.gap))) break;
    const end = numbers.get(at);
    if (end !== undefined) stretch.numbers.push(at);
    else if (isMonth(token)) stretch.hasMonth = true;
    else if (isOrdinal(token)) stretch.hasOrdinal = true;
    else if (isDateJoint(token)) {
      joints += 1;
      at += 1;
      continue;
    } else break;
    joints = 0;
    at = end ?? at + 1;
    stretch.to = at;
  }
  return stretch;
}

/** A month with a day or year, a year, or figures enough for day and month. */
function isDate(conversation: Conversation, stretch: Stretch, lead: Lead): boolean {
  const digits = stretch.numbers.map((at) => digitsAt(conversation, at)).join('');
  if (digits.length > digitsMax) return false;
  if (stretch.hasMonth) return digits !== '' || stretch.hasOrdinal;
  if (digits.length < 3 && !(stretch.hasOrdinal && digits !== '')) return false;
  if (isQuantity(conversation, stretch) && !isRussianYear(conversation.tokens, stretch)) return false;
  return digits.length >= 3 || stretch.from - lead.to <= 4;
}

/** "… года" is a unit after an age, and a part of a date of birth. */
function isRussianYear(tokens: readonly Token[], { to }: Stretch): boolean {
  return tokens[to]?.word === 'года' || tokens[to]?.word === 'году';
}

function digitsAt({ runs }: Conversation, at: number): string {
  const run = runAt(runs, at);
  return run?.groups.find(({ from }) => from === at)?.digits ?? '';
}

function runAt(runs: readonly Run[], at: number): Run | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return runs[low];
}

/** Where numbers begin, and where each ends. */
function numberPlaces({ runs }: Conversation): Numbers {
  const places = new Map<number, number>();
  for (const { groups } of runs) for (const { from, to } of groups) places.set(from, to);
  return places;
}
