import { isQuantity, type Conversation } from '../conversation.ts';
import {
  digitsOfStretch,
  mayBeginDate,
  numberEndsIn,
  readStretch,
  type NumberEnds,
  type Stretch,
} from '../date-stretches.ts';
import type { Lead } from '../lead.ts';
import { findRequests } from '../requests.ts';
import type { Finding } from '../spans.ts';
import { plainWord, type Token, type TokenRange } from '../tokens.ts';
import type { Turn } from '../turns.ts';

/** Dates that are said to be of birth: in figures, as words, or the year alone. */
export function findBirthDates(conversation: Conversation): Finding[] {
  const { leads, tokens } = conversation;
  const numbers = numberEndsIn(conversation);
  const told = leads.flatMap((lead, index) => {
    if (lead.topic !== 'birth' || isOfCompany(tokens, lead)) return [];
    const end = leads[index + 1]?.from ?? tokens.length;
    const search = { lead, end, numbers };
    const date = dateAfter(conversation, search) ?? dateBefore(conversation, search);
    const isOfBirth = tokens.slice(lead.from, lead.to).some(({ word }) => OF_BIRTH.test(word));
    return date && (isOfBirth || !isYearOnly(conversation, date)) ? [date] : [];
  });
  const answered = findRequests(conversation, ({ topic }) => topic === 'birth').flatMap(({ answers, lead }) => {
    const isOfBirth = tokens.slice(lead.from, lead.to).some(({ word }) => OF_BIRTH.test(word));
    const found = firstOf(answers, (turn) => datesIn(conversation, { turn, numbers }));
    return found.filter((place) => isOfBirth || !isYearOnly(conversation, place));
  });
  return [...told, ...answered].map((date) => ({ kind: 'date_of_birth' as const, ...date }));
}

const OF_BIRTH = /(?:birth|born|dob|geb|nac|рожд|родил|jahrgang|cumple)/u;

const yearTokensMax = 7;

/** "How old is the boiler?" "We bought it in 2011." */
function isYearOnly({ runs }: Conversation, { from, to }: TokenRange): boolean {
  const digits = runs
    .flatMap(({ groups }) => groups)
    .filter((group) => group.from >= from && group.to <= to)
    .map((group) => group.digits)
    .join('');
  return /^(?:19|20)\d\d$/.test(digits) && to - from <= yearTokensMax;
}

/** What is found in the first answer that has something of it. */
function firstOf(answers: readonly Turn[], find: (turn: Turn) => TokenRange[]): TokenRange[] {
  for (const turn of answers) {
    const found = find(turn);
    if (found.length > 0) return found;
  }
  return [];
}

/** The dates of an answer that have a month, or figures enough for day, month and year: several people, or parts. */
function datesIn(conversation: Conversation, { turn, numbers }: { turn: Turn; numbers: NumberEnds }): TokenRange[] {
  const { tokens } = conversation;
  const found: TokenRange[] = [];
  for (let at = turn.from; at < turn.to; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder') break;
    if (found.length > 0 && isOther(conversation, at)) break;
    if (!mayBeginDate(token, at, numbers)) continue;
    const { from, to, ...stretch } = readStretch(tokens, at, numbers);
    const digits = digitsOfStretch(conversation, { from, to, ...stretch });
    const isDated = stretch.hasMonth ? digits !== '' : digits.length >= 3 && digits.length <= 8;
    const isWhole = isDated && !isQuantity(conversation, { from, to });
    if (found.length > 0 && isYearOnly(conversation, { from, to })) break;
    if (isWhole || (stretch.hasOrdinal && digits.length >= 2 && !isQuantity(conversation, { from, to })))
      found.push({ from, to });
    at = to - 1;
  }
  return found;
}

/** Something else is named here, or ends the sentence. */
function isOther({ leads, tokens }: Conversation, at: number): boolean {
  const isNamed = leads.some(({ topic, from }) => from === at && topic !== 'birth');
  return isNamed || /[.?!]\s/.test(tokens[at]?.gap ?? '');
}

const COMPANIES = new Set(
  set(
    'company firm business shop store brand idea project firma unternehmen betrieb geschäft verein marke idee empresa compañía negocio tienda marca proyecto компания фирма магазин бренд проект идея',
  ),
);
const companyWithinTokens = 6;

/** "Our company was born in 1985": no date of anybody's birth. */
function isOfCompany(tokens: readonly Token[], { from }: Lead): boolean {
  return tokens.slice(Math.max(0, from - companyWithinTokens), from).some(({ word }) => COMPANIES.has(word));
}

function set(list: string): string[] {
  return list.split(' ').map(plainWord);
}

const reachTokens = 22;
const digitsMax = 10;

type Search = { lead: Lead; end: number; numbers: NumberEnds };

/** The first stretch of numbers, months and ordinals after the lead that makes a date. */
function dateAfter(conversation: Conversation, { lead, end, numbers }: Search): TokenRange | null {
  const { tokens } = conversation;
  const last = Math.min(tokens.length, lead.to + reachTokens, Math.max(end, lead.to + 1));
  for (let at = lead.to; at < last; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder') return null;
    if (!mayBeginDate(token, at, numbers)) continue;
    const stretch = readStretch(tokens, at, numbers);
    if (isDate(conversation, stretch, lead)) return { from: stretch.from, to: stretch.to };
    at = stretch.to - 1;
  }
  return null;
}

const backTokens = 14;
const backGapMax = 5;

/** "Am dritten März geboren", "03/04/1984 is my date of birth": the last date before the lead, in the same sentence. */
function dateBefore(conversation: Conversation, { lead, numbers }: Search): TokenRange | null {
  const { tokens } = conversation;
  let last: Stretch | null = null;
  for (let at = Math.max(0, lead.from - backTokens); at < lead.from; at += 1) {
    const token = tokens[at];
    if (!token || !mayBeginDate(token, at, numbers)) continue;
    const stretch = readStretch(tokens, at, numbers);
    if (isDate(conversation, stretch, lead)) last = stretch;
    at = stretch.to - 1;
  }
  if (!last || last.to > lead.from || lead.from - last.to > backGapMax) return null;
  const between = tokens.slice(last.to, lead.from + 1);
  return between.some(({ kind, gap }) => kind === 'placeholder' || /[.?!;]/.test(gap)) ? null : last;
}

/** A month with a day or year, a year, or figures enough for day and month. */
function isDate(conversation: Conversation, stretch: Stretch, lead: Lead): boolean {
  const digits = digitsOfStretch(conversation, stretch);
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
