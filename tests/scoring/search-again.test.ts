import { describe, expect, it } from 'vitest';
import { PHRASEBOOKS } from '../../src/scoring/lexicon/phrasebooks.ts';
import { compilePhrases } from '../../src/model/text/compile-phrases.ts';
import { findIndexed, indexWords, searchAgain, type Searched } from '../../src/scoring/text/phrases.ts';
import { createTokenReader } from '../../src/model/text/tokens.ts';
import { storedCalls, storedTranscript } from './corpus.ts';

/** The same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Stretches of some words, that end anywhere. */
function endsAnywhere(count: number, random: () => number): number[] {
  const ends: number[] = [];
  for (let from = 0; from < count;) {
    const to = Math.min(count, from + 1 + Math.floor(random() * 14));
    for (; from < to; from += 1) ends.push(to);
  }
  return ends;
}

describe('phrases that are looked for again in the same words', () => {
  it('are those that are found when they are looked for the first time, wherever stretches end', () => {
    const random = createRandom(7);
    const read = createTokenReader();
    const texts = storedCalls().map((each) => storedTranscript(each, 'asr').transcript.text);
    const sets = Object.values(PHRASEBOOKS.en).map((phrases) => compilePhrases(phrases));
    for (const text of texts) {
      const index = indexWords(read(text));
      for (const set of sets) {
        let before: Searched | undefined;
        for (let round = 0; round < 4; round += 1) {
          const ends = endsAnywhere(index.tokens.length, random);
          const search = { index, set, endOf: (at: number): number => ends[at] ?? at + 1 };
          const { found, searched } = searchAgain({ ...search, before });
          before = searched;
          expect(found).toEqual(findIndexed(search));
        }
      }
    }
  });
});
