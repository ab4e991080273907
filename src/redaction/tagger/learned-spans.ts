import type { RedactionKind } from '../../model/redaction.ts';
import { numberWord } from '../number-words.ts';
import type { Span } from '../spans.ts';
import type { Token } from '../tokens.ts';
import type { Heard } from './call.ts';
import { ENDING, FIRST_SECRET, kindOfLabel, labelOfKind, LABELS, NAME, NONE } from './labels.ts';
import { readLabels, type Tagger, type TurnMemory } from './tagger.ts';

const SIZE: number = LABELS.length;

/** How likely it is that each word of a call is to be taken out, and as what; and that it is no secret of any kind. */
export type Reading = {
  tokens: readonly Token[];
  secrets: Float64Array;
  harmless: Float64Array;
  labels: Uint8Array;
  isCommon: Uint8Array;
};

type Asked = { names: boolean; memory?: TurnMemory };

/** Names count only where they are asked for. */
export function readCallWith(tagger: Tagger, heard: Heard, { names, memory }: Asked): Reading {
  const { likely, isCommon } = readLabels(tagger, heard, memory);
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
  return { tokens: heard.tokens, secrets, harmless, labels, isCommon };
}

/** A word that is as likely as this is taken out; names are taken for others more often. */
const SURE = 0.7;
const SURE_NAME = 0.9;
/** So is one beside it that is as likely as this; a common word has to be likelier. */
const NEAR = 0.03;
const NEAR_COMMON = 0.3;

/** What was learned to be a secret, in order, with what is said between its parts. A span lies in one segment. */
export function findLearned(reading: Reading, byRules: Uint8Array): Span[] {
  const { tokens, labels } = reading;
  const taken = Uint8Array.from(byRules);
  for (const { from, to } of runsOf(reading)) for (let at = from; at < to; at += 1) taken[at] ||= labels[at] ?? NONE;
  bridge(tokens, taken, byRules);
  return spansOf(tokens, taken)
    .filter(({ from, to }) => byRules.subarray(from, to).includes(NONE))
    .flatMap((place) => toSpan(tokens, place) ?? []);
}

type Run = { from: number; to: number };
type Place = Run & { label: number };

/** Words that are likely enough, of which one at least is sure. */
function runsOf(reading: Reading): Run[] {
  const { tokens, secrets, isCommon, labels } = reading;
  const isNear = (at: number): boolean => (secrets[at] ?? 0) >= (isCommon[at] === 1 ? NEAR_COMMON : NEAR);
  const runs: Run[] = [];
  for (let from = 0; from < tokens.length;) {
    let to = from;
    let isSure = false;
    while (to < tokens.length && isNear(to) && isTogether(tokens, from, to) && !isAfterName(reading, to, from)) {
      isSure ||= (secrets[to] ?? 0) >= (labels[to] === NAME ? SURE_NAME : SURE);
      to += 1;
    }
    if (isSure) runs.push(trimmed(reading, from, to));
    from = Math.max(to, from + 1);
  }
  return runs;
}

/** A common word at an edge is none of it unless it is likely by itself: "am dritten Mai". */
function trimmed({ secrets, isCommon }: Reading, from: number, to: number): Run {
  const isEdge = (at: number): boolean => isCommon[at] === 1 && (secrets[at] ?? 0) < SURE;
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
  const bySegment = Map.groupBy(spans, ({ segment }) => segment);
  return Uint8Array.from(tokens, ({ segment, from, to }) => {
    const span = bySegment.get(segment)?.find((each) => each.from < to && from < each.to);
    return span ? labelOfKind(span.kind) : NONE;
  });
}
