import type { english } from './english/english.ts';

/** Everything that reports say, in one language; a table without an entry of the English one does not compile. */
export type Messages = typeof english;
