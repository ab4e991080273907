import type { Token } from '../../model/text/tokens.ts';

/** What is written in letters that a language does not use; `language` where its letters tell which it is. */
export type StrangeScript = { language: string | null; isWhole: boolean };

/** Kana before Han: Japanese is written in both. */
const SCRIPTS: readonly [RegExp, string | null][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Georgian}/u, 'ka'],
  [/\p{Script=Armenian}/u, 'hy'],
];
const LETTER = /\p{L}/u;
const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;

/** A name in between is no language. Names and brands are more often written in Latin and Cyrillic letters. */
const SHARE_MIN = 0.2;
const RELATED_SHARE_MIN = 0.5;
const WORDS_MIN = 2;
/** In scripts without spaces a sentence is one word, and longer than a name. */
const LETTERS_MIN = 7;

/** Whether a party speaks in letters that are not of this language (null: neither Latin nor Cyrillic). */
export function strangeScriptOf(tokens: readonly Token[], language: string | null): StrangeScript | null {
  let [letters, strange, related, strangeWords, relatedWords] = [0, 0, 0, 0, 0];
  const texts: string[] = [];
  for (const { word } of tokens) {
    if (!LETTER.test(word) || word.startsWith('[')) continue;
    const length = [...word].length;
    letters += length;
    const isRelated = LATIN.test(word) || CYRILLIC.test(word);
    if (!isRelated) {
      strange += length;
      strangeWords += 1;
      if (texts.length < TEXTS_MAX) texts.push(word);
    } else if (isOfOther(word, language)) {
      related += length;
      relatedWords += 1;
    }
  }
  const isStrange = strange >= SHARE_MIN * letters && (strangeWords >= WORDS_MIN || strange >= LETTERS_MIN);
  if (isStrange) {
    const text = texts.join('');
    return { language: SCRIPTS.find(([script]) => script.test(text))?.[1] ?? null, isWhole: 2 * strange > letters };
  }
  const isOfRelated = related >= RELATED_SHARE_MIN * letters && relatedWords >= WORDS_MIN && related >= LETTERS_MIN;
  return isOfRelated ? { language: null, isWhole: true } : null;
}

const TEXTS_MAX = 200;

function isOfOther(word: string, language: string | null): boolean {
  if (language === null) return false;
  return language === 'ru' ? !CYRILLIC.test(word) : CYRILLIC.test(word);
}
