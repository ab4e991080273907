import { EXAMPLE_WORDS, letterOf } from './letters.ts';
import { IBAN_LENGTHS } from './checksums.ts';
import { numberWord } from './number-words.ts';
import type { NumberGroup } from './numbers.ts';
import { plainWord, type Token } from './tokens.ts';

/** Consecutive digits and letters, as in ids and codes: tokens `[from, to)`. */
export type Chain = {
  from: number;
  to: number;
  /** Its start with all letters before it that may also be words: "e ese noventa y uno". */
  wideFrom: number;
  /** Letters and digits of the wide chain, in order. */
  text: string;
  pieces: Piece[];
};

export type Piece = { from: number; to: number; text: string; isWeak: boolean };

type Source = { tokens: readonly Token[]; texts: readonly string[]; groups: ReadonlyMap<number, NumberGroup> };

const lettersOfWordMax = 6;

/** All chains of two pieces or more, in order. The work per token is bounded. */
export function readChains(
  tokens: readonly Token[],
  { texts, groups }: { texts: readonly string[]; groups: readonly NumberGroup[] },
): Chain[] {
  const source: Source = { tokens, texts, groups: new Map(groups.map((group) => [group.from, group])) };
  const chains: Chain[] = [];
  for (let at = 0; at < tokens.length;) {
    const chain = readChain(source, at);
    if (chain) chains.push(chain);
    at = chain?.to ?? at + 1;
  }
  return chains;
}

/** The chain that contains this token. */
export function chainAt(chains: readonly Chain[], at: number): Chain | undefined {
  let low = 0;
  let high = chains.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chains[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const found = chains[low];
  return found && found.wideFrom <= at ? found : undefined;
}

export function digitsIn(text: string): number {
  return text.replaceAll(/[^0-9]/g, '').length;
}

function readChain(source: Source, from: number): Chain | null {
  const pieces: Piece[] = [];
  for (let piece = pieceAt(source, from); piece; piece = pieceAt(source, nextPiece(source, piece.to))) {
    pieces.push(piece);
  }
  while (pieces.length > 1 && isWordAtEdge(pieces.at(-1), pieces.at(-2))) pieces.pop();
  const first = pieces.findIndex((piece, index) => !isWordAtEdge(piece, pieces[index + 1]));
  const start = pieces[first];
  const [wide, last] = [pieces[0], pieces.at(-1)];
  if (!start || !wide || !last || pieces.length - first < 1) return null;
  const text = pieces.map((piece) => piece.text).join('');
  return { from: start.from, to: last.to, wideFrom: wide.from, text, pieces };
}

/** A letter that is usually a word counts at the edge only next to another letter: "pe a be", not "es 4711". */
function isWordAtEdge(piece: Piece | undefined, beside: Piece | undefined): boolean {
  return piece?.isWeak === true && (beside === undefined || beside.isWeak || /^\d/.test(beside.text));
}

const JOINERS = new Set(
  'dash hyphen minus slash stroke dot point space and strich bindestrich minus schrägstrich punkt und guion guión barra punto raya espacio y тире дефис дробь слэш точка capital uppercase lowercase upper lower case groß klein gross großes kleines mayúscula minúscula большая маленькая заглавная строчная underscore unterstrich'
    .split(' ')
    .map(plainWord),
);
const CORRECTIONS = new Set(
  'no sorry wait uh um er hang on i mean nein nee nur moment also äh ähm halt perdón perdona espere eh digo ой нет не э ээ то есть извините'
    .split(' ')
    .map(plainWord),
);
const betweenMax = 4;

/** Where the next piece begins after joiners and corrections; the end of the tokens if there is none. */
function nextPiece(source: Source, from: number): number {
  const { tokens } = source;
  for (let at = from; at <= from + betweenMax && at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || isBreak(token, tokens[at - 1])) break;
    const isJoiner = JOINERS.has(token.word) || CORRECTIONS.has(token.word);
    if (isJoiner && !source.groups.has(at)) continue;
    if (pieceAt(source, at)) return at;
    if (!isJoiner) break;
  }
  return tokens.length;
}

