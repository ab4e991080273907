import { kindOfPlaceholder } from '../../model/redaction.ts';
import type { SpeakerRole } from '../../model/transcript.ts';
import type { Lead } from '../lead.ts';
import type { NumberGroup } from '../numbers.ts';
import type { Token } from '../tokens.ts';
import { readTurns, type Turn } from '../turns.ts';
import type { CommonWords } from './common-words.ts';
import { FIRST_SECRET, labelOfKind } from './labels.ts';
import { CLASS, createWordReader, familyOf, type WordRead } from './word-classes.ts';

/** A call before it is read: all its words, numbers and what names them, and what the rules found (a label for each token). */
export type Heard = {
  texts: readonly string[];
  tokens: readonly Token[];
  speakers: readonly { speaker: string; role: SpeakerRole }[];
  leads: readonly Lead[];
  numbers: readonly NumberGroup[];
  byRules: Uint8Array;
};

/** Figures and letters that are said in one. */
export type Chunk = {
  from: number;
  to: number;
  figures: number;
  letters: number;
  digits: string;
  /** Whether it, or a part of it, is said before and after, and what the rules found there. */
  echo: number;
  echoByRules: number;
  /** Where it was said last before this; -1 if it was not. */
  saidAt: number;
  /** The chunk before it in the same turn, and how many there are. */
  before: Chunk | null;
  index: number;
};

export type ReadCall = Heard & {
  turns: readonly Turn[];
  words: readonly WordRead[];
  families: Uint8Array;
  gaps: Uint8Array;
  shapes: Uint8Array;
  /** The chunk of each token, if any. */
  chunks: readonly (Chunk | undefined)[];
  /** Leads that end in each turn, in order. */
  leadsOf: readonly (readonly Lead[])[];
  /** Of words that are told from others: 0 for one that is said once, else 1 and what the rules found it to be. */
  repeated: Uint8Array;
  /** Where such a word was said last before this; -1 if it was not. */
  saidAt: Int32Array;
  /** What each token was taken for, turn after turn, and the last such in each turn. */
  taken: Uint8Array;
  takenLast: Uint8Array;
};

export function readCall(heard: Heard, common: CommonWords): ReadCall {
  const { tokens, texts, speakers, leads, numbers, byRules } = heard;
  const read = createWordReader(common);
  const words = tokens.map((token) => read(token));
  const families = Uint8Array.from(words, ({ wordClass }) => familyOf(wordClass));
  const turns = readTurns(tokens, speakers);
  return {
    ...heard,
    turns,
    words,
    families,
    gaps: Uint8Array.from(tokens, ({ gap, segment }, at) => gapOf(gap, tokens[at - 1]?.segment === segment)),
    shapes: Uint8Array.from(tokens, (token) => shapeOf(texts[token.segment] ?? '', token)),
    chunks: readChunks({ words, turns, numbers, byRules }),
    leadsOf: leadsByTurn(turns, leads),
    ...findRepeated({ words, families, byRules }),
    taken: new Uint8Array(tokens.length),
    takenLast: new Uint8Array(turns.length),
  };
}

/** Keeps what a turn was taken for, for the turns after it. What was taken out before counts as well. */
export function take(call: ReadCall, turn: number, labelAt: (at: number) => number): void {
  const { from, to } = call.turns[turn] ?? { from: 0, to: 0 };
  for (let at = from; at < to; at += 1) {
    const token = call.tokens[at];
    const kind = token?.kind === 'placeholder' ? kindOfPlaceholder(token.word) : null;
    const label = kind ? labelOfKind(kind) : labelAt(at);
    if (label < FIRST_SECRET) continue;
    call.taken[at] = label;
    call.takenLast[turn] = label;
  }
}

