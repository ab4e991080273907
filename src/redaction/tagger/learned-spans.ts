import type { RedactionKind } from '../../model/redaction.ts';
import { numberWord } from '../number-words.ts';
import type { Span } from '../spans.ts';
import type { Token } from '../tokens.ts';
import { isTelling, isValue, type Heard, type ReadCall } from './call.ts';
import { ENDING, FIRST_SECRET, kindOfLabel, labelOfKind, LABELS, NAME, NONE, type Label } from './labels.ts';
import { LETTER_THEME } from './word-classes.ts';
import { readLabels, type ReadingOptions, type Tagger } from './tagger.ts';

const SIZE: number = LABELS.length;

/** How likely it is that each word of a call is to be taken out, and as what; and that it is no secret of any kind. */
export type Reading = {
  tokens: readonly Token[];
  secrets: Float64Array;
  harmless: Float64Array;
  labels: Uint8Array;
  isCommon: Uint8Array;
  call: ReadCall;
};

/** Names count only where they are asked for. */
export function readCallWith(tagger: Tagger, heard: Heard, options: ReadingOptions): Reading {
  const { names } = options;
  const { call, likely, isCommon } = readLabels(tagger, heard, options);
  const secrets = new Float64Array(heard.tokens.length);
  const harmless = new Float64Array(heard.tokens.length);
  const labels = new Uint8Array(heard.tokens.length);
  for (let at = 0; at < secrets.length; at += 1) {
    let sum = 0;
    let likeliest = FIRST_SECRET;
    for (let label = FIRST_SECRET; label < SIZE; label += 1) {
      if (!names && label === NAME) continue;
      const value = likely[at * SIZE + label] ?? 0;
      sum += value;
      if (value > (likely[at * SIZE + likeliest] ?? 0)) likeliest = label;
    }
    secrets[at] = sum;
    harmless[at] = (likely[at * SIZE + NONE] ?? 0) + (likely[at * SIZE + ENDING] ?? 0);
    labels[at] = likeliest;
  }
  return { tokens: heard.tokens, secrets, harmless, labels, isCommon, call };
}

/** A word that is as likely as this is taken out: chosen on calls that were not learned from. */
const SURE: Record<Exclude<Label, 'none' | 'ending'>, number> = {
  card: 0.4,
  card_expiry: 0.4,
  card_code: 0.3,
  password: 0.5,
  code: 0.4,
  email: 0.4,
  phone: 0.5,
  national_id: 0.3,
  birth_date: 0.4,
  iban: 0.3,
  account: 0.4,
  address: 0.5,
  name: 0.4,
};
const SURE_OF: readonly number[] = LABELS.map((label) => (label === 'none' || label === 'ending' ? 1 : SURE[label]));
/** Figures that were called the number of an order, a case and the like have to be likelier. */
const SURE_OF_OTHER = 0.9;
/** So is one beside it that is as likely as this; a common word has to be likelier, a letter less. */
const NEAR = 0.1;
const NEAR_COMMON = 0.2;
const NEAR_LETTER = 0.02;
/** Other figures of the same turn, and what is said again elsewhere. */
const IN_TURN = 0.1;
const AGAIN = 0.05;

/** What was learned to be a secret, in order, with what is said between its parts. A span lies in one segment. */
export function findLearned(reading: Reading, byRules: Uint8Array): Span[] {
  const { tokens, labels } = reading;
  const taken = Uint8Array.from(byRules);
  for (const { from, to } of runsOf(reading)) {
    for (let at = from; at < to; at += 1) if (!isBetween(reading, byRules, at)) taken[at] ||= labels[at] ?? NONE;
  }
  takeFigures(reading, taken);
  takeRepeated(reading, taken);
  bridge(tokens, taken, byRules);
  return spansOf(tokens, taken)
    .filter(({ from, to }) => byRules.subarray(from, to).includes(NONE))
    .flatMap((place) => toSpan(tokens, place) ?? []);
}

/** A word between two parts that the rules found names the second: "серия … номер …". */
function isBetween(reading: Reading, byRules: Uint8Array, at: number): boolean {
  const { tokens, call } = reading;
  const word = call.words[at];
  const isFound = (beside: number): boolean => Boolean(byRules[beside]) || tokens[beside]?.kind === 'placeholder';
  return word !== undefined && !isValue(word) && !isLetter(reading, at) && isFound(at - 1) && isFound(at + 1);
}

