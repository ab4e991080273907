import { numberWord } from '../../../src/redaction/number-words.ts';
import { placeholders, type RedactionKind } from '../../../src/model/redaction.ts';
import { kindOfLabel, LABELS } from '../../../src/redaction/tagger/labels.ts';
import { plainWord } from '../../../src/redaction/tokens.ts';
import type { Marked, Turn } from '../measuring.ts';
import { createChance, seedOf, type Chance } from './chance.ts';

/** Values by language, style and kind, and words of the language, to say instead of those of a set. */
export type Pool = {
  values: ReadonlyMap<string, readonly string[]>;
  words: ReadonlyMap<string, readonly string[]>;
  /** What is said before somebody answers with a kind of secret, or with none. */
  requests: ReadonlyMap<string, readonly string[]>;
};

const MARK = /⟦(\w+):([^⟧]*)⟧/gu;

export function poolOf(all: readonly Marked[]): Pool {
  const values = new Map<string, string[]>();
  const words = new Map<string, string[]>();
  const requests = new Map<string, string[]>();
  for (const { language, style, turns } of all) {
    for (const [index, { text, isMarked }] of turns.entries()) {
      const key = requestOf(turns, index);
      if (key) push(requests, `${language} ${style} ${key}`, turns[index - 1]?.text ?? '');
      if (!isMarked) continue;
      for (const [, kind = '', value = ''] of text.matchAll(MARK)) push(values, `${language} ${style} ${kind}`, value);
      for (const [word] of text.replaceAll(MARK, ' ').matchAll(/\p{L}{4,}/gu))
        push(words, `${language} ${style}`, word);
    }
  }
  return { values, words, requests };
}

/** What the turn before asks for, by the answer: null where it holds secrets itself, or the same person says it. */
function requestOf(turns: readonly Turn[], index: number): string | null {
  const [before, turn] = [turns[index - 1], turns[index]];
  if (!before || !turn?.isMarked || before.speaker === turn.speaker || before.text.includes('⟦')) return null;
  const kinds = new Set([...turn.text.matchAll(MARK)].map(([, kind = '']) => kind));
  if (kinds.size > 1) return null;
  const [kind] = kinds;
  if (kind === undefined && !/\d/.test(turn.text) && numbersIn(turn.text) < 2) return null;
  return `${before.speaker} ${kind ?? 'none'}`;
}

function numbersIn(text: string): number {
  return [...text.matchAll(/\p{L}+/gu)].filter(([word]) => numberWord(plainWord(word))?.needs === 'nothing').length;
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** How a set is said again: with other values, and asked for in other words, as a recogniser writes, or with some of it taken out before. */
export type Variation = 'other values' | 'spoken' | 'redacted' | 'other requests';

export function vary(marked: Marked, variation: Variation, { pool, seed }: { pool: Pool; seed: number }): Marked {
  const chance = createChance(seedOf(`${marked.id} ${variation} ${String(seed)}`));
  const style = variation === 'spoken' ? 'spoken' : marked.style;
  const asked = variation === 'other requests' ? askedOtherwise(marked, pool, chance) : marked.turns;
  const turns = asked.map((turn): Turn => {
    const text = varyText(turn.text, { marked, variation, pool, chance });
    return { ...turn, text };
  });
  return { ...marked, style, turns };
}

/** Each answer keeps its place; what is said before it comes from another call that is answered with the same kind. */
function askedOtherwise({ language, style, turns }: Marked, pool: Pool, chance: Chance): Turn[] {
  return turns.map((turn, index) => {
    const key = requestOf(turns, index + 1);
    const others = key ? (pool.requests.get(`${language} ${style} ${key}`) ?? []) : [];
    return { ...turn, text: chance.of(others) ?? turn.text };
  });
}

type Saying = { marked: Marked; variation: Variation; pool: Pool; chance: Chance };

function varyText(text: string, saying: Saying): string {
  const { variation, marked, chance } = saying;
  let varied = '';
  let at = 0;
  for (const mark of text.matchAll(MARK)) {
    const [whole, kind = '', value = ''] = mark;
    varied += sayAround(text.slice(at, mark.index), saying);
    at = mark.index + whole.length;
    if (variation === 'redacted' && chance.next() < redactedShare(marked.id)) varied += placeholderOf(kind);
    else varied += `⟦${kind}:${sayValue(kind, value, saying)}⟧`;
  }
  return varied + sayAround(text.slice(at), saying);
}

/** Some calls are seen with all of it taken out, others with some. */
function redactedShare(id: string): number {
  return (seedOf(id) & 1) === 0 ? 1 : 0.5;
}

function placeholderOf(kind: string): string {
  const found: RedactionKind | null = kindOfLabel(LABELS.findIndex((label) => label === kind));
  return placeholders[found ?? 'pin'];
}

const otherShare = 0.6;
const wordPasswordShare = 0.3;

function sayValue(kind: string, value: string, { marked, variation, pool, chance }: Saying): string {
  if (variation === 'redacted') return value;
  if (variation === 'spoken') return toSpoken(value, marked.language);
  const key = `${marked.language} ${marked.style}`;
  if (kind === 'password' && !/\d/.test(value) && chance.next() < wordPasswordShare) {
    return chance.of(pool.words.get(key) ?? []) ?? value;
  }
  const others = pool.values.get(`${key} ${kind}`) ?? [];
  const other = chance.next() < otherShare ? chance.of(others) : undefined;
  const isAlike = other !== undefined && Math.abs(countWords(other) - countWords(value)) <= 3;
  return isAlike ? other : otherFigures(value, chance);
}

function countWords(value: string): number {
  return value.split(/\s+/).length;
}

const figuresAroundShare = 0.5;

function sayAround(text: string, { marked, variation, chance }: Saying): string {
  if (variation === 'spoken') return toSpoken(text, marked.language);
  if (variation === 'redacted' || chance.next() > figuresAroundShare) return text;
  return otherFigures(text, chance);
}

export const UNITS: Record<string, readonly string[]> = {
  en: 'zero one two three four five six seven eight nine'.split(' '),
  de: 'null eins zwei drei vier fünf sechs sieben acht neun'.split(' '),
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve'.split(' '),
  ru: 'ноль один два три четыре пять шесть семь восемь девять'.split(' '),
};
export const TENS: Record<string, readonly string[]> = {
  en: 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
  de: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' '),
  es: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' '),
  ru: 'двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто'.split(' '),
};

