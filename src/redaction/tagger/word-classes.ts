import { PARTS, STREET_ENDS, STREETS } from '../detectors/address-words.ts';
import { AT, JOINTS, PROVIDERS, TLDS, US } from '../detectors/email-words.ts';
import { TITLES } from '../detectors/name-words.ts';
import { isMonth, isOrdinal } from '../date-words.ts';
import { GIVEN, GIVEN_OR_WORD, SURNAMES, SURNAME_ENDS } from '../detectors/given-names.ts';
import { letterOf } from '../letters.ts';
import { ACKNOWLEDGEMENTS, FILLERS } from '../lexicon.ts';
import { numberWord, type NumberWord } from '../number-words.ts';
import { plainWord, type Token } from '../tokens.ts';
import { placeOfWord, STEPS, type CommonWords } from './common-words.ts';
import { hashText } from './hashing.ts';
import { isListedName } from './name-lists.ts';

/** What kind of word it is, whatever it says: classes up to `LETTER_NAME` may be parts of a value of figures and letters. */
export const CLASS = {
  digits: 0,
  unit: 6,
  number: 7,
  repeat: 8,
  weakNumber: 9,
  letter: 10,
  letterName: 11,
  at: 12,
  placeholder: 13,
  date: 14,
  given: 15,
  surname: 16,
  filler: 17,
  /** Four steps of how common it is. */
  word: 18,
} as const;
export const CLASSES: number = CLASS.word + 4;

/** Coarser: value, date, name, rare word, common word, filler, placeholder. */
const FAMILIES = [...Array<number>(13).fill(0), 6, 1, 2, 2, 5, 3, 3, 4, 4];

export function familyOf(wordClass: number): number {
  return FAMILIES[wordClass] ?? 4;
}

export type WordRead = {
  /** Another for each word. */
  id: number;
  hash: number;
  isWord: boolean;
  /** One of the most common words: a letter that is a word. */
  isEverywhere: boolean;
  /** Of the first three and four letters, and of the last two, three and four. */
  parts: readonly number[];
  wordClass: number;
  /** Figures that it stands for, at least. */
  figures: number;
  letters: number;
  length: number;
  /** What it is a word of, one bit each: streets, parts of addresses, e-mail, providers, titles, companies, names, letters. */
  theme: number;
};

/** Words that are read are kept for the next call, up to so many. */
const keptMax = 20_000;
const readers = new WeakMap<CommonWords, Map<string, WordRead>>();

/** Reads each word once. */
export function createWordReader(common: CommonWords): (token: Token) => WordRead {
  const known = readers.get(common) ?? new Map<string, WordRead>();
  if (known.size > keptMax) known.clear();
  readers.set(common, known);
  return (token) => {
    const form = token.kind === 'digits' ? formOf(token.word) : token.word;
    const key = token.kind === 'digits' ? `#${form}` : form;
    let read = known.get(key);
    if (!read) {
      read = readWord(token, form, common);
      known.set(key, read);
    }
    return read;
  };
}

let lastId = 0;

function readWord(token: Token, word: string, common: CommonWords): WordRead {
  const { length } = word;
  const hash = hashText(word);
  const number = token.kind === 'word' ? numberWord(word) : null;
  const wordClass = classOf(token, { hash, number, common });
  const parts = [
    hashText(word, 0, 3),
    hashText(word, 0, 4),
    hashText(word, Math.max(0, length - 2)),
    hashText(word, Math.max(0, length - 3)),
    hashText(word, Math.max(0, length - 4)),
  ];
  const figures = token.kind === 'digits' ? length : number ? figuresOf(number) : 0;
  const letters = wordClass === CLASS.letter || wordClass === CLASS.letterName ? 1 : 0;
  lastId += 1;
  return {
    id: lastId,
    hash,
    isWord: token.kind === 'word',
    isEverywhere: (common[placeOfWord(hash)] ?? 0) === STEPS.length,
    parts,
    wordClass,
    figures,
    letters,
    length: Math.min(length, 12),
    theme: themeOf(word),
  };
}

/** Figures tell nothing by themselves, but the beginning of a year does. */
function formOf(digits: string): string {
  return /^(?:19|20)\d\d$/.test(digits) ? 'year' : digits.replaceAll(/\d/g, '0');
}

const THEMES: readonly ((word: string) => boolean)[] = [
  (word) => STREETS.has(word) || STREET_ENDS.test(word),
  (word) => PARTS.has(word),
  (word) => JOINTS.has(word) || AT.has(word),
  (word) => PROVIDERS.has(word) || TLDS.has(word),
  (word) => TITLES.has(word),
  (word) => US.has(word),
  (word) => isListedName(word),
  (word) => letterOf(word) !== null || LETTERS.has(word),
];

/** The bit of the last theme. */
export const LETTER_THEME: number = 1 << 7;

/** Letters as a recogniser writes them, which are mostly other words. */
const LETTERS = new Set(
  (
    'jay kay gee pee bee cee sea eye ay ei are ar es em en ell el ex queue cue why you ess aitch haitch ypsilon ' +
    'doppel doble жэ че ща зе игрек мягкий твердый латинская'
  )
    .split(' ')
    .map(plainWord),
);

function themeOf(word: string): number {
  return THEMES.reduce((mask, isOf, bit) => (isOf(word) ? mask | (1 << bit) : mask), 0);
}

type Known = { hash: number; number: NumberWord | null; common: CommonWords };

function classOf(token: Token, { hash, number, common }: Known): number {
  const { kind, word } = token;
  if (kind === 'placeholder') return CLASS.placeholder;
  if (kind === 'at') return CLASS.at;
  if (kind === 'digits') return CLASS.digits + [1, 2, 3, 4, 6].filter((most) => word.length > most).length;
  if (number) {
    if (number.needs !== 'nothing') return CLASS.weakNumber;
    if (number.role === 'repeat' || number.role === 'plural') return CLASS.repeat;
    return number.role === 'unit' ? CLASS.unit : CLASS.number;
  }
  if ([...word].length === 1) return CLASS.letter;
  if (isMonth(token) || isOrdinal(token)) return CLASS.date;
  const letter = letterOf(word);
  if (letter && !letter.isWeak) return CLASS.letterName;
  if (GIVEN.has(word)) return CLASS.given;
  const step = common[placeOfWord(hash)] ?? 0;
  const isSurname = GIVEN_OR_WORD.has(word) || SURNAMES.has(word) || SURNAME_ENDS.test(word) || isListedName(word);
  if (step < 2 && isSurname) return CLASS.surname;
  if (FILLERS.has(word) || ACKNOWLEDGEMENTS.has(word)) return CLASS.filler;
  return CLASS.word + step;
}

function figuresOf({ role }: NumberWord): number {
  if (role === 'repeat' || role === 'plural') return 1;
  return role === 'unit' ? 1 : 2;
}
