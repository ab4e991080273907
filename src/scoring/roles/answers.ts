import { ROLE_TOPICS } from '../lexicon/role-topics.ts';
import { featureId as id, hashOf, joined } from './feature-id.ts';
import type { Emit, ReadUtterance } from './read-utterance.ts';

const TOPICS = Object.keys(ROLE_TOPICS) as (keyof typeof ROLE_TOPICS)[];
const SAID = hashOf('topic before');
const NEXT = hashOf('topic after');

export type Context = {
  before: ReadUtterance;
  next: ReadUtterance;
  /** The one before both. */
  earlier: ReadUtterance | undefined;
};

export function topicsOf(words: ReadUtterance['words']): ReadonlySet<string> {
  return new Set(TOPICS.filter((name) => words.some(({ topics }) => topics.includes(name))));
}

/** What is talked about, by whoever it is. */
export function topicFeatures(read: ReadUtterance, emit: Emit): void {
  const { topics, asks, persons } = read;
  const kind = asks ? 'ask' : 'say';
  for (const topic of topics) {
    emit(id(topic), 1);
    emit(id(`${topic} ${kind}`), 1);
    emit(id(`${topic} ${persons}`), 1);
  }
  if (read.mayAsk) emit(id('may ask'), 1);
  emit(id(`opens ${read.opens ?? 'other'} ${kind}`), 1);
  emit(id(`persons ${persons}`), 1);
  emit(id(`persons ${persons} ${kind}`), 1);
  if (read.hesitates) emit(id('hesitates'), 1);
}

/** What one says and the other answers, in kinds of words rather than in words: they are the same in every language. */
export function answerFeatures(context: Context, emit: Emit): void {
  const { before, next } = context;
  replies(before, next, emit);
  persons(before, next, emit);
  joints(before, next, emit);
  repeats(context, emit);
  for (const topic of before.topics) {
    emit(joined(SAID, hashOf(topic)), 1);
    if (next.topics.has(topic)) emit(id(`${topic} twice`), 1);
  }
  for (const topic of next.topics) emit(joined(NEXT, hashOf(topic)), 1);
  threeInARow(context, emit);
}

/** Whether what comes next is what was asked for. */
function replies(before: ReadUtterance, next: ReadUtterance, emit: Emit): void {
  const asked = before.endsAsking ? before.asksFor : before.mayAsk ? `may ${before.asksFor}` : before.length;
  emit(id(`${asked} then opens ${next.opens ?? 'other'}`), 1);
  if (!before.endsAsking && !before.mayAsk) return;
  for (const topic of next.topics) emit(id(`${asked} then ${topic}`), 1);
  if (next.figures > 0) emit(id(`${asked} then figures`), 1);
  emit(id(`${asked} then ${next.length}`), 1);
  emit(id(`${asked} then ${next.asks ? 'ask' : 'say'}`), 1);
}

function persons(before: ReadUtterance, next: ReadUtterance, emit: Emit): void {
  emit(id(`${before.persons} to ${next.persons}`), 1);
  emit(id(`${before.persons} to ${next.persons} ${before.endsAsking ? 'ask' : 'say'}`), 1);
  if (turnsRound(before, next)) emit(id('your is my'), 1);
}

/** "Your boiler" and "my boiler" are the same one, said by two. */
function turnsRound(before: ReadUtterance, next: ReadUtterance): boolean {
  const [yours, mine] = [ownedBy(before, 'your'), ownedBy(before, 'my')];
  return (
    ownedBy(next, 'my').some((owned) => yours.includes(owned)) ||
    ownedBy(next, 'your').some((owned) => mine.includes(owned))
  );
}

function ownedBy({ words }: ReadUtterance, whose: 'your' | 'my'): number[] {
  return words.flatMap(({ roleWords }, at) => {
    const owned = words[at + 1];
    return owned && roleWords.includes(whose) ? [owned.stem ?? owned.hash] : [];
  });
}

/** How one ends and the next begins: some go on with the same sentence. */
function joints(before: ReadUtterance, next: ReadUtterance, emit: Emit): void {
  const [closes, opens] = [before.words.at(-1)?.closes ?? 'other', next.opens ?? 'other'];
  emit(id(`closes ${closes}`), 1);
  emit(id(`opens ${opens}`), 1);
  emit(id(`closes ${closes} opens ${opens}`), 1);
  emit(id(`opens ${opens} ${next.length}`), 1);
  if (before.hesitates) emit(id('hesitates before'), 1);
  if (next.hesitates) emit(id('hesitates after'), 1);
}

/** What is read back is said by the other one; figures that go on are not. */
function repeats({ before, next, earlier }: Context, emit: Emit): void {
  const figures = next.words.filter(({ isFigure }) => isFigure);
  if (figures.length > 0 && before.figures > 0) emit(id(`figures again ${shareSaid(figures, before)}`), 1);
  const weighty = next.words.filter(({ isLong, isFigure }) => isLong || isFigure);
  if (weighty.length === 0) return;
  const near = shareSaid(weighty, before);
  emit(id(`again ${near}`), 1);
  emit(id(`again ${near} ${next.length}`), 1);
  const far = earlier ? shareSaid(weighty, earlier) : 'none';
  if (far !== 'none') emit(id(`again earlier ${far} ${near}`), 1);
}

/** How many of the words were said there. */
function shareSaid(words: ReadUtterance['words'], there: ReadUtterance): 'none' | 'few' | 'most' | 'all' {
  const said = new Set(there.words.map(({ exact }) => exact));
  const share = words.filter(({ exact }) => said.has(exact)).length / words.length;
  return share === 0 ? 'none' : share < 0.5 ? 'few' : share < 1 ? 'most' : 'all';
}

/** Question, answer and thanks; question, sound of thinking and answer. */
function threeInARow({ before, next, earlier }: Context, emit: Emit): void {
  if (!earlier) return;
  const kind = ({ endsAsking, length }: ReadUtterance): string => (endsAsking ? 'ask' : length);
  const first = `${kind(earlier)} then ${kind(before)} then`;
  emit(id(`${first} ${next.asks ? 'ask' : next.length}`), 1);
  emit(id(`${first} opens ${next.opens ?? 'other'}`), 1);
  emit(id(`earlier ${earlier.persons} to ${next.persons}`), 1);
}
