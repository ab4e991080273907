import { isNearDemand, type Reading } from './reading.ts';
import type { Sign } from './sign.ts';

/** The first end and the last beginning of the signs of a turn: whether one of them stands apart from a given one. */
type Edges = { firstEnd: number; lastStart: number };
type ByTurn = Map<number, Edges>;

/** In the same breath, or the turns of the agent before and after. */
const NEAR_TURNS = [0, -2, 2];

/**
 * Nobody is accused by one phrase that may as well be harmless: it takes another sign close by, the customer's protest, or for a
 * threat its condition. What has none stays `possible`; what is only faint is left out.
 */
export function withWitnesses<Kind extends string>(
  reading: Reading,
  { signs, others }: { signs: readonly Sign<Kind>[]; others: readonly Sign<string>[] },
): Sign<Kind>[] {
  const all = edgesOf(reading, others);
  const strong = edgesOf(
    reading,
    others.filter(({ strength }) => strength !== 'faint'),
  );
  return signs.flatMap((sign) => {
    if (sign.strength !== 'possible') return sign.strength === 'clear' ? [sign] : [];
    const turn = turnOf(reading, sign);
    const isWitnessed =
      NEAR_TURNS.some((away) => standsApart(away === 0 ? all : strong, turn + away, sign)) ||
      reading.protested.has(turn + 1) ||
      isDemand(reading, sign);
    return [isWitnessed ? { ...sign, strength: 'clear' as const } : sign];
  });
}

function edgesOf(reading: Reading, signs: readonly Sign<string>[]): ByTurn {
  const byTurn: ByTurn = new Map();
  for (const sign of signs) {
    const turn = turnOf(reading, sign);
    const edges = byTurn.get(turn) ?? { firstEnd: Infinity, lastStart: -Infinity };
    byTurn.set(turn, {
      firstEnd: Math.min(edges.firstEnd, sign.to),
      lastStart: Math.max(edges.lastStart, sign.from),
    });
  }
  return byTurn;
}

function standsApart(byTurn: ByTurn, turn: number, { from, to }: Sign<string>): boolean {
  const edges = byTurn.get(turn);
  return edges !== undefined && (edges.firstEnd <= from || edges.lastStart >= to);
}

function turnOf({ conversation }: Reading, { from }: Sign<string>): number {
  return conversation.tokens[from]?.utterance.turn ?? -1;
}

/** "If you do not pay today …" */
function isDemand(reading: Reading, { kind, from }: Sign<string>): boolean {
  return (kind === 'threat' || kind === 'consequence') && isNearDemand(reading, from);
}
