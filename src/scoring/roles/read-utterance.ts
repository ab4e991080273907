import type { WordFacts } from './words.ts';

/** Takes a feature and how much of it there is; what is not given is 0. */
export type Emit = (feature: number, value: number) => void;

/** What is read once of an utterance, for itself and for its neighbours. */
export type ReadUtterance = {
  words: readonly WordFacts[];
  acts: ReadonlySet<number>;
  asks: boolean;
  /** Whether its last sentence is a question: that is what comes next answers. */
  endsAsking: boolean;
  /** What its last question asks for, by its question word. */
  asksFor: string;
  /** Whether it holds a question word or an inversion anywhere: recognisers write no question marks. */
  mayAsk: boolean;
  topics: ReadonlySet<string>;
  opens: string | null;
  /** Whom it speaks of: itself, the other one, both. */
  persons: string;
  hesitates: boolean;
  length: 'word' | 'short' | 'middle' | 'long';
  figures: number;
  isSeveral: boolean;
  opensAs: 'upper' | 'lower' | 'other';
  closesAs: 'end' | 'comma' | 'open';
  isMarked: boolean;
};
