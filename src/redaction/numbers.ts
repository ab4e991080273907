import { CONNECTORS, numberWord, type NumberLanguage, type NumberWord } from './number-words.ts';
import type { Token } from './tokens.ts';

/** One number as said or written: tokens `[from, to)` and its digits ("double four" → `44`, "forty two" → `42`). */
export type NumberGroup = { from: number; to: number; digits: string; isWritten: boolean };

/** All numbers in order. The work per token is bounded. */
export function readNumbers(tokens: readonly Token[]): NumberGroup[] {
  const words = tokens.map((token) => (token.kind === 'word' ? numberWord(token.word) : null));
  const found: NumberGroup[] = [];
  for (let at = 0; at < tokens.length;) {
    const group = readGroup({ tokens, words }, { at, before: found.at(-1) });
    if (group) found.push(group);
    at = group ? group.to : at + 1;
  }
  return found;
}

type Words = { tokens: readonly Token[]; words: readonly (NumberWord | null)[] };
type NumberContext = { at: number; before: NumberGroup | undefined };

function readGroup(input: Words, { at, before }: NumberContext): NumberGroup | null {
  const token = input.tokens[at];
  if (token?.kind === 'digits') return { from: at, to: at + 1, digits: token.word, isWritten: true };
  const word = input.words[at];
  if (!word) return null;
  if (word.role === 'repeat') return readRepeat(input, at, word.value);
  if (word.role === 'plural') return null;
  // "Drei mal die fünf".
  const isTimes = word.role === 'unit' && word.language === 'de' && input.tokens[at + 1]?.word === 'mal';
  const repeated = isTimes && word.value >= 2 && word.value <= 4 ? readRepeat(input, at + 1, word.value) : null;
  if (repeated) return { ...repeated, from: at };
  if (word.needs !== 'nothing') {
    const isCounted = hasNeighbours(input, { at, before }, word);
    return isCounted ? { from: at, to: at + 1, digits: String(word.value), isWritten: false } : null;
  }
  return readPlural(input, at, word) ?? readQuantity(input, at, word.language);
}

const ARTICLES = new Set(['die', 'der', 'the', 'el', 'la']);

/** "double five", "triple 0", "dreimal die Null". */
function readRepeat({ tokens, words }: Words, at: number, times: number): NumberGroup | null {
  const digitAt = ARTICLES.has(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1;
  const token = tokens[digitAt];
  const word = words[digitAt];
  const isDigit = token?.kind === 'digits' && token.word.length === 1;
  const digit = isDigit ? token.word : word?.role === 'unit' ? String(word.value) : null;
  return digit === null ? null : { from: at, to: digitAt + 1, digits: digit.repeat(times), isWritten: false };
}

/** "two zeros", "три пятёрки". */
function readPlural({ words }: Words, at: number, word: NumberWord): NumberGroup | null {
  const next = words[at + 1];
  if (word.role !== 'unit' || word.value < 2 || next?.role !== 'plural' || next.language !== word.language) return null;
  return { from: at, to: at + 2, digits: String(next.value).repeat(word.value), isWritten: false };
}

/** "oh" beside a number, "for" between two: otherwise they are what they are mostly. */
function hasNeighbours({ tokens, words }: Words, { at, before }: NumberContext, word: NumberWord): boolean {
  const next = words[at + 1];
  const isNextSaid = next?.needs === 'nothing' && next.language === word.language && next.role !== 'plural';
  const isNext = isNextSaid || (word.needs === 'beside' && word.value === 0 && tokens[at + 1]?.kind === 'digits');
  const isBefore = before?.to === at && (!before.isWritten || word.value === 0) && isSameLanguage(words[at - 1], word);
  return word.needs === 'beside' ? isNext || isBefore : isNextSaid && next.role === 'unit' && isBefore;
}

function isSameLanguage(word: NumberWord | null | undefined, { language }: NumberWord): boolean {
  return word ? word.language === language : true;
}

type Last = 'none' | 'unit' | 'tens' | 'hundreds' | 'thousand';
type Sum = { total: number; part: number; last: Last };

/** The longest quantity from this place on: "two thousand and five", "ciento cuarenta y dos". */
function readQuantity({ tokens, words }: Words, from: number, language: NumberLanguage): NumberGroup | null {
  let sum: Sum = { total: 0, part: 0, last: 'none' };
  let at = from;
  while (at < tokens.length && (at === from || isJoined(tokens[at], tokens[at - 1]))) {
    const word = words[at];
    const next: Sum | null = word?.needs === 'nothing' && word.language === language ? addWord(sum, word) : null;
    if (next) {
      sum = next;
      at += 1;
      continue;
    }
    const joined = connect({ tokens, words }, { at, sum, language });
    if (!joined) break;
    sum = joined;
    at += 2;
  }
  return at === from ? null : { from, to: at, digits: String(sum.total + sum.part), isWritten: false };
}

/** Null where the word begins another number. */
function addWord({ total, part, last }: Sum, { role, value }: NumberWord): Sum | null {
  const isOpen = last === 'none' || last === 'hundreds' || last === 'thousand';
  switch (role) {
    case 'unit':
      if (last === 'none') return { total, part: value, last: 'unit' };
      return value > 0 && last !== 'unit' ? { total, part: part + value, last: 'unit' } : null;
    case 'whole':
      if (value >= 1000) return last === 'none' ? { total, part: value, last: 'unit' } : null;
      return isOpen && (value < 100 || last !== 'hundreds') ? { total, part: part + value, last: 'unit' } : null;
    case 'tens':
      return isOpen ? { total, part: part + value, last: 'tens' } : null;
    case 'hundreds':
      return last === 'none' || last === 'thousand' ? { total, part: part + value, last: 'hundreds' } : null;
    case 'hundred':
      if (last === 'none' || last === 'thousand') return { total, part: part + 100, last: 'hundreds' };
      return part > 0 && part < 100 ? { total, part: part * 100, last: 'hundreds' } : null;
    case 'thousand':
      if (total > 0) return null;
      return { total: (last === 'none' ? 1 : part) * 1000, part: 0, last: 'thousand' };
    default:
      return null;
  }
}

type Connection = { at: number; sum: Sum; language: NumberLanguage };

/** "hundred and five", "cuarenta y dos", "zwei und vierzig": two words further on, or null. */
function connect({ tokens, words }: Words, { at, sum, language }: Connection): Sum | null {
  const connector = CONNECTORS[language];
  const next = words[at + 1];
  if (connector === null || tokens[at]?.word !== connector || !isJoined(tokens[at + 1], tokens[at])) return null;
  if (!next || next.needs !== 'nothing' || next.language !== language) return null;
  if (language === 'de' && sum.last === 'unit' && sum.part > 0 && sum.part < 10 && next.role === 'tens') {
    return { ...sum, part: sum.part + next.value, last: 'unit' };
  }
  const isAfterScale = sum.last === 'hundreds' || sum.last === 'thousand';
  const isFitting = language === 'es' ? sum.last === 'tens' && next.role === 'unit' : isAfterScale;
  return isFitting ? addWord(sum, next) : null;
}

/** Parts of one quantity stand in one segment with nothing but a space or a hyphen between. */
function isJoined(token: Token | undefined, before: Token | undefined): boolean {
  return token !== undefined && token.segment === before?.segment && /^[\s\p{Pd}]*$/u.test(token.gap);
}