/** Other figures in the same places, and other words for them. Years keep their century. */
function otherFigures(text: string, chance: Chance): string {
  return text.replaceAll(/\d+|\p{L}+/gu, (word) => {
    if (/^(?:19|20)\d\d$/.test(word)) return word.slice(0, 2) + digits(2, chance);
    if (/^\d/.test(word)) return word.length <= 2 ? word : digits(word.length, chance);
    const number = numberWord(plainWord(word));
    if (!number || number.needs !== 'nothing') return word;
    if (number.role === 'unit') return chance.of(UNITS[number.language] ?? []) ?? word;
    return number.role === 'tens' ? (chance.of(TENS[number.language] ?? []) ?? word) : word;
  });
}

function digits(length: number, chance: Chance): string {
  return Array.from({ length }, () => String(chance.below(10))).join('');
}

const SIGNS: Record<string, { at: string; dot: string; dash: string; underscore: string }> = {
  en: { at: 'at', dot: 'dot', dash: 'dash', underscore: 'underscore' },
  de: { at: 'at', dot: 'punkt', dash: 'strich', underscore: 'unterstrich' },
  es: { at: 'arroba', dot: 'punto', dash: 'guion', underscore: 'guion bajo' },
  ru: { at: 'собака', dot: 'точка', dash: 'тире', underscore: 'нижнее подчеркивание' },
};

/** As a recogniser writes: figures as words, no capitals, no signs but those that are said. */
function toSpoken(text: string, language: string): string {
  const units = UNITS[language] ?? [];
  const { at, dot, dash, underscore } = SIGNS[language] ?? { at: 'at', dot: 'dot', dash: 'dash', underscore: '' };
  return text
    .toLowerCase()
    .replaceAll('@', ` ${at} `)
    .replaceAll(/(?<=[\p{L}\d])\.(?=[\p{L}\d])/gu, ` ${dot} `)
    .replaceAll(/(?<=[\p{L}\d])_(?=[\p{L}\d])/gu, ` ${underscore} `)
    .replaceAll(/(?<=\d)-(?=\d)/gu, ` ${dash} `)
    .replaceAll(/\d/g, (figure) => ` ${units[Number(figure)] ?? figure} `)
    .replaceAll(/[^\p{L}\p{M}\p{N}'\s]/gu, ' ')
    .replaceAll(/ {2,}/g, ' ');
}
