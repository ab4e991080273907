import { plainWord } from './tokens.ts';

/** A letter as people name it. A weak one is mostly another word. */
export type LetterName = { letter: string; isWeak: boolean };

const NAMES = new Map<string, LetterName>();

function add(isWeak: boolean, names: Record<string, string>): void {
  for (const [letter, words] of Object.entries(names)) {
    for (const word of words.split(' ')) {
      const plain = plainWord(word);
      if (!NAMES.has(plain)) NAMES.set(plain, { letter, isWeak });
    }
  }
}

add(false, {
  a: 'alpha alfa anton эй',
  b: 'bravo berta бэ',
  c: 'charlie cäsar caesar',
  d: 'delta dora',
  e: 'echo emil',
  f: 'foxtrot friedrich efe эф',
  g: 'golf gustav',
  h: 'hotel aitch heinrich hache эйч аш',
  i: 'india ida',
  j: 'jott juliet juliett julius jota джей',
  k: 'kilo kaufmann ka кей ка',
  l: 'lima ludwig ele эл эль',
  m: 'mike martha eme эм',
  n: 'november nordpol ene эн',
  ñ: 'eñe',
  o: 'oscar otto',
  p: 'papa',
  q: 'quebec quelle cu кью',
  r: 'romeo richard erre эр',
  s: 'sierra samuel эс',
  t: 'tango theodor',
  u: 'uniform ulrich',
  v: 'victor viktor uve vau',
  w: 'whiskey whisky wilhelm',
  x: 'xray xanthippe equis икс',
  y: 'yankee ypsilon',
  z: 'zulu zacharias zeta zett zed zee зед зет зэт',
  ё: 'жэ',
  ц: 'цэ',
  ч: 'чэ',
  х: 'хэ',
  г: 'гэ',
  д: 'дэ',
  в: 'вэ',
  п: 'пэ',
  ш: 'ша',
  щ: 'ща',
  т: 'тэ',
});
add(true, {
  b: 'be bee би б',
  c: 'ce ze see си',
  d: 'de dee ди д',
  g: 'ge джи г',
  h: 'ha ха',
  i: 'ай и',
  m: 'м',
  p: 'pe pi пи п',
  r: 'er ere ар р',
  s: 'ese ess с',
  t: 'te tee ти т',
  u: 'ю у',
  e: 'е э',
  v: 've vee ви в',
  w: 'we дабл',
  y: 'ye уай',
  f: 'ef eff ф',
  l: 'el ell л',
  n: 'en н',
  x: 'ix х',
  k: 'к',
  o: 'о',
  a: 'а',
});

const WEAK_LATIN = new Set(['a', 'i', 'o', 'y', 'e', 'u']);

/** The letter that a word names, or is; null for another word. */
export function letterOf(word: string): LetterName | null {
  if (/^[a-z]$/.test(word)) return { letter: word, isWeak: WEAK_LATIN.has(word) };
  return NAMES.get(word) ?? null;
}

/** Words between a letter and an example of it: "d as in delta", "k wie Kaufmann", "jota de Jaén", "эс как доллар". */
export const EXAMPLE_WORDS: readonly (readonly string[])[] = [
  ['as', 'in'],
  ['like', 'in'],
  ['for'],
  ['like'],
  ['wie'],
  ['como'],
  ['de'],
  ['как'],
];
