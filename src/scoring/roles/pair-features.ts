import type { Emit, ReadUtterance } from './read-utterance.ts';
import { answerFeatures } from './answers.ts';
import { featureId as id, hashOf, joined } from './feature-id.ts';

const COUNT_MAX = 3;
const FIRST = hashOf('then first word');
const FIRST_TWO = hashOf('then first two words');
const OPENED = hashOf('first word before');
const LAST = hashOf('last word before');
const LAST_TWO = hashOf('last two words before');
const SEAM = hashOf('words at the seam');
const SAID = hashOf('before');
const NEXT = hashOf('after');
/** Words this near to the seam. */
const WORDS_MAX = 20;

/**
 * How an utterance of this call is cut: whole turns, sentences, or what is said in one breath. Where they are short and
 * hold one sentence each, people go on more often.
 */
export function styleOf(read: readonly ReadUtterance[]): string {
  const count = Math.max(1, read.length);
  const share = (of: (each: ReadUtterance) => boolean): number => read.filter(of).length / count;
  const mean = read.reduce((sum, { words }) => sum + words.length, 0) / count;
  const length = mean < 5.5 ? 'brief' : mean < 7 ? 'usual' : mean < 9 ? 'more' : 'full';
  if (share(({ isMarked }) => isMarked) <= 0.5) return `${length} bare`;
  const several = share(({ isSeveral }) => isSeveral);
  const isTorn = share(({ closesAs }) => closesAs !== 'end') > 0.1;
  return `${length} ${several < 0.15 ? 'single' : several < 0.3 ? 'some' : 'several'} ${isTorn ? 'torn' : 'whole'}`;
}

export type Pair = {
  before: ReadUtterance;
  next: ReadUtterance;
  /** The one before both. */
  earlier?: ReadUtterance | undefined;
  style: string;
};

/** What two utterances, one after the other, say about whether their speaker is the same. */
export function pairFeatures({ before, next, earlier, style }: Pair, emit: Emit): void {
  emit(id('any'), 1);
  emit(id(`any ${style}`), 1);
  emit(id(`any ${style} ${before.length}`), 1);
  emit(id(`any ${style} ${before.endsAsking ? 'ask' : 'say'}`), 1);
  const asked = before.endsAsking ? 'ask' : 'say';
  const [startBefore, start] = [before.words[0]?.start ?? null, next.words[0]?.start ?? null];
  emit(id(`${asked} then ${next.asks ? 'ask' : 'say'}`), 1);
  emit(id(`${before.length} then ${next.length}`), 1);
  if (start !== null) emit(id(`${asked} then ${start}`), 1);
  if (start !== null && start === startBefore) emit(id(`${start} twice`), 1);
  const marks = before.isMarked || next.isMarked ? `mark ${before.closesAs} ${next.opensAs}` : 'unmarked';
  emit(id(marks), 1);
  manners(before, next, emit);
  seam(before, next, emit);
  echoes(before, next, emit);
  neighbours(before, next, emit);
  answerFeatures({ before, next, earlier }, emit);
}

function manners(before: ReadUtterance, next: ReadUtterance, emit: Emit): void {
  const thanks = says(before, 'thanks');
  if (thanks && says(next, 'welcome')) emit(id('thanks then welcome'), 1);
  if (thanks && says(next, 'thanks')) emit(id('thanks twice'), 1);
  for (const kind of ['bye', 'hello']) {
    const isSaid = ({ words }: ReadUtterance): boolean => words.some(({ start }) => start === kind);
    if (isSaid(before) && isSaid(next)) emit(id(`${kind} said twice`), 1);
  }
}

function says({ words }: ReadUtterance, kind: 'thanks' | 'welcome'): boolean {
  return words.some(({ roleWords }) => roleWords.includes(kind));
}

function seam({ words: before }: ReadUtterance, { words: next }: ReadUtterance, emit: Emit): void {
  const [opened, last, lastButOne] = [before[0], before.at(-1), before.at(-2)];
  const [first, second] = next;
  if (!opened || !last || !first) return;
  emit(joined(FIRST, first.hash), 1);
  emit(joined(LAST, last.hash), 1);
  emit(joined(OPENED, opened.hash), 1);
  emit(joined(SEAM, joined(last.hash, first.hash)), 1);
  if (second) emit(joined(FIRST_TWO, joined(first.hash, second.hash)), 1);
  if (lastButOne) emit(joined(LAST_TWO, joined(lastButOne.hash, last.hash)), 1);
}

/** What is said and done on both sides of the seam. */
function neighbours(before: ReadUtterance, next: ReadUtterance, emit: Emit): void {
  for (const hash of new Set(before.words.slice(-WORDS_MAX).map(({ hash }) => hash))) emit(joined(SAID, hash), 1);
  for (const hash of new Set(next.words.slice(0, WORDS_MAX).map(({ hash }) => hash))) emit(joined(NEXT, hash), 1);
  for (const act of before.acts) emit(joined(SAID, act), 1);
  for (const act of next.acts) emit(joined(NEXT, act), 1);
}

/** Words and figures of one that the other takes up: what is told is read back. */
function echoes(before: ReadUtterance, next: ReadUtterance, emit: Emit): void {
  const said = new Set(before.words.map(({ hash }) => hash));
  const again = next.words.filter(({ isLong, hash }) => isLong && said.has(hash)).length;
  if (again > 0) emit(id(`echo ${Math.min(COUNT_MAX, again)}`), 1);
  if (again > 0 && again === next.words.length && again <= COUNT_MAX) emit(id('echo of all'), 1);
  const [told, read] = [before.figures >= 2, next.figures >= 2];
  if (told) emit(id('figures before'), 1);
  if (read) emit(id('figures after'), 1);
  if (told && read) emit(id('figures twice'), 1);
}
