import type { ReadCall } from './call.ts';
import {
  addChunkEcho,
  addChunkPlace,
  addChunkSize,
  addNoChunk,
  chunkEchoKey,
  chunkPlaceKey,
  chunkSizeKey,
  noChunkKey,
} from './chunk-groups.ts';
import {
  addBefore,
  addBeside,
  addBeyond,
  addClasses,
  addForms,
  addPlace,
  addRepeated,
  addRules,
  addThemes,
  addTopics,
  addTurn,
  beforeKey,
  besideKey,
  beyondKey,
  classesKey,
  formsKey,
  placeKey,
  repeatedKey,
  rulesKey,
  themesKey,
  topicsKey,
  turnKey,
  type FeatureGroup,
} from './feature-groups.ts';
import { FeatureListBuilder, type Features, type FeatureSink } from './feature-list.ts';
import { mix } from './hashing.ts';
import { bucketOf, NO_TOPIC, topicNumber, type TurnView } from './turn-view.ts';
import { CLASSES, familyOf, type WordRead } from './word-classes.ts';

/** What every token of a turn looks like, in the order of `Features`: the plain way, by which the tagger learns. */
export function featuresOf(call: ReadCall, view: TurnView): Features {
  const builder = new FeatureListBuilder();
  const keys = new Int32Array(GROUPS.length);
  const target = { keys, own: 0 };
  for (let at = view.from; at < view.to; at += 1) {
    const place = { at, view };
    for (const [way, add] of WAYS.entries()) add(builder, wordAt(call, view, at + (WAYS_FROM[way] ?? 0)));
    readKeys(target, call, place);
    for (const [group, add] of GROUPS.entries()) {
      const key = keys[group] ?? NO_KEY;
      if (key !== NO_KEY) add(builder, key);
    }
    addPairs(builder, call, place);
    addShared(builder, view, call.families[at] ?? 0);
    builder.next();
  }
  return builder.build();
}

export type Place = { at: number; view: TurnView };

/** Stands for the words beyond the edges of a turn. */
const OUTSIDE: WordRead = {
  id: 0,
  hash: 1,
  isWord: false,
  isEverywhere: false,
  parts: [],
  wordClass: CLASSES,
  figures: 0,
  letters: 0,
  length: 0,
  theme: 0,
};

export function wordAt({ words }: ReadCall, { from, to }: TurnView, at: number): WordRead {
  return at < from || at >= to ? OUTSIDE : (words[at] ?? OUTSIDE);
}

/** What a word alone tells: of itself, and of those two before and behind it. */
export const WAYS: readonly ((sink: FeatureSink, word: WordRead) => void)[] = [
  addWord,
  (sink, { hash }) => sink.add(10, hash),
  (sink, { hash }) => sink.add(11, hash),
  (sink, { hash }) => sink.add(12, hash),
  (sink, { hash }) => sink.add(13, hash),
];
/** Where the word of each way stands. */
export const WAYS_FROM = [0, -1, 1, -2, 2] as const;

function addWord(sink: FeatureSink, { hash, isWord, parts, wordClass, length }: WordRead): void {
  sink.add(1, hash);
  if (isWord) for (const [index, part] of parts.entries()) sink.add(3 + index, part);
  if (familyOf(wordClass) === 3) sink.add(8, length);
}

export const GROUPS: readonly FeatureGroup[] = [
  addClasses,
  addForms,
  addTopics,
  addTurn,
  addRepeated,
  addThemes,
  addBeside,
  addBeyond,
  addBefore,
  addRules,
  addNoChunk,
  addChunkSize,
  addChunkEcho,
  addChunkPlace,
  addPlace,
];
/** A group that has nothing to tell of this token. */
export const NO_KEY = -1;

/** A number for each group, from `own` on. */
export type Keys = { keys: Int32Array; own: number };

