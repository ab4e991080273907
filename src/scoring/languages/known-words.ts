import type { Token } from '../../model/text/tokens.ts';
import { plainWord } from '../../model/text/tokens.ts';
import { ACCUSATION_BOOKS } from '../lexicon/accusations/books.ts';
import { PHRASEBOOKS } from '../lexicon/phrasebooks.ts';
import { COMMON_WORDS } from './common-words.ts';
import type { ReadLanguage } from './language.ts';

const WORD = /[\p{L}\p{M}]+/gu;
const read = new Map<ReadLanguage, ReadonlySet<string>>();

/** Every word that stands in a phrase of this language. */
function wordsOf(language: ReadLanguage): ReadonlySet<string> {
  const known = read.get(language) ?? new Set([...COMMON_WORDS[language], ...said(language)]);
  read.set(language, known);
  return known;
}

function said(language: ReadLanguage): string[] {
  return stringsIn([PHRASEBOOKS[language], ACCUSATION_BOOKS[language]]).flatMap((phrase) =>
    (phrase.match(WORD) ?? []).map(plainWord),
  );
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

const WORDS_MIN = 2;
/** Small words are the same in several languages. */
const CHANCE_SHARE = 0.3;

/** Whether hardly any word of these is one of the language: they may be of another one. */
export function areStrange(tokens: readonly Token[], language: ReadLanguage): boolean {
  const words = tokens.filter(({ word }) => /^\p{L}/u.test(word));
  if (words.length < WORDS_MIN) return false;
  const known = wordsOf(language);
  return words.filter(({ word }) => known.has(word)).length < CHANCE_SHARE * words.length;
}
