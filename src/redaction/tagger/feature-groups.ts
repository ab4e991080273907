import type { FeatureSink } from './feature-list.ts';
import { familyOf } from './word-classes.ts';

/**
 * Features that a few small numbers tell, packed into one key of at most 31 bits: the sum of their weights can be kept for
 * the next word that has the same. The functions that pack are beside those that unpack.
 */
export type FeatureGroup = (sink: FeatureSink, key: number) => void;

/** The bits of a key from one on. */
function bits(key: number, from: number, count: number): number {
  return (key >>> from) & ((1 << count) - 1);
}

/** Classes of a word and of those beside it. */
export function classesKey(before: number, own: number, after: number): number {
  return (before << 10) | (own << 5) | after;
}

export function addClasses(sink: FeatureSink, key: number): void {
  sink.add(2, bits(key, 5, 5));
  sink.add(25, bits(key, 5, 10));
  sink.add(26, bits(key, 0, 10));
  sink.add(28, key);
}

/** Shapes of three words in one number, and what stands before and behind the one in the middle. */
export function formsKey(own: number, shapes: number, gap: number, next: number): number {
  return (shapes << 13) | (gap << 9) | (next << 5) | own;
}

export function addForms(sink: FeatureSink, key: number): void {
  const [own, next, gap, shapes] = [bits(key, 0, 5), bits(key, 5, 4), bits(key, 9, 4), bits(key, 13, 9)];
  const shape = bits(shapes, 3, 3);
  sink.add(32, shape, own);
  sink.add(33, shape, gap);
  sink.add(34, shapes, gap);
  sink.add(35, gap, own);
  sink.add(36, next, own);
  sink.add(37, gap * 16 + next, own);
}

export type Named = {
  own: number;
  said: number;
  distance: number;
  next: number;
  nextDistance: number;
  inside: number;
  asked: number;
  askedLong: number;
};

/** What was named before and is named after, and what was asked. */
export function topicsKey({ own, said, distance, next, nextDistance, inside, asked, askedLong }: Named): number {
  const around = (said << 21) | (distance << 17) | (next << 13) | (nextDistance << 9);
  return ((askedLong << 25) | around | (asked << 5) | own) + (inside << 29);
}

export function addTopics(sink: FeatureSink, key: number): void {
  const own = bits(key, 0, 5);
  const asked = bits(key, 5, 4);
  const said = bits(key, 21, 4);
  const family = familyOf(own);
  sink.add(40, bits(key, 17, 8), family);
  sink.add(41, said, own);
  sink.add(43, bits(key, 9, 8), family);
  sink.add(44, bits(key, 29, 1), family);
  sink.add(46, asked, own);
  sink.add(47, asked * 16 + said, own);
  sink.add(50, bits(key, 25, 4), own);
}

export type InTurn = {
  own: number;
  role: number;
  length: number;
  asked: number;
  isQuestion: number;
  figures: number;
};

/** Who speaks, and how much; the length is a bucket. */
export function turnKey({ own, role, length, asked, isQuestion, figures }: InTurn): number {
  return (length << 16) | (figures << 12) | (asked << 8) | (role << 6) | (isQuestion << 5) | own;
}

export function addTurn(sink: FeatureSink, key: number): void {
  const [own, isQuestion, role, asked] = [bits(key, 0, 5), bits(key, 5, 1), bits(key, 6, 2), bits(key, 8, 4)];
  sink.add(70, role, own);
  sink.add(73, bits(key, 16, 4) * 16 + asked, own);
  sink.add(74, isQuestion * 4 + role, own);
  sink.add(80, bits(key, 12, 4), own);
}

/** How far the word is from the edges of its turn, in buckets. */
export function placeKey(family: number, length: number, before: number, after: number): number {
  return (length << 11) | (before << 7) | (after << 3) | family;
}

export function addPlace(sink: FeatureSink, key: number): void {
  const family = bits(key, 0, 3);
  sink.add(71, bits(key, 11, 4) * 16 + bits(key, 7, 4), family);
  sink.add(72, bits(key, 3, 4), family);
}

/** A word that is said again: what the rules found it to be, and what it was taken for before. */
export function repeatedKey(own: number, byRules: number, before: number, asked: number): number {
  return (byRules << 14) | (before << 9) | (asked << 5) | own;
}

export function addRepeated(sink: FeatureSink, key: number): void {
  const [own, asked, before, byRules] = [bits(key, 0, 5), bits(key, 5, 4), bits(key, 9, 5), bits(key, 14, 5)];
  sink.add(81, byRules, own);
  sink.add(82, byRules * 16 + asked, familyOf(own));
  sink.add(116, before, own);
}

/** Themes of the turn and of what was said before it. */
export function themesKey(own: number, themes: number, asked: number): number {
  return ((themes & 63) << 11) | ((asked & 63) << 5) | own;
}

export function addThemes(sink: FeatureSink, key: number): void {
  sink.add(104, bits(key, 11, 6), bits(key, 0, 5));
  sink.add(105, bits(key, 5, 6), bits(key, 0, 5));
}

/** Themes of the word and of those beside it. */
export function besideKey(own: number, now: number, before: number, after: number): number {
  return (now << 21) | (before << 13) | (after << 5) | own;
}

export function addBeside(sink: FeatureSink, key: number): void {
  const [own, after, before] = [bits(key, 0, 5), bits(key, 5, 8), bits(key, 13, 8)];
  sink.add(100, bits(key, 21, 8), own);
  sink.add(101, before * 256 + after, familyOf(own));
  sink.add(106, before, own);
  sink.add(107, after, own);
}

/** Themes of the words beyond those. */
export function beyondKey(own: number, before: number, after: number): number {
  return (before << 13) | (after << 5) | own;
}

export function addBeyond(sink: FeatureSink, key: number): void {
  const family = familyOf(bits(key, 0, 5));
  sink.add(102, bits(key, 13, 8), family);
  sink.add(103, bits(key, 5, 8), family);
}

export type Before = { own: number; heard: number; other: number; same: number; earlier: number };

/** What the rules found last, and what was taken for a secret in the turns before. */
export function beforeKey({ own, heard, other, same, earlier }: Before): number {
  return (heard << 17) | (other << 13) | (same << 9) | (earlier << 5) | own;
}

export function addBefore(sink: FeatureSink, key: number): void {
  const own = bits(key, 0, 5);
  sink.add(97, bits(key, 17, 4), own);
  sink.add(111, bits(key, 13, 4), own);
  sink.add(112, bits(key, 9, 4), own);
  sink.add(113, bits(key, 5, 4), own);
}

/** What the rules found at the word and around it: two before, one before, the word, one after. */
export function rulesKey(own: number, found: number, asked: number): number {
  return (found << 9) | (asked << 5) | own;
}

export function addRules(sink: FeatureSink, key: number): void {
  const [own, asked, found] = [bits(key, 0, 5), bits(key, 5, 4), bits(key, 9, 16)];
  const [after, now, before, before2] = [bits(found, 0, 4), bits(found, 4, 4), bits(found, 8, 4), bits(found, 12, 4)];
  const family = familyOf(own);
  sink.add(90, now, family);
  sink.add(91, now, own);
  sink.add(93, before * 16 + now, family);
  sink.add(94, after * 16 + now, family);
  sink.add(95, (before2 * 16 + before) * 16 + after, now * 16 + family);
  sink.add(96, now * 16 + asked, family);
}