type Run = { from: number; to: number };
type Place = Run & { label: number };

/** Words that are likely enough, of which one at least is sure. */
function runsOf(reading: Reading): Run[] {
  const { tokens, secrets, isCommon, call } = reading;
  const isOther = namedOther(call, tokens.length);
  const nearOf = (at: number): number =>
    isLetter(reading, at) ? NEAR_LETTER : isCommon[at] === 1 ? NEAR_COMMON : NEAR;
  const isNear = (at: number): boolean => (secrets[at] ?? 0) >= nearOf(at);
  const runs: Run[] = [];
  for (let from = 0; from < tokens.length;) {
    let to = from;
    let isSure = false;
    while (to < tokens.length && isNear(to) && isTogether(tokens, from, to) && !isAfterName(reading, to, from)) {
      isSure ||= isSureAt(reading, isOther, to);
      to += 1;
    }
    if (isSure) runs.push(trimmed(reading, from, to));
    from = Math.max(to, from + 1);
  }
  return runs;
}

function isSureAt({ secrets, labels }: Reading, isOther: Uint8Array, at: number): boolean {
  if (isOther[at] === READ_BACK) return false;
  const sure = SURE_OF[labels[at] ?? NONE] ?? 1;
  return (secrets[at] ?? 0) >= (isOther[at] === OTHER ? Math.max(sure, SURE_OF_OTHER) : sure);
}

/** Turns for which what was named last holds. */
const namedTurnsMax = 3;

const [OTHER, READ_BACK] = [1, 2];

/** Figures that were called a number of something else last, and these where they are said again. */
function namedOther({ turns, leadsOf, chunks }: ReadCall, length: number): Uint8Array {
  const isOther = new Uint8Array(length);
  let named = { isOther: false, turn: 0 };
  for (const [turn, { from, to }] of turns.entries()) {
    const leads = leadsOf[turn] ?? [];
    let next = 0;
    for (let at = from; at < to; at += 1) {
      for (; (leads[next]?.to ?? Infinity) <= at; next += 1) named = { isOther: leads[next]?.topic === 'other', turn };
      const chunk = chunks[at];
      if (!chunk) continue;
      if (chunk.saidAt >= 0 && isOther[chunk.saidAt]) isOther[at] = READ_BACK;
      else if (named.isOther && turn - named.turn <= namedTurnsMax) isOther[at] = OTHER;
    }
  }
  return isOther;
}

/** Spelled: a letter, or a word that sounds like one. */
function isLetter({ call }: Reading, at: number): boolean {
  const word = call.words[at];
  return word !== undefined && !word.isEverywhere && (word.theme & LETTER_THEME) !== 0;
}

/** An answer is given in pieces: what else is said in figures in a turn with a secret. */
function takeFigures({ call, secrets, labels }: Reading, taken: Uint8Array): void {
  for (const { from, to } of call.turns) {
    if (!taken.subarray(from, to).some((label) => label !== NONE && label !== NAME)) continue;
    for (let at = from; at < to; at += 1) {
      const word = call.words[at];
      const isFigure = word !== undefined && isValue(word) && call.chunks[at] !== undefined;
      if (taken[at] === NONE && isFigure && (secrets[at] ?? 0) >= IN_TURN) taken[at] = labels[at] ?? NONE;
    }
  }
}

/** Names and rare words that were taken out once, and figures that are said again. */
function takeRepeated({ call, secrets }: Reading, taken: Uint8Array): void {
  const known = new Map<number, number>();
  for (const [at, { hash }] of call.words.entries()) {
    if (taken[at] && isTelling(call.families[at] ?? 0)) known.set(hash, taken[at] ?? NONE);
  }
  for (const [at, { hash }] of call.words.entries()) {
    if (taken[at] !== NONE || (secrets[at] ?? 0) < AGAIN) continue;
    const said = call.chunks[at]?.saidAt ?? -1;
    if (isTelling(call.families[at] ?? 0)) taken[at] = known.get(hash) ?? NONE;
    else if (said >= 0) taken[at] = taken[said] ?? NONE;
  }
}

const EDGE = 0.7;

/** A common word at an edge is none of it unless it is likely by itself: "am dritten Mai". */
function trimmed({ secrets, isCommon }: Reading, from: number, to: number): Run {
  const isEdge = (at: number): boolean => isCommon[at] === 1 && (secrets[at] ?? 0) < EDGE;
  let [first, end] = [from, to];
  while (first < end && isEdge(first)) first += 1;
  while (end > first && isEdge(end - 1)) end -= 1;
  return { from: first, to: end };
}

