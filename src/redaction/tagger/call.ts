import type { SpeakerRole } from '../../model/transcript.ts';
import type { Lead } from '../lead.ts';
import type { NumberGroup } from '../numbers.ts';
import type { Token } from '../tokens.ts';
import { readTurns, type Turn } from '../turns.ts';
import type { CommonWords } from './common-words.ts';
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
  /** How often a word that is told from others stands in the call, and what the rules found it to be. */
  repeated: ReadonlyMap<number, Repeated>;
};

export type Repeated = { count: number; byRules: number };

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
    shapes: Uint8Array.from(tokens, ({ segment, from, to }) => shapeOf(texts[segment] ?? '', from, to)),
    chunks: readChunks({ words, turns, numbers, byRules }),
    leadsOf: leadsByTurn(turns, leads),
    repeated: countRepeated({ words, families, byRules }),
  };
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
function shapeOf(text: string, from: number, to: number): number {
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

function isLower(text: string, from: number, to: number): boolean {
  const rest = text.slice(from, to);
  return rest === rest.toLowerCase();
}

function isValue({ wordClass }: WordRead): boolean {
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
        last = { from: at, to: at, figures: 0, letters: 0, digits: '', echo: 0, echoByRules: 0 };
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

const echoDigitsMin = 3;
const echoChunksMax = 30;

function findEchoes(chunks: readonly Chunk[], byRules: Uint8Array): void {
  const long = chunks.filter(({ digits }) => digits.length >= echoDigitsMin);
  for (const [index, chunk] of long.entries()) {
    for (const other of long.slice(index + 1, index + echoChunksMax)) {
      if (!isEcho(chunk.digits, other.digits)) continue;
      chunk.echo |= 2;
      other.echo |= 1;
      chunk.echoByRules ||= byRules[other.from] ?? 0;
      other.echoByRules ||= byRules[chunk.from] ?? 0;
    }
  }
}

/** One holds the other. */
export function isEcho(digits: string, other: string): boolean {
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

function countRepeated({ words, families, byRules }: Seen): Map<number, Repeated> {
  const repeated = new Map<number, Repeated>();
  for (const [at, { hash }] of words.entries()) {
    if (!isTelling(families[at] ?? 0)) continue;
    const known = repeated.get(hash);
    const label = byRules[at] ?? 0;
    if (known) {
      known.count += 1;
      known.byRules ||= label;
    } else repeated.set(hash, { count: 1, byRules: label });
  }
  return repeated;
}

/** Names and rare words are told from others by themselves. */
export function isTelling(family: number): boolean {
  return family === 2 || family === 3;
}
