import type { Token } from '../../model/text/tokens.ts';
import { COMMON_WORDS } from './common-words.ts';

/** The languages that the rules engine reads. */
export const READ_LANGUAGES = ['en', 'de', 'es', 'ru'] as const;
export type ReadLanguage = (typeof READ_LANGUAGES)[number];

/** Transcribers name languages in words, too. */
const NAMES = new Map(Object.entries({ english: 'en', german: 'de', spanish: 'es', russian: 'ru' }));
const LOOKED_AT = 2000;

/**
 * The language of a call (ISO 639, without region): what the transcript says, unless its words are evidently of another
 * language that the rules engine reads; where it says nothing, what its words look like. Null where nothing tells.
 */
export function languageOf(tag: string | null, tokens: readonly Token[]): string | null {
  const named = primaryOf(tag);
  if (named !== null && !isRead(named)) return named;
  const [first, second] = countCommon(tokens);
  if (!first || !second || first.count === 0) return named;
  const min = named === null ? 3 : 8;
  const isClear = first.count >= min && first.count >= (named === null ? 2 : 4) * second.count;
  return isClear ? first.language : named;
}

export function isRead(language: string): language is ReadLanguage {
  return (READ_LANGUAGES as readonly string[]).includes(language);
}

/** "German" for `de`, in this language; the tag itself where it names none. */
export function nameOf(language: string, inLanguage = 'en'): string {
  try {
    return new Intl.DisplayNames(inLanguage, { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

/** Without region; null for what names no language. */
export function primaryOf(tag: string | null): string | null {
  const first = (tag ?? '').toLowerCase().split(/[-_]/u)[0] ?? '';
  const primary = NAMES.get(first) ?? first;
  return /^[a-z]{2,3}$/u.test(primary) && primary !== 'und' ? primary : null;
}

function countCommon(tokens: readonly Token[]): { language: ReadLanguage; count: number }[] {
  const near = tokens.slice(0, LOOKED_AT);
  return READ_LANGUAGES.map((language) => ({
    language,
    count: near.reduce((sum, { word }) => sum + (COMMON_WORDS[language].has(word) ? 1 : 0), 0),
  })).toSorted((a, b) => b.count - a.count);
}
