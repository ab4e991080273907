import type { SaidKind } from '../lexicon/accusations/accusation-book.ts';

/** `clear`: target and hostility in one; `possible`: needs another sign; `faint`: only ever the other sign. */
export type Strength = 'clear' | 'possible' | 'faint';
/** Something that an agent says, at the places `[from, to)`, and what it may be. */
export type Sign<Kind extends string = SaidKind> = { kind: Kind; strength: Strength; from: number; to: number };
