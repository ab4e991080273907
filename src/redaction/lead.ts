import { type Topic } from './lexicon.ts';

/** Words that name what is said next (or what was said just before): tokens `[from, to)`. */
export type Lead = { topic: Topic; from: number; to: number };
