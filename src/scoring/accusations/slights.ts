import type { Reading } from './reading.ts';
import type { Sign, Strength } from './sign.ts';
import { withWitnesses } from './witnesses.ts';
import type { PlacedToken } from '../conversation/conversation.ts';
import type { SlightKind } from '../lexicon/accusations/accusation-book.ts';

/** Something rude that the agent says, at the places `[from, to)`; `possible` where nothing else tells that it is meant so. */
export type Slight = {
  kind: SlightKind;
  strength: Exclude<Strength, 'faint'>;
  /** Clear only beside another sign. */
  isBorneOut: boolean;
  from: number;
  to: number;
};

/** What the agent says to insult, swear at, mock, blame or threaten the customer, in order. */
export function findSlights(reading: Reading, signs: readonly Sign[]): Slight[] {
  return withWitnesses(reading, { signs, others: signs })
    .flatMap(({ kind, strength, isBorneOut = false, from, to }): Slight[] =>
      kind === 'consequence' || strength === 'faint' ? [] : [{ kind, strength, isBorneOut, from, to }],
    )
    .toSorted((a, b) => a.from - b.from);
}

/** Whether something rude stands in the same segment as this place, so that its surroundings must not be shown. */
export function hasSlightBeside(tokens: readonly PlacedToken[], slights: readonly Slight[], at: number): boolean {
  const segment = tokens[at]?.utterance;
  return slights.some(({ from, to }) => tokens[from]?.utterance === segment || tokens[to - 1]?.utterance === segment);
}

/** The part of a stretch around its words `core` that is free of rudeness; null where the words themselves are rude. */
export function withoutSlights(
  slights: readonly Slight[],
  stretch: { from: number; to: number },
  core: number,
): { from: number; to: number } | null {
  let { from, to } = stretch;
  for (const slight of slights) {
    if (slight.from <= core && core < slight.to) return null;
    if (slight.to <= core) from = Math.max(from, slight.to);
    else to = Math.min(to, slight.from);
  }
  return { from, to };
}