function isBreak(token: Token, before: Token | undefined): boolean {
  return token.segment !== before?.segment || /[?!;:,]|\.\s/.test(token.gap);
}

const DOUBLES = new Set(['double', 'doppel', 'doppelt', 'doble', 'двоиное']);

function pieceAt({ tokens, texts, groups }: Source, at: number): Piece | null {
  const group = groups.get(at);
  if (group) return { from: at, to: group.to, text: group.digits, isWeak: false };
  const token = tokens[at];
  if (token?.kind !== 'word') return null;
  const next = tokens[at + 1];
  if (DOUBLES.has(token.word) && next?.kind === 'word' && next.segment === token.segment) {
    const letter = letterOf(next.word);
    return letter ? { from: at, to: at + 2, text: letter.letter.repeat(2), isWeak: false } : null;
  }
  if (IBAN_LENGTHS.has(token.word) && startsIban({ tokens, groups }, at))
    return { from: at, to: at + 1, text: token.word, isWeak: false };
  const letter = letterOf(token.word);
  if (letter) {
    const to = exampleEnd(tokens, at, letter.letter);
    return { from: at, to, text: letter.letter, isWeak: letter.isWeak && to === at + 1 && !isGlued(tokens, at) };
  }
  if (token.word.length > lettersOfWordMax) return null;
  if (isGlued(tokens, at)) return { from: at, to: at + 1, text: token.word, isWeak: false };
  const raw = texts[token.segment]?.slice(token.from, token.to) ?? '';
  const isCode = /^\p{Lu}+$/u.test(raw) && (tokens[at - 1]?.kind === 'digits' || next?.kind === 'digits');
  return isCode ? { from: at, to: at + 1, text: token.word, isWeak: true } : null;
}

const accountDigitsMin = 8;

/** "De achtzig zwanzig …": a country is no letter where the figures of an account follow. */
function startsIban({ tokens, groups }: Pick<Source, 'tokens' | 'groups'>, at: number): boolean {
  const country = tokens[at]?.word ?? '';
  let digits = '';
  for (let group = groups.get(at + 1); group && digits.length <= accountDigitsMax; group = groups.get(group.to))
    digits += group.digits;
  const isGerman = country === 'de' && numberWord(tokens[at + 1]?.word ?? '')?.language === 'de';
  if (!WORDS.has(country) || isGerman || tokens[at + 1]?.gap === '') return digits.length >= accountDigitsMin;
  return Math.abs(digits.length + 2 - (IBAN_LENGTHS.get(country) ?? 0)) <= figuresOff;
}

/** Countries that are words as well: "my number is …" begins no account in Iceland. */
const WORDS = new Set(['is', 'es', 'no', 'be', 'me', 'at', 'al', 'de', 'si', 'se', 'tr']);
const accountDigitsMax = 40;
const figuresOff = 2;

/** Letters that figures stand right beside, or with a dash between: `A7K-29Q`, `QX-7714`. */
function isGlued(tokens: readonly Token[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!token) return false;
  const isTight = (joint: Token | undefined, other: Token | undefined): boolean =>
    joint !== undefined && other?.kind === 'digits' && other.segment === token.segment && /^[-_/]?$/.test(joint.gap);
  return (before?.segment === token.segment && isTight(token, before)) || isTight(next, next);
}

/** Behind the example of a letter, where one is given. */
function exampleEnd(tokens: readonly Token[], at: number, letter: string): number {
  for (const words of EXAMPLE_WORDS) {
    const example = tokens[at + 1 + words.length];
    const isSaid = words.every((word, index) => {
      const token = tokens[at + 1 + index];
      return token?.word === word && token.segment === tokens[at]?.segment;
    });
    if (!isSaid || example?.kind !== 'word' || example.segment !== tokens[at]?.segment) continue;
    const isOpen = words[0] === 'как' || words[0] === 'wie';
    if (isOpen || example.word.startsWith(letter)) return at + 2 + words.length;
  }
  return at + 1;
}