/** The key of each group for one token. */
export function readKeys(target: Keys, call: ReadCall, place: Place): void {
  const { at, view } = place;
  const { keys, own: first } = target;
  const own = call.words[at]?.wordClass ?? 0;
  const kind = (beside: number): number => wordAt(call, view, beside).wordClass;
  const theme = (beside: number): number => wordAt(call, view, beside).theme;
  keys[first] = classesKey(kind(at - 1), own, kind(at + 1));
  keys[first + 1] = formsOf(call, place, own);
  keys[first + 2] = topicsOf(call, place, own);
  keys[first + 3] = turnKey({
    own,
    role: view.role,
    length: bucketOf(view.to - view.from),
    asked: view.asked,
    isQuestion: view.isQuestion,
    figures: view.figures,
  });
  keys[first + 4] = repeatedKey(own, call.repeated[at] ?? 0, takenAt(call, call.saidAt[at] ?? -1), view.asked);
  keys[first + 5] = themesKey(own, view.themes, view.askedThemes);
  keys[first + 6] = besideKey(own, theme(at), theme(at - 1), theme(at + 1));
  keys[first + 7] = beyondKey(own, theme(at - 2) | theme(at - 3), theme(at + 2) | theme(at + 3));
  keys[first + 8] = beforeKey({
    own,
    heard: view.heard,
    other: view.takenBefore,
    same: view.takenOwn,
    earlier: view.takenEarlier,
  });
  keys[first + 9] = rulesKey(own, rulesAround(call, place), view.asked);
  readChunkKeys(target, call, place);
  const length = bucketOf(view.to - view.from);
  keys[first + 14] = placeKey(familyOf(own), length, bucketOf(at - view.from), bucketOf(view.to - 1 - at));
}

/** 0 where it was not said, 1 where it was and stays. */
function takenAt({ taken }: ReadCall, at: number): number {
  return at < 0 ? 0 : 1 + (taken[at] ?? 0);
}

function formsOf({ gaps, shapes }: ReadCall, { at, view }: Place, own: number): number {
  const shape = (beside: number): number => (beside < view.from || beside >= view.to ? 7 : (shapes[beside] ?? 0));
  const next = at + 1 < view.to ? (gaps[at + 1] ?? 0) : 15;
  return formsKey(own, (shape(at - 1) * 8 + shape(at)) * 8 + shape(at + 1), gaps[at] ?? 0, next);
}

function topicsOf({ leadsOf }: ReadCall, { at, view }: Place, own: number): number {
  const leads = leadsOf[view.turn] ?? [];
  const { asked, askedLong } = view;
  if (leads.length === 0) {
    return topicsKey({ own, said: 0, distance: 15, next: 0, nextDistance: 15, inside: 0, asked, askedLong });
  }
  const last = leads.findLast(({ to }) => to <= at);
  const next = leads.find(({ from }) => from > at);
  return topicsKey({
    own,
    said: topicNumber(last?.topic),
    distance: last ? bucketOf(at - last.to) : 15,
    next: topicNumber(next?.topic),
    nextDistance: next ? Math.min(12, next.from - at) : 15,
    inside: leads.some(({ from, to }) => from <= at && at < to) ? 1 : 0,
    asked,
    askedLong,
  });
}

function rulesAround({ byRules }: ReadCall, { at, view }: Place): number {
  const rule = (beside: number): number => (beside < view.from || beside >= view.to ? 0 : (byRules[beside] ?? 0));
  return (rule(at - 2) << 12) | (rule(at - 1) << 8) | (rule(at) << 4) | rule(at + 1);
}

