import { isNearDemand, type Reading } from './reading.ts';
import type { Sign } from './sign.ts';

/** The first end and the last beginning of the signs of a turn, and those of another word than these: whether one stands apart. */
type Edges = { first: Edge; firstOther: Edge; last: Edge; lastOther: Edge };
type Edge = { at: number; word: string };
type ByTurn = Map<number, Edges>;

/** `isBorneOut`: clear only beside another sign. */
export type Witnessed<Kind extends string> = Sign<Kind> & { isBorneOut?: boolean };

/** In the same breath, or the turns of the agent before and after. */
const NEAR_TURNS = [0, -2, 2];

/**
 * Nobody is accused by one phrase that may as well be harmless: it takes another sign close by, the customer's protest, or for a
 * threat its condition. The same word again is no other sign: things have rude names, and are named twice. What has none stays `possible`; what is only faint is left out.
 */
export function withWitnesses<Kind extends string>(
  reading: Reading,
  { signs, others }: { signs: readonly Sign<Kind>[]; others: readonly Sign<string>[] },
): Witnessed<Kind>[] {
  const all = edgesOf(reading, others);
  const strong = edgesOf(
    reading,
    others.filter(({ strength }) => strength !== 'faint'),
  );
  return signs.flatMap((sign) => {
    if (sign.strength !== 'possible') return sign.strength === 'clear' ? [sign] : [];
    const turn = turnOf(reading, sign);
    const named = { ...sign, word: wordOf(reading, sign) };
    const isWitnessed =
      NEAR_TURNS.some((away) => standsApart(away === 0 ? all : strong, turn + away, named)) ||
      reading.protested.has(turn + 1) ||
      isDemand(reading, sign);
    return [isWitnessed ? { ...sign, strength: 'clear' as const, isBorneOut: true } : sign];
  });
}

function edgesOf(reading: Reading, signs: readonly Sign<string>[]): ByTurn {
  const byTurn: ByTurn = new Map();
  for (const sign of signs) {
    const turn = turnOf(reading, sign);
    const word = wordOf(reading, sign);
    const edges = byTurn.get(turn) ?? { first: NONE_YET, firstOther: NONE_YET, last: NONE, lastOther: NONE };
    const [first, firstOther] = outermost(
      [edges.first, edges.firstOther, { at: sign.to, word }],
      (a, b) => a.at - b.at,
    );
    const [last, lastOther] = outermost([edges.last, edges.lastOther, { at: sign.from, word }], (a, b) => b.at - a.at);
    byTurn.set(turn, { first, firstOther, last, lastOther });
  }
  return byTurn;
}

const NONE_YET: Edge = { at: Infinity, word: '' };
const NONE: Edge = { at: -Infinity, word: '' };

/** The first of three in this order, and the first of another word. */
function outermost(edges: readonly [Edge, Edge, Edge], order: (a: Edge, b: Edge) => number): readonly [Edge, Edge] {
  const [first = edges[0], ...rest] = edges.toSorted(order);
  return [first, rest.find(({ word }) => word !== first.word) ?? rest.at(-1) ?? first];
}

function standsApart(byTurn: ByTurn, turn: number, { from, to, word }: Sign<string> & { word: string }): boolean {
  const edges = byTurn.get(turn);
  if (!edges) return false;
  const first = edges.first.word === word ? edges.firstOther : edges.first;
  const last = edges.last.word === word ? edges.lastOther : edges.last;
  return (first.word !== word && first.at <= from) || (last.word !== word && last.at >= to);
}

/** What a sign of one word begins with, so that its plural is the same word. A phrase is a word of its own, wherever it stands. */
function wordOf({ conversation }: Reading, { from, to }: Sign<string>): string {
  return to - from === 1
    ? (conversation.tokens[from]?.word.slice(0, STEM_LETTERS) ?? '')
    : `${String(from)} ${String(to)}`;
}

const STEM_LETTERS = 4;

function turnOf({ conversation }: Reading, { from }: Sign<string>): number {
  return conversation.tokens[from]?.utterance.turn ?? -1;
}

/** "If you do not pay today …" */
function isDemand(reading: Reading, { kind, from }: Sign<string>): boolean {
  return (kind === 'threat' || kind === 'consequence') && isNearDemand(reading, from);
}
