/** How many texts have a word, in four steps; words are told by a hash. 0 is hardly any, which names and passwords mostly are. */
export type CommonWords = Uint8Array;

const COMMON_PLACES: number = 1 << 18;
/** Texts that have a word of this step, at least. */
export const STEPS = [2, 5, 20] as const;

export function placeOfWord(hash: number): number {
  return (hash ^ (hash >>> 15)) & (COMMON_PLACES - 1);
}

export function emptyCommonWords(): CommonWords {
  return new Uint8Array(COMMON_PLACES);
}
