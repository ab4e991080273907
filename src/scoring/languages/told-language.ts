import lande from 'lande';
import type { Token } from '../../model/text/tokens.ts';
import { COMMON_WORDS } from './common-words.ts';
import { isRead, READ_LANGUAGES, type ReadLanguage } from './language.ts';

type Said = { tokens: readonly Token[]; text: string };

/** Some twenty words of one party, which hold one language more often than not. */
type Stretch = { words: number; counts: Record<ReadLanguage, number>; texts: string[] };

/** How many of a party's words are in which language; null stands for those that nothing tells. */
export type Told = { words: number; languages: Map<string | null, number> };

const STRETCH_WORDS = 20;
/** Of fewer words nothing is told. */
const WORDS_MIN = 8;
/** In what people say a fifth and more of the words are such small ones: of 464 speakers of calls only a twentieth are below. */
const EVIDENT_SHARE = 0.2;
const EVIDENT_COUNT = 3;
const EVIDENT_LEAD = 3;
/** So many are there by chance, in languages that are related. */
const CHANCE_SHARE = 0.08;
/** Less than this of a party in no evident language is how people speak. */
const OPEN_SHARE = 0.2;
/** The detector is slow beside the small words, and sure of what is as long as this. */
const ASKED_MAX = 3;
const ASKED_CHARS = 300;
const SURE = 0.85;
const RIVAL = 0.2;

/** Spellings (without accents) that speak against the related language whose small words they stand among. */
const UKRAINIAN = /[ієґў]/u;
const PORTUGUESE = /[nl]h|[ao]o$|oes$/u;

/** The languages of what one party says: by small words where they tell, else by a detector for fifty languages. */
export function tellLanguages(said: readonly Said[]): Told {
  const stretches = stretchesOf(said);
  const words = stretches.reduce((sum, each) => sum + each.words, 0);
  const told: Told = { words, languages: new Map() };
  if (words < WORDS_MIN) return told;
  const main = evidentIn(sumOf(stretches));
  const open: Stretch[] = [];
  const add = (language: string | null, count: number): void =>
    void told.languages.set(language, (told.languages.get(language) ?? 0) + count);
  for (const stretch of stretches) {
    const isMain = main !== null && stretch.counts[main] > CHANCE_SHARE * stretch.words;
    const language = evidentIn(stretch) ?? (isMain ? main : null);
    if (language === null) open.push(stretch);
    else add(language, stretch.words);
  }
  const openWords = open.reduce((sum, each) => sum + each.words, 0);
  if (openWords === 0) return told;
  if (main !== null && openWords < OPEN_SHARE * words) add(main, openWords);
  else for (const [language, share] of askAbout(open)) add(language, share * openWords);
  return told;
}

/** What the detector says of some of the stretches, as shares; it answers for the others as well. */
function askAbout(open: readonly Stretch[]): Map<string | null, number> {
  const asked = spread(open, ASKED_MAX);
  const shares = new Map<string | null, number>();
  for (const stretch of asked) {
    const language = detect(stretch);
    shares.set(language, (shares.get(language) ?? 0) + 1 / asked.length);
  }
  return shares;
}

function detect({ texts, counts, words }: Stretch): string | null {
  const ranked = lande(texts.join(' ').slice(0, ASKED_CHARS));
  const [first] = ranked;
  if (!first || words < WORDS_MIN) return null;
  const { language: rival, count } = mostIn(counts);
  // Related languages are taken for each other: where small words and the detector's second thought agree, they decide.
  const isRival = count >= EVIDENT_COUNT && count > CHANCE_SHARE * words;
  const thought = ranked.slice(0, 3).find(([code, share]) => codeOf(code) === rival && share >= RIVAL);
  if (isRival && thought) return rival;
  const language = codeOf(first[0]);
  return first[1] >= SURE || isRead(language) ? language : null;
}

/** `fr` for `fra`. */
function codeOf(code: string): string {
  return Intl.getCanonicalLocales(code)[0] ?? code;
}

function stretchesOf(said: readonly Said[]): Stretch[] {
  const stretches: Stretch[] = [];
  let current = emptyStretch();
  for (const { tokens, text } of said) {
    for (const { word } of tokens) {
      if (!/^\p{L}/u.test(word)) continue;
      current.words += 1;
      for (const language of READ_LANGUAGES) if (COMMON_WORDS[language].has(word)) current.counts[language] += 1;
      if (UKRAINIAN.test(word)) current.counts.ru -= 1;
      if (PORTUGUESE.test(word)) current.counts.es -= 1;
    }
    current.texts.push(text);
    if (current.words < STRETCH_WORDS) continue;
    stretches.push(current);
    current = emptyStretch();
  }
  if (current.words >= WORDS_MIN) return [...stretches, current];
  // What is left over at the end is too little for a stretch of its own.
  const last = stretches.pop();
  return [...stretches, last ? sumOf([last, current]) : current];
}

function emptyStretch(): Stretch {
  return { words: 0, counts: { en: 0, de: 0, es: 0, ru: 0 }, texts: [] };
}

function sumOf(stretches: readonly Stretch[]): Stretch {
  const sum = emptyStretch();
  for (const { words, counts, texts } of stretches) {
    sum.words += words;
    for (const language of READ_LANGUAGES) sum.counts[language] += counts[language];
    sum.texts.push(...texts);
  }
  return sum;
}

function evidentIn({ words, counts }: Stretch): ReadLanguage | null {
  const { language, count, next } = mostIn(counts);
  return count >= EVIDENT_COUNT && count >= EVIDENT_LEAD * next && count >= EVIDENT_SHARE * words ? language : null;
}

function mostIn(counts: Stretch['counts']): { language: ReadLanguage; count: number; next: number } {
  const most = { language: READ_LANGUAGES[0] as ReadLanguage, count: -1, next: 0 };
  for (const language of READ_LANGUAGES) {
    const count = counts[language];
    if (count > most.count) Object.assign(most, { language, count, next: Math.max(0, most.count) });
    else most.next = Math.max(most.next, count);
  }
  return most;
}

function spread<T>(items: readonly T[], countMax: number): T[] {
  if (items.length <= countMax) return [...items];
  return items.filter((_, index) => index % Math.ceil(items.length / countMax) === 0).slice(0, countMax);
}