const GAPS: readonly RegExp[] = [
  /^$/,
  /^\s+$/,
  /[.?!]\s/,
  /,/,
  /^[\p{Pd}/]$/u,
  /^\.$/,
  /^_$/,
  /:/,
  /[("'«„“]/,
  /[-–—/]/,
  /[$£€¥₽%]/,
];

/** What stands before a word: the start of a segment, nothing, a space, and so on. */
function gapOf(gap: string, isInside: boolean): number {
  if (!isInside) return 0;
  if (gap === ' ') return 2;
  const found = GAPS.findIndex((pattern) => pattern.test(gap));
  return found < 0 ? GAPS.length + 1 : found + 1;
}

/** Lower case, a capital first, all capitals, capitals inside. */
function shapeOf(text: string, { word, from, to }: Token): number {
  if (word.length === to - from && isPlainLetter(word) && text.startsWith(word, from)) return 0;
  const first = text[from] ?? '';
  const lower = first.toLowerCase();
  if (first === lower) {
    if (first === first.toUpperCase()) return 4;
    return isLower(text, from + 1, to) ? 0 : 3;
  }
  if (to - from === 1) return 5;
  if (isLower(text, from + 1, to)) return 1;
  const rest = text.slice(from + 1, to);
  return rest === rest.toUpperCase() ? 2 : 3;
}

/** Latin or Cyrillic, in lower case. */
function isPlainLetter(word: string): boolean {
  const code = word.charCodeAt(0);
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x4_30 && code <= 0x4_4f);
}

function isLower(text: string, from: number, to: number): boolean {
  const rest = text.slice(from, to);
  return rest === rest.toLowerCase();
}

export function isValue({ wordClass }: WordRead): boolean {
  return wordClass <= CLASS.at && wordClass !== CLASS.weakNumber;
}

type Parts = {
  words: readonly WordRead[];
  turns: readonly Turn[];
  numbers: readonly NumberGroup[];
  byRules: Uint8Array;
};

/** One word, or a number that is mostly another word, may stand between two parts. */
function readChunks({ words, turns, numbers, byRules }: Parts): (Chunk | undefined)[] {
  const chunks: (Chunk | undefined)[] = Array.from({ length: words.length });
  const all: Chunk[] = [];
  for (const { from, to } of turns) {
    let last: Chunk | undefined;
    for (let at = from; at < to; at += 1) {
      const word = words[at];
      if (!word || !isValue(word)) continue;
      if (!last || at - last.to > 1) {
        last = chunkAt(at, last ?? null);
        all.push(last);
      }
      for (let between = last.to; between <= at; between += 1) chunks[between] = last;
      last.to = at + 1;
      last.figures += word.figures;
      last.letters += word.letters;
    }
  }
  for (const { from, digits } of numbers) {
    const chunk = chunks[from];
    if (chunk) chunk.digits += digits;
  }
  findEchoes(all, byRules);
  return chunks;
}

function chunkAt(at: number, before: Chunk | null): Chunk {
  const index = before ? before.index + 1 : 0;
  return {
    from: at,
    to: at,
    figures: 0,
    letters: 0,
    digits: '',
    echo: 0,
    echoByRules: 0,
    saidAt: -1,
    before,
    index,
  };
}

const echoDigitsMin = 3;
const echoChunksMax = 30;

function findEchoes(chunks: readonly Chunk[], byRules: Uint8Array): void {
  const long = chunks.filter(({ digits }) => digits.length >= echoDigitsMin);
  for (const [index, chunk] of long.entries()) {
    for (const other of long.slice(index + 1, index + echoChunksMax)) {
      if (!isEcho(chunk.digits, other.digits)) continue;
      chunk.echo |= 2;
      other.echo |= 1;
      other.saidAt = chunk.from;
      chunk.echoByRules ||= byRules[other.from] ?? 0;
      other.echoByRules ||= byRules[chunk.from] ?? 0;
    }
  }
}

/** One holds the other. */
function isEcho(digits: string, other: string): boolean {
  return digits.includes(other) || other.includes(digits);
}

function leadsByTurn(turns: readonly Turn[], leads: readonly Lead[]): Lead[][] {
  const byTurn = turns.map((): Lead[] => []);
  let at = 0;
  for (const lead of leads) {
    while (at < turns.length - 1 && (turns[at]?.to ?? 0) < lead.to) at += 1;
    byTurn[at]?.push(lead);
  }
  return byTurn;
}

type Seen = { words: readonly WordRead[]; families: Uint8Array; byRules: Uint8Array };

function findRepeated({ words, families, byRules }: Seen): Pick<ReadCall, 'repeated' | 'saidAt'> {
  const repeated = new Uint8Array(words.length);
  const saidAt = new Int32Array(words.length).fill(-1);
  const firsts = new Map<number, { last: number; places: number[] }>();
  for (const [at, { hash }] of words.entries()) {
    if (!isTelling(families[at] ?? 0)) continue;
    const known = firsts.get(hash);
    if (known) {
      saidAt[at] = known.last;
      known.last = at;
      known.places.push(at);
    } else firsts.set(hash, { last: at, places: [at] });
  }
  for (const { places } of firsts.values()) {
    if (places.length === 1) continue;
    const found = places.find((at) => byRules[at]);
    for (const at of places) repeated[at] = 1 + (byRules[found ?? -1] ?? 0);
  }
  return { repeated, saidAt };
}

/** Names and rare words are told from others by themselves. */
export function isTelling(family: number): boolean {
  return family === 2 || family === 3;
}
