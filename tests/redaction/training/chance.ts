/** The same numbers every time: xorshift from a seed. */
export function createChance(seed: number): Chance {
  let state = seed | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 8; round += 1) next();
  return {
    next,
    below: (most) => Math.floor(next() * most),
    of: (all) => all[Math.floor(next() * all.length)],
  };
}

export type Chance = {
  next: () => number;
  below: (most: number) => number;
  of: <T>(all: readonly T[]) => T | undefined;
};

export function shuffled(length: number, chance: Chance): number[] {
  const order = Array.from({ length }, (_, index) => index);
  for (let at = length - 1; at > 0; at -= 1) {
    const other = chance.below(at + 1);
    [order[at], order[other]] = [order[other] ?? other, order[at] ?? at];
  }
  return order;
}

export function seedOf(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93);
  return value;
}
