import type { ToldCall, ToldLine } from './corpora.ts';

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
export function createRandom(seed: string): () => number {
  let state = [...seed].reduce((hash, sign) => Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619), 2_166_136_261);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** As a recogniser without punctuation writes it. */
export function unpunctuated(lines: readonly ToldLine[]): ToldLine[] {
  return lines.map(({ text, ...line }) => ({
    ...line,
    text: text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}' ]+/gu, ' ')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  }));
}

const JOINTS = new Set(
  'and but so because or if und aber oder weil dann also wenn y pero o porque entonces si и а но или потому что если'.split(
    ' ',
  ),
);

/**
 * As a recogniser cuts it: at some ends of sentences, and where people take a breath within one; and, as recordings are,
 * now and then without the beginning or the end.
 */
export function cut({ call, lines }: ToldCall, seed: string): ToldLine[] {
  const random = createRandom(`${seed} ${call}`);
  const pieces = lines.flatMap(({ role, text }) =>
    sentences(text, random)
      .flatMap((sentence) => breaths(sentence, { random, isMarked: /[.?!,]/u.test(text) }))
      .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
      .map((piece) => ({ role, text: piece })),
  );
  const from = random() < 0.15 ? 1 + Math.floor(random() * pieces.length * 0.4) : 0;
  const to = pieces.length - (random() < 0.35 ? 1 + Math.floor(random() * pieces.length * 0.35) : 0);
  return to - from >= 6 ? pieces.slice(from, to) : pieces;
}

function sentences(text: string, random: () => number): string[] {
  const parts: string[] = [];
  for (const sentence of text.match(/[^.?!]+[.?!]*\s*/gu) ?? [text]) {
    const last = parts.length - 1;
    if (last < 0 || random() < 0.35) parts.push(sentence);
    else parts[last] += sentence;
  }
  return parts;
}

function breaths(sentence: string, { random, isMarked }: { random: () => number; isMarked: boolean }): string[] {
  const words = sentence.trim().split(/\s+/u);
  if (words.length < 8 || random() >= (isMarked ? 0.15 : 0.4)) return [sentence.trim()];
  const joints = words.flatMap((word, at) => {
    const isJoint = JOINTS.has(word.toLowerCase()) || words[at - 1]?.endsWith(',') === true;
    return isJoint && at >= 3 && at <= words.length - 2 ? [at] : [];
  });
  const anywhere = 3 + Math.floor(random() * (words.length - 5));
  const at =
    joints.length > 0 && random() < 0.8 ? (joints[Math.floor(random() * joints.length)] ?? anywhere) : anywhere;
  return [words.slice(0, at).join(' '), words.slice(at).join(' ')];
}
