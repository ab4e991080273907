import { plainWord } from '../../../model/text/tokens.ts';
import type { ReadLanguage } from '../../languages/language.ts';
import { ENGLISH_MEANINGS } from './english.ts';
import { GERMAN_MEANINGS } from './german.ts';
import { RUSSIAN_MEANINGS } from './russian.ts';
import { SPANISH_MEANINGS } from './spanish.ts';

/**
 * What words mean, by the same names in each language: what is learned of "gebucht" in one call is known of "booked" and "reservado" in
 * others. A line is a name and its words.
 */
const WRITTEN: Record<ReadLanguage, string> = {
  en: ENGLISH_MEANINGS,
  de: GERMAN_MEANINGS,
  es: SPANISH_MEANINGS,
  ru: RUSSIAN_MEANINGS,
};

/** The names of all meanings, in the order of the alphabet. A meaning is its place among them. */
export const MEANINGS: readonly string[] = [...namesIn(ENGLISH_MEANINGS)].sort();

export function meaningNamed(name: string): number {
  const meaning = MEANINGS.indexOf(name);
  if (meaning === -1) throw new Error(`There is no meaning "${name}".`);
  return meaning;
}

type Words = Map<string, number[]>;
type Lexicon = { whole: Words; beginnings: Words; longest: number };

const lexicons = new Map<ReadLanguage, Lexicon>();

/** What a word may mean in a call of this language; nothing for most names of people and things. */
export function meaningsOf(word: string, language: ReadLanguage): readonly number[] {
  if (/\d/u.test(word)) return FIGURE;
  const { whole, beginnings, longest } = lexiconOf(language);
  const exact = whole.get(word);
  if (exact) return exact;
  for (let length = Math.min(word.length, longest); length >= BEGINNING_MIN; length -= 1) {
    const found = beginnings.get(word.slice(0, length));
    if (found) return found;
  }
  return NONE;
}

const FIGURE: readonly number[] = [meaningNamed('figure')];
const NONE: readonly number[] = [];
const BEGINNING_MIN = 2;

function lexiconOf(language: ReadLanguage): Lexicon {
  const known = lexicons.get(language) ?? parseLexicon(WRITTEN[language]);
  lexicons.set(language, known);
  return known;
}

function parseLexicon(written: string): Lexicon {
  const lexicon: Lexicon = { whole: new Map(), beginnings: new Map(), longest: 0 };
  for (const line of linesIn(written)) {
    const [name = '', words = ''] = line.split(': ');
    const meaning = meaningNamed(name);
    for (const each of words.split(' ')) {
      const isStart = each.endsWith('*');
      const word = plainWord(isStart ? each.slice(0, -1) : each);
      if (isStart) lexicon.longest = Math.max(lexicon.longest, word.length);
      const into = isStart ? lexicon.beginnings : lexicon.whole;
      const known = into.get(word);
      if (!known) into.set(word, [meaning]);
      else if (!known.includes(meaning)) known.push(meaning);
    }
  }
  return lexicon;
}

function linesIn(written: string): string[] {
  return written.trim().split('\n');
}

function namesIn(written: string): string[] {
  return linesIn(written).map((line) => line.slice(0, line.indexOf(':')));
}