function readChunkKeys({ keys, own: first }: Keys, call: ReadCall, { at, view }: Place): void {
  const { chunks, words, byRules } = call;
  const own = words[at]?.wordClass ?? 0;
  const chunk = chunks[at];
  if (!chunk) {
    keys[first + 10] = noChunkKey(own, bucketOf(chunks[at - 1]?.figures ?? 0), bucketOf(chunks[at + 1]?.figures ?? 0));
    keys[first + 11] = NO_KEY;
    keys[first + 12] = NO_KEY;
    keys[first + 13] = NO_KEY;
    return;
  }
  const { role, asked, askedLong } = view;
  const figures = bucketOf(chunk.figures);
  const edges = (at === chunk.from ? 1 : 0) + (at === chunk.to - 1 ? 2 : 0);
  const isWhole = chunk.to - chunk.from === view.to - view.from ? 1 : 0;
  const letters = Math.min(15, chunk.letters);
  keys[first + 10] = NO_KEY;
  keys[first + 11] = chunkSizeKey({ own, figures, letters, edges, isWhole, role, asked, askedLong });
  keys[first + 12] = chunkEchoKey({
    own,
    echo: chunk.echo,
    byRules: chunk.echoByRules,
    before: takenAt(call, chunk.saidAt),
    figures,
    inTurn: view.figures,
    role,
    asked,
  });
  keys[first + 13] = chunkPlaceKey({
    own,
    index: Math.min(3, chunk.index),
    figures: bucketOf(chunk.before?.figures ?? 0),
    distance: chunk.before ? bucketOf(chunk.from - chunk.before.to) : 15,
    byRules: chunk.before ? (byRules[chunk.before.from] ?? 0) : 0,
  });
}

/** What words tell together with each other and with what is around them. */
export function addPairs(sink: FeatureSink, call: ReadCall, { at, view }: Place): void {
  const { families, byRules, chunks } = call;
  const { hash: own, wordClass } = wordAt(call, view, at);
  const family = families[at] ?? 0;
  const { hash: before, wordClass: classBefore } = wordAt(call, view, at - 1);
  const { hash: after, wordClass: classAfter } = wordAt(call, view, at + 1);
  const { hash: before2, wordClass: classBefore2 } = wordAt(call, view, at - 2);
  sink.add(27, (classBefore2 * 32 + classBefore) * 32 + wordClass);
  sink.add(29, (wordClass * 32 + classAfter) * 32 + wordAt(call, view, at + 2).wordClass);
  sink.add(16, before, own);
  sink.add(17, own, after);
  sink.add(20, mix(0, before2, before), family);
  sink.add(21, before, wordClass);
  sink.add(22, after, wordClass);
  sink.add(23, before2, family);
  sink.add(92, byRules[at] ?? 0, own);
  addNamed(sink, call, { at, view });
  const chunk = chunks[at];
  if (!chunk) return;
  const figures = bucketOf(chunk.figures);
  const first = call.words[chunk.from - 1]?.hash ?? 0;
  sink.add(65, figures, first);
  sink.add(66, figures, call.words[chunk.to]?.hash ?? 0);
  sink.add(67, first, call.words[chunk.from - 2]?.hash ?? 0);
}

function addNamed(sink: FeatureSink, { words, leadsOf }: ReadCall, { at, view }: Place): void {
  const last = leadsOf[view.turn]?.findLast(({ to }) => to <= at);
  const said = topicNumber(last?.topic);
  sink.add(42, said, words[at - 1]?.hash ?? 0);
  sink.add(51, view.askedLong * 2 + (said === NO_TOPIC ? 0 : 1), words[at]?.hash ?? 0);
}

/** What the turn and those around it say of all words of a family. */
export function addShared(sink: FeatureSink, view: TurnView, family: number): void {
  sink.add(45, view.asked, family);
  sink.add(48, view.asked * 16 + view.askedAlso, family);
  sink.add(49, view.askedBefore * 16 + view.asked, family);
  sink.add(52, view.role * 16 + view.asked, family);
  sink.add(75, view.first, family);
  sink.add(79, mix(0, view.before.at(-2) ?? 0, view.before.at(-1) ?? 0), family);
  sink.add(98, view.heard * 16 + view.asked, family);
  sink.add(78, view.before.at(-1) ?? 0, family * 16 + bucketOf(view.to - view.from));
  const taken = view.takenBefore * 16 + view.takenOwn;
  sink.add(110, taken, family);
  sink.add(117, taken * 16 + view.asked, family);
  for (const hash of view.before) sink.add(76, hash, family);
  for (const hash of view.after) sink.add(77, hash, family);
}
