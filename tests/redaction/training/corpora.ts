import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { hashText } from '../../../src/redaction/tagger/hashing.ts';
import { emptyCommonWords, placeOfWord, type CommonWords } from '../../../src/redaction/tagger/common-words.ts';
import { labelOfKind, LABELS } from '../../../src/redaction/tagger/labels.ts';
import { readTokens } from '../../../src/redaction/tokens.ts';
import { readCase } from '../marked.ts';
import { readMarked, type Marked } from '../measuring.ts';
import { moreSentences } from '../more-sentences.ts';
import { sentences } from '../sentences.ts';
import { stepOf } from './pack.ts';

/** A call with the file that it comes from. The rules were made with some of these, and do better there than elsewhere. */
export type Sourced = Marked & { source: string; isOfRules: boolean };

const FILES = [
  { name: 'learning-set', isOfRules: true },
  { name: 'second-set-ende', isOfRules: true },
  { name: 'second-set-esru', isOfRules: true },
  { name: 'first-sealed-set', isOfRules: false },
  { name: 'third-set-en', isOfRules: false },
  { name: 'third-set-de', isOfRules: false },
  { name: 'third-set-es', isOfRules: false },
  { name: 'third-set-ru', isOfRules: false },
  { name: 'second-sealed-set', isOfRules: false },
  { name: 'fourth-set-en', isOfRules: false },
  { name: 'fourth-set-de', isOfRules: false },
  { name: 'fourth-set-es', isOfRules: false },
  { name: 'fourth-set-ru', isOfRules: false },
];

const folder = new URL('../', import.meta.url);

export function readSources(): Sourced[] {
  const files = FILES.flatMap(({ name, isOfRules }) =>
    readMarked(readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')).map((marked) => ({
      ...marked,
      id: `${name} ${marked.id}`,
      source: name,
      isOfRules,
    })),
  );
  return [...files, ...readTable()];
}

/** The sentences that the tests hold. */
function readTable(): Sourced[] {
  const lines = Object.values({ ...sentences, ...moreSentences }).flat();
  return lines.map(readCase).flatMap(({ line, isKnownMiss, segments, marks }, index) => {
    if (isKnownMiss) return [];
    const turns = segments.map(({ text, role }, segment) => {
      let marked = '';
      let at = 0;
      for (const mark of marks.filter((each) => each.segment === segment)) {
        const label = LABELS[labelOfKind(mark.kind)] ?? 'none';
        marked += `${text.slice(at, mark.from)}⟦${label}:${text.slice(mark.from, mark.to)}⟧`;
        at = mark.to;
      }
      return { speaker: role === 'agent' ? 'agent' : 'customer', text: marked + text.slice(at), isMarked: true };
    });
    const language = /[а-я]/iu.test(line) ? 'ru' : 'en';
    return [{ id: `table ${index}`, language, style: 'typed', turns, source: 'table', isOfRules: true }];
  });
}

/** Told by the id alone. */
export function foldOf(id: string, folds: number): number {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % folds;
}

const calls = new URL('../../learning/', import.meta.url);

/** How common words are in what is no secret, and in the labelled calls. */
export function commonWordsOf(all: readonly Marked[]): CommonWords {
  const counts = new Map<number, number>();
  const count = (texts: readonly string[]): void => {
    const places = new Set<number>();
    for (const { kind, word } of texts.flatMap((text) => readTokens(text, 0))) {
      if (kind === 'word') places.add(placeOfWord(hashText(word)));
    }
    for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  };
  for (const { turns } of all) count(turns.map(({ text }) => text.replaceAll(/⟦\w+:[^⟧]*⟧/gu, ' ')));
  for (const texts of readCalls()) count(texts);
  const common = emptyCommonWords();
  for (const [place, texts] of counts) common[place] = stepOf(texts);
  return common;
}

function readCalls(): string[][] {
  return readdirSync(calls)
    .filter((name) => /^calls-.*\.jsonl$/u.test(name))
    .sort()
    .flatMap((name) => readFileSync(new URL(name, calls), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => (JSON.parse(line) as { utterances: { text: string }[] }).utterances.map(({ text }) => text));
}
