import { isValidPhoneNumber, type CountryCode } from 'libphonenumber-js/max';
import { isQuantity, topicOf, type Conversation } from '../conversation.ts';
import { findPieces } from '../pieces.ts';
import { sliceRun, type Run } from '../runs.ts';
import type { Finding } from '../spans.ts';
import type { Token, TokenRange } from '../tokens.ts';
import { turnAt } from '../turns.ts';

/** Telephone numbers: international ones, announced ones, and ones in the form and numbering plan of a country. */
export function findPhones(conversation: Conversation): Finding[] {
  const places = conversation.runs.flatMap(
    (run) => internationalPart(conversation, run) ?? nationalPart(conversation, run) ?? [],
  );
  const pieces = findPieces(conversation, { topic: 'phone', digitsMin: 9, digitsMax });
  return [...places, ...pieces, ...prefixes(conversation, [...places, ...pieces])].map(({ from, to }) => ({
    kind: 'phone_number' as const,
    from,
    to,
  }));
}

const prefixTokensMax = 4;
const restTokensMax = 12;
const PREFIX = /^(?:vorwahl|prefijo|prefix|lada|area|dialling)$/;

/** "Die Vorwahl ist null neun elf, und dann die …": the code of an area before the number that was found. */
function prefixes({ tokens, runs }: Conversation, found: readonly TokenRange[]): TokenRange[] {
  return runs.filter(({ from, to, digits }) => {
    const isNamed = tokens.slice(Math.max(0, from - prefixTokensMax), from).some(({ word }) => PREFIX.test(word));
    return isNamed && digits.length <= 6 && found.some((place) => place.from >= to && place.from - to <= restTokensMax);
  });
}

const digitsMin = 7;
/** E.164, section 6.1, and a second number or an extension behind it. */
const digitsMax = 15;
const announcedDigitsMax = 24;

const PLUS = new Set(['plus', 'más', 'mas', 'плюс']);

/** A number after `+` or 00: the longest part of the run that is one. */
function internationalPart({ tokens, texts }: Conversation, run: Run): TokenRange | null {
  const first = tokens[run.from];
  if (!first || run.digits.length < digitsMin) return null;
  const isPlusSaid = PLUS.has(tokens[run.from - 1]?.word ?? '');
  const isPlus =
    isPlusSaid || /\+[\s(]{0,2}$/.test((texts[first.segment] ?? '').slice(Math.max(0, first.from - 3), first.from));
  if (!isPlus && !run.digits.startsWith('00')) return null;
  for (let end = run.groups.length; end > 0; end -= 1) {
    const part = sliceRun(run, 0, end);
    if (part.digits.length < digitsMin) return null;
    const number = `+${part.digits.replace(isPlus ? '' : /^00/, '')}`;
    if (part.digits.length <= digitsMax + 2 && isValidPhoneNumber(number)) {
      return { from: part.from - (isPlusSaid ? 1 : 0), to: part.to };
    }
  }
  return null;
}

function nationalPart(conversation: Conversation, run: Run): TokenRange | null {
  const { length } = run.digits;
  if (length < digitsMin || length > announcedDigitsMax || isQuantity(conversation, run)) return null;
  const topic = topicOf(conversation, run);
  if (isOfCompany(conversation, run)) return null;
  if (topic === 'phone') return run;
  const isOpen = topic === null || topic === 'email' || topic === 'birth';
  return isOpen && length <= digitsMax && looksNational(conversation.tokens, run) ? run : null;
}

const oursWithinTokens = 10;
const OURS =
  /^(?:our|ours|hotline|toll|toll-free|freephone|helpline|unsere.*|.*hotline|servicenummer|kundenservice|nuestr[oa]|gratuito|наш|наша|нашей|горяч.*|бесплатн.*)$/u;

/** "Our hotline is …": a number that its agent gives to everybody. */
function isOfCompany({ tokens, turns }: Conversation, { from }: Run): boolean {
  const turn = turns[turnAt(turns, from)];
  if (turn?.role !== 'agent') return false;
  return tokens.slice(Math.max(turn.from, from - oursWithinTokens), from).some(({ word }) => OURS.test(word));
}

/** Countries whose numbers are told without a word about them, with what their national form begins with. */
const PLANS: readonly { country: CountryCode; form: RegExp }[] = [
  { country: 'US', form: /^1?[2-9]\d{2}[2-9]\d{6}$/ },
  { country: 'GB', form: /^0[1-37]\d{8,9}$/ },
  { country: 'DE', form: /^0[1-9]\d{7,11}$/ },
  { country: 'ES', form: /^[6-9]\d{8}$/ },
  { country: 'RU', form: /^[78][3489]\d{9}$/ },
];

/** Mobile numbers of UK, Germany, Ireland and Australia, Austria and Russia, given out yet or not. */
const MOBILES = /^(?:07\d{9}|01[567]\d{8,9}|08[35679]\d{7}|04\d{8}|06[5-9]\d{7,9}|[78]9\d{9})$/;

/** Unannounced numbers are taken for telephone numbers where they are written or said in groups, as those are. */
function looksNational(tokens: readonly Token[], { groups, digits }: Run): boolean {
  const isGrouped = groups.length >= 2;
  const isOwnForm = digits.startsWith('0') || isGrouped;
  if (!isOwnForm || !isEvenlyJoined(tokens, groups)) return false;
  if (MOBILES.test(digits)) return true;
  return PLANS.some(({ country, form }) => form.test(digits) && isValidPhoneNumber(digits, country));
}

/** Groups that a comma or a full stop parts are several numbers rather than one. */
function isEvenlyJoined(tokens: readonly Token[], groups: Run['groups']): boolean {
  return groups.slice(1).every(({ from, isWritten }) => {
    const gap = tokens[from]?.gap ?? '';
    return isWritten ? /^[\s\p{Pd}()./]{0,4}$/u.test(gap) : !/[.;:]/.test(gap);
  });
}
