import type { Topic } from '../lexicon.ts';
import type { ReadCall } from './call.ts';
import { NONE } from './labels.ts';

const TOPICS: readonly Topic[] = [
  'other',
  'card',
  'expiry',
  'code',
  'someCode',
  'pin',
  'password',
  'id',
  'phone',
  'birth',
  'email',
  'iban',
  'account',
  'address',
  'name',
];
export const NO_TOPIC = 0;

export function topicNumber(topic: Topic | undefined): number {
  return topic === undefined ? NO_TOPIC : TOPICS.indexOf(topic) + 1;
}

export function topicOf(number: number): Topic | undefined {
  return TOPICS[number - 1];
}

/** What a turn stands in: what was named before it, and the words of those around it. */
export type TurnView = {
  turn: number;
  role: number;
  from: number;
  to: number;
  /** What the turn before, and those before that, named last. */
  asked: number;
  askedAlso: number;
  askedBefore: number;
  askedLong: number;
  isQuestion: number;
  before: readonly number[];
  after: readonly number[];
  first: number;
  figures: number;
  heard: number;
  themes: number;
  askedThemes: number;
  /** What was taken for a secret last in the turn before, in the one before that, and in two earlier ones. */
  takenBefore: number;
  takenOwn: number;
  takenEarlier: number;
};

const heardBeforeMax = 8;
const heardAfterMax = 4;
const ROLES = ['agent', 'customer'];

export function viewOf(call: ReadCall, turn: number): TurnView {
  const { turns, words, leadsOf, tokens, takenLast } = call;
  const { from, to, role } = turns[turn] ?? { from: 0, to: 0, role: 'unknown' };
  const lastOf = (index: number, back = 1): number => topicNumber(leadsOf[index]?.at(-back)?.topic);
  const previous = turns[turn - 1];
  const next = turns[turn + 1];
  const hashes = (start: number, end: number): number[] => words.slice(start, end).map(({ hash }) => hash);
  let askedLong = NO_TOPIC;
  for (let index = turn - 1; index >= Math.max(0, turn - 6) && askedLong === NO_TOPIC; index -= 1) {
    askedLong = lastOf(index);
  }
  return {
    turn,
    role: ROLES.indexOf(role) + 1,
    from,
    to,
    asked: lastOf(turn - 1),
    askedAlso: lastOf(turn - 1, 2),
    askedBefore: lastOf(turn - 3) || lastOf(turn - 2),
    askedLong,
    isQuestion: previous && /\?/.test(tokens[previous.to - 1]?.tail ?? '') ? 1 : 0,
    before: previous ? hashes(Math.max(previous.from, previous.to - heardBeforeMax), previous.to) : [],
    after: next ? hashes(next.from, Math.min(next.to, next.from + heardAfterMax)) : [],
    first: words[from]?.hash ?? 0,
    figures: bucketOf(figuresIn(call, from, to)),
    heard: heardRules(call, turn),
    themes: themesIn(call, from, to),
    askedThemes: previous ? themesIn(call, Math.max(previous.from, previous.to - heardBeforeMax), previous.to) : 0,
    takenBefore: takenLast[turn - 1] ?? NONE,
    takenOwn: takenLast[turn - 2] ?? NONE,
    takenEarlier: (takenLast[turn - 3] ?? NONE) || (takenLast[turn - 4] ?? NONE),
  };
}

const wordsMax = 80;

function figuresIn({ words }: ReadCall, from: number, to: number): number {
  let figures = 0;
  for (let at = from; at < Math.min(to, from + wordsMax); at += 1) figures += words[at]?.figures ?? 0;
  return figures;
}

function themesIn({ words }: ReadCall, from: number, to: number): number {
  let themes = 0;
  for (let at = from; at < Math.min(to, from + wordsMax); at += 1) themes |= words[at]?.theme ?? 0;
  return themes;
}

const BUCKETS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 19];

export function bucketOf(count: number): number {
  let bucket = 0;
  while (bucket < BUCKETS.length && count > (BUCKETS[bucket] ?? 0)) bucket += 1;
  return bucket;
}

/** What the rules found last in the turns before. */
function heardRules({ byRules, turns }: ReadCall, turn: number): number {
  const { from } = turns[turn] ?? { from: 0 };
  for (let at = from - 1; at >= Math.max(0, from - 60); at -= 1) if (byRules[at]) return byRules[at] ?? 0;
  return 0;
}
