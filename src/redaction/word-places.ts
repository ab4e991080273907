import type { Word } from '../model/transcript.ts';

/** A word with its index among all words, and its range `[from, to)` in the text of its segment. */
export type PlacedWord = Word & { index: number; from: number; to: number };

const LETTER = /[\p{L}\p{N}@]/u;
const searchLettersMax = 60;

/**
 * Finds the words of a segment in its text by their letters and digits, in order. Words that do not occur in the text
 * are left out, as it is unknown what they reveal.
 */
export function placeWords(text: string, words: readonly Word[]): PlacedWord[] {
  const letters = readLetters(text);
  const joined = letters.map(({ letter }) => letter).join('');
  const placed: PlacedWord[] = [];
  let at = 0;
  for (const [index, word] of words.entries()) {
    const wanted = readLetters(word.text)
      .map(({ letter }) => letter)
      .join('');
    if (wanted === '') continue;
    const found = joined.slice(at, at + searchLettersMax + wanted.length).indexOf(wanted);
    const first = letters[at + found];
    const last = letters[at + found + wanted.length - 1];
    if (found < 0 || !first || !last) continue;
    placed.push({ ...word, index, from: first.from, to: last.to });
    at += found + wanted.length;
  }
  return placed;
}

/** Lower-case letters and digits, one code unit each, with their original positions. */
function readLetters(text: string): { letter: string; from: number; to: number }[] {
  const letters: { letter: string; from: number; to: number }[] = [];
  let from = 0;
  for (const character of text) {
    const to = from + character.length;
    const plain = LETTER.test(character) ? character.toLowerCase() : '';
    for (const letter of plain.split('')) letters.push({ letter, from, to });
    from = to;
  }
  return letters;
}