function isTogether(tokens: readonly Token[], from: number, at: number): boolean {
  return tokens[at]?.segment === tokens[from]?.segment && tokens[at]?.kind !== 'placeholder';
}

/** The stop after a title or an initial is shorter than a name. */
const ABBREVIATED_MAX = 2;

/** A name ends with its sentence: "Mrs Lee. I have …". */
function isAfterName({ tokens, labels }: Reading, at: number, from: number): boolean {
  if (at === from || labels[at - 1] !== NAME) return false;
  return endsSentence(tokens[at]) && (tokens[at - 1]?.word.length ?? 0) > ABBREVIATED_MAX;
}

/** Whether a sentence ends before it. */
function endsSentence(token: Token | undefined): boolean {
  return /[.?!]\s/.test(token?.gap ?? '');
}

const betweenMax = 3;

/** Hardly a word between two parts of one kind that the rules did not find both: a remark, a filler. */
function bridge(tokens: readonly Token[], taken: Uint8Array, byRules: Uint8Array): void {
  let last = -1;
  for (let at = 0; at < tokens.length; at += 1) {
    const label = taken[at] ?? NONE;
    if (label === NONE) continue;
    const between = at - last - 1;
    const most = label === NAME ? 1 : betweenMax;
    const isLearned = last >= 0 && !(byRules[last] && byRules[at]);
    if (isLearned && between > 0 && between <= most && taken[last] === label && isOneSaying(tokens, last, at)) {
      taken.fill(label, last + 1, at);
    }
    last = at;
  }
}

function isOneSaying(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from + 1; at <= to; at += 1) {
    if (!isTogether(tokens, from, at) || endsSentence(tokens[at])) return false;
  }
  return true;
}

function spansOf(tokens: readonly Token[], taken: Uint8Array): Place[] {
  const places: Place[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const label = taken[at] ?? NONE;
    const last = places.at(-1);
    if (label === NONE) continue;
    if (last && last.label === label && last.to === at && isTogether(tokens, last.from, at)) last.to = at + 1;
    else places.push({ label, from: at, to: at + 1 });
  }
  return places;
}

function toSpan(tokens: readonly Token[], { label, from, to }: Place): Span | null {
  const [first, last] = [tokens[from], tokens[to - 1]];
  const kind = kindOfLabel(label);
  if (!first || !last || !kind) return null;
  const isPin = kind === 'password' && tokens.slice(from, to).every(isFigure);
  return { kind: isPin ? 'pin' : kind, segment: first.segment, from: first.from, to: last.to };
}

function isFigure({ kind, word }: Token): boolean {
  return kind === 'digits' || numberWord(word) !== null;
}

/** Kinds that the rules tell by the words around them alone. Others have a form or a checksum. */
const GUESSED: ReadonlySet<RedactionKind> = new Set([
  'card_expiry',
  'security_code',
  'pin',
  'password',
  'date_of_birth',
  'bank_account',
  'address',
  'name',
]);
const HARMLESS = 0.95;

/** What the rules took for a secret and what was learned to be none, with hardly a doubt. */
export function withoutHarmless({ tokens, harmless }: Reading, spans: readonly Span[]): Span[] {
  const least = new Map<Span, number>();
  const bySegment = Map.groupBy(spans, ({ segment }) => segment);
  for (const [at, { segment, from, to }] of tokens.entries()) {
    for (const span of bySegment.get(segment) ?? []) {
      if (span.from < to && from < span.to) least.set(span, Math.min(least.get(span) ?? 1, harmless[at] ?? 1));
    }
  }
  return spans.filter((span) => !GUESSED.has(span.kind) || (least.get(span) ?? 0) < HARMLESS);
}

/** The labels of what the rules found: 0 for a token that they leave. */
export function labelsOf(tokens: readonly Token[], spans: readonly Span[]): Uint8Array {
  if (spans.length === 0) return new Uint8Array(tokens.length);
  const bySegment = Map.groupBy(spans, ({ segment }) => segment);
  return Uint8Array.from(tokens, ({ segment, from, to }) => {
    const span = bySegment.get(segment)?.find((each) => each.from < to && from < each.to);
    return span ? labelOfKind(span.kind) : NONE;
  });
}
