import type { Token } from '../model/text/tokens.ts';

/** The languages that the rules engine reads. */
export const READ_LANGUAGES = ['en', 'de', 'es', 'ru'] as const;
export type ReadLanguage = (typeof READ_LANGUAGES)[number];

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

/** Small words that hardly stand in another of these languages, without accents. */
const COMMON: Record<ReadLanguage, ReadonlySet<string>> = {
  en: words(
    'the and you is to of that it for my your can have this are with what on be not do i we will how at would there they from please',
  ),
  de: words(
    `und der die das ich sie nicht ist mit ein eine einen auf fur wir haben ihnen ihre ihr ihren mein meine kann bitte
    dass zu dem den von habe hat wie guten danke noch konnen mochte wird sind uns oder wenn aber einmal dann`,
  ),
  es: words(
    `el los las por para con una usted su mi esta como muy gracias pero lo del es al tengo puede buenos buenas este y
    en que nos favor tiene ha he eso nada cuando estoy senor senora`,
  ),
  ru: words(
    `и в не на что я с как это по но вы у меня мне вас вам ваш ваша есть да нет так здравствуйте спасибо пожалуйста для
    от за мы бы уже можно могу мой моя если до или еще добрый день`,
  ),
};

/** Transcribers name languages in words, too. */
const NAMES: Record<string, string> = { english: 'en', german: 'de', spanish: 'es', russian: 'ru' };
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

/** "German" for `de`; the tag itself where it names no language. */
export function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

function primaryOf(tag: string | null): string | null {
  const first = (tag ?? '').toLowerCase().split(/[-_]/u)[0] ?? '';
  const primary = NAMES[first] ?? first;
  return /^[a-z]{2,3}$/u.test(primary) && primary !== 'und' ? primary : null;
}

function countCommon(tokens: readonly Token[]): { language: ReadLanguage; count: number }[] {
  const near = tokens.slice(0, LOOKED_AT);
  return READ_LANGUAGES.map((language) => ({
    language,
    count: near.reduce((sum, { word }) => sum + (COMMON[language].has(word) ? 1 : 0), 0),
  })).toSorted((a, b) => b.count - a.count);
}
