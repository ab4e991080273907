/** Something that must be done once: a request to a provider, a mail, a delivery. `by` is the process that did it, where that shows. */
export type Use = { what: string; by: string | null; at: number };

/** The end of a process. */
export type Ending = { who: string; at: number };

export type Doubles = { twice: number; unexplained: Use[][] };

/**
 * What was done twice. A process that dies between the answer of another program and its own note of it leaves whoever comes
 * after it no choice; nothing else excuses a double. Where nothing shows who did it, the end of any process does.
 */
export function findDoubles(uses: readonly Use[], endings: readonly Ending[]): Doubles {
  const byWhat = Map.groupBy(uses, ({ what }) => what);
  const pairs = [...byWhat.values()].flatMap((same) => {
    const inOrder = same.toSorted((a, b) => a.at - b.at);
    return inOrder.slice(1).map((next, index): [Use, Use] => [inOrder[index] ?? next, next]);
  });
  const isExplained = ([first, next]: [Use, Use]): boolean =>
    endings.some(({ who, at }) => (first.by === null || first.by === who) && at >= first.at && at <= next.at);
  return { twice: pairs.length, unexplained: pairs.filter((pair) => !isExplained(pair)) };
}
