import type { Token } from '../../model/text/tokens.ts';
import { isNumberWord } from './numbers.ts';

const EMPTY = new Set(
  `a an the and or but if so to of in on at by for from with about as into over than then that this these those there
  here it its is am are was were be been being do does did done doing have has had having will would can could may might
  shall should must not no yes i me my mine we us our you your yours he him his she her they them their who what which
  when where why how just really very also too please thank thanks okay alright right well now today like want need
  wanted needed would get got give make put let know see say said tell told call calling called called phone ring speak
  hi hello hey good morning afternoon evening name sorry sure great going go come back up down out off all any some
  more one two thing something anything else help again because think mean actually basically guess still yet ever
  time way lot bit much many able possible wondering trying looking question problem issue`.split(/\s+/u),
);

/** The words that carry meaning, reduced to their stem, so that "cancel" and "cancelled" are equal. */
export function contentWords(tokens: readonly Token[]): Set<string> {
  const words = new Set<string>();
  for (const { word } of tokens) if (isContentWord(word)) words.add(stem(word));
  return words;
}

export function isContentWord(word: string): boolean {
  return word.length >= 3 && !EMPTY.has(word) && !isNumberWord(word);
}

/** A light stemmer: enough to recognize two forms of one word. */
export function stem(word: string): string {
  const cut = word.replace(/(?:ational|ation|ments?|ings?|edly|ies|ed|es|s|e)$/u, '');
  const base = cut.length >= 3 ? cut : word;
  return base.replace(/(.)\1$/u, '$1');
}
