import type { FeatureSink } from './feature-list.ts';

function bits(key: number, from: number, count: number): number {
  return (key >>> from) & ((1 << count) - 1);
}

/** A word without figures: how many are in those beside it, in buckets. */
export function noChunkKey(own: number, before: number, after: number): number {
  return (before << 9) | (after << 5) | own;
}

export function addNoChunk(sink: FeatureSink, key: number): void {
  sink.add(60, bits(key, 9, 4) * 16 + bits(key, 5, 4), bits(key, 0, 5));
}

export type ChunkSize = {
  own: number;
  figures: number;
  letters: number;
  /** One bit each: it begins here, it ends here. */
  edges: number;
  isWhole: number;
  role: number;
  asked: number;
  askedLong: number;
};

/** How much is said in one. */
export function chunkSizeKey({ own, figures, letters, edges, isWhole, role, asked, askedLong }: ChunkSize): number {
  const size = (figures << 4) | letters;
  return (size << 18) | (edges << 16) | (isWhole << 15) | (role << 13) | (asked << 9) | (askedLong << 5) | own;
}

export function addChunkSize(sink: FeatureSink, key: number): void {
  const size = bits(key, 18, 8);
  const isWhole = bits(key, 15, 1);
  sink.add(61, size, bits(key, 0, 5));
  sink.add(62, size, bits(key, 9, 4));
  sink.add(63, size, bits(key, 5, 4));
  sink.add(64, size * 4 + bits(key, 16, 2), isWhole);
  sink.add(68, bits(key, 13, 2) * 16 + bits(key, 22, 4), isWhole);
}

export type ChunkEcho = {
  own: number;
  echo: number;
  byRules: number;
  /** What it was taken for when it was said before: 0 if it was not, 1 if for nothing. */
  before: number;
  figures: number;
  inTurn: number;
  role: number;
  asked: number;
};

/** Whether the figures are said again. */
export function chunkEchoKey({ own, echo, byRules, before, figures, inTurn, role, asked }: ChunkEcho): number {
  const heard = (before << 6) | (echo << 4) | byRules;
  return ((heard << 19) | (figures << 15) | (inTurn << 11) | (role << 9) | (asked << 5) | own) >>> 0;
}

export function addChunkEcho(sink: FeatureSink, key: number): void {
  const [own, asked, role, inTurn] = [bits(key, 0, 5), bits(key, 5, 4), bits(key, 9, 2), bits(key, 11, 4)];
  const [figures, echo, before] = [bits(key, 15, 4), bits(key, 19, 6), bits(key, 25, 5)];
  sink.add(56, echo, own);
  sink.add(57, echo, figures * 4 + role);
  sink.add(58, echo * 16 + asked, figures);
  sink.add(69, figures * 16 + inTurn, asked);
  sink.add(114, before, own);
  sink.add(115, before, figures * 4 + role);
}

/** Figures that are said in the same turn before these: how many such, how far, what the rules found there. */
export type ChunkPlace = { own: number; index: number; figures: number; distance: number; byRules: number };

export function chunkPlaceKey({ own, index, figures, distance, byRules }: ChunkPlace): number {
  return (index << 17) | (figures << 13) | (distance << 9) | (byRules << 5) | own;
}

export function addChunkPlace(sink: FeatureSink, key: number): void {
  const own = bits(key, 0, 5);
  sink.add(121, bits(key, 9, 10), own);
  sink.add(122, bits(key, 5, 4), own);
  sink.add(123, bits(key, 17, 2) * 16 + bits(key, 13, 4), own);
}
