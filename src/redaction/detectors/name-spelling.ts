import { EXAMPLE_WORDS, letterOf } from '../letters.ts';
import { plainWord, type Token } from '../tokens.ts';
import type { Turn } from '../turns.ts';

const lettersMin = 3;
const tokensMax = 60;
/** Stand between the letters of a name that is spelled, or before the first of them. */
const BETWEEN = new Set(
  "that's thats spelled spelt is with and then dash hyphen double doppel doppelt double no without mit ohne und con y sin doble latina griega guion через дефис как краткое мягкий твердый знак с и de as in for like wie como am ende at the end a an e two zwei dos"
    .split(' ')
    .map(plainWord),
);

/** Behind the letters that a name is spelled by: "Abernathy a b e r n a t h y", "con ge de girona", "mit ie". */
export function spelledEnd(tokens: readonly Token[], to: number, turn: Turn): number {
  let [end, letters, isWith] = [to, 0, false];
  for (let at = to; at < Math.min(turn.to, to + tokensMax);) {
    const token = tokens[at];
    if (token?.kind !== 'word' || /[.?!;]/.test(token.gap)) break;
    const isLetter =
      letterOf(token.word) !== null || /^(?:ie|ei|ck|ss|sz|th|ph|ll|tz|dt|oe|ue|ae|ai|ay|ey)$/.test(token.word);
    if (isLetter && !(BETWEEN.has(token.word) && !nextIsLetter(tokens, at))) {
      letters += 1;
      end = exampleEnd(tokens, at) ?? at + 1;
      at = end;
    } else if (BETWEEN.has(token.word) && at - end < 3) {
      isWith ||= at === to && /^(?:with|mit|ohne|con|sin|через|с|without)$/.test(token.word);
      at += 1;
    } else break;
  }
  return letters >= lettersMin || (isWith && letters > 0) ? end : to;
}

function nextIsLetter(tokens: readonly Token[], at: number): boolean {
  return letterOf(tokens[at + 1]?.word ?? '') !== null || letterOf(tokens[at - 1]?.word ?? '') !== null;
}

/** "Ge de girona", "uve de venecia". */
function exampleEnd(tokens: readonly Token[], at: number): number | null {
  for (const words of EXAMPLE_WORDS) {
    const isSaid = words.every((word, index) => tokens[at + 1 + index]?.word === word);
    const example = tokens[at + 1 + words.length];
    if (isSaid && example?.kind === 'word' && example.word.length > 2) return at + 2 + words.length;
  }
  return null;
}
