import type { ReadCall } from './call.ts';
import { FeatureListBuilder, PLACES, type Features } from './feature-list.ts';
import { mix } from './hashing.ts';
import { bucketOf, NO_TOPIC, topicNumber, viewOf, type TurnView } from './turn-view.ts';
import { CLASSES } from './word-classes.ts';

/** Stands for the word beyond an edge of the turn. The first number of each feature is its template: weights go by it. */
const outside = 1;

/** What each token of one turn looks like: the word, its neighbours, what was asked before, and what the rules found. */
export function featuresOf(call: ReadCall, turn: number): Features {
  const { from, to } = call.turns[turn] ?? { from: 0, to: 0 };
  const builder = new FeatureListBuilder(to - from);
  const view = viewOf(call, turn);
  for (let at = from; at < to; at += 1) {
    addWord(builder, call, at);
    addNeighbours(builder, call, { at, from, to });
    addForms(builder, call, { at, from, to });
    addThemes(builder, call, { at, view });
    addTopics(builder, call, { at, view });
    addChunk(builder, call, { at, view });
    addTurn(builder, call, { at, view });
    addRules(builder, call, { at, view });
    builder.next();
  }
  return { ...builder.build(), families: call.families.slice(from, to), shared: sharedOf(view) };
}

const FAMILIES = 8;

/** What the turn and those around it say of all words of a family. */
function sharedOf(view: TurnView): number[][] {
  const pair = mix(0, view.before.at(-2) ?? 0, view.before.at(-1) ?? 0);
  const ways: [number, number][] = [
    [45, view.asked],
    [48, view.asked * 16 + view.askedAlso],
    [49, view.askedBefore * 16 + view.asked],
    [52, view.role * 16 + view.asked],
    [75, view.first],
    [79, pair],
    [98, view.heard * 16 + view.asked],
    ...view.before.map((hash): [number, number] => [76, hash]),
    ...view.after.map((hash): [number, number] => [77, hash]),
  ];
  return Array.from({ length: FAMILIES }, (_, family) =>
    ways.map(([template, value]) => mix(template, value, family) & (PLACES - 1)),
  );
}

type Place = { at: number; from: number; to: number };

function addWord(builder: FeatureListBuilder, { words, families, tokens }: ReadCall, at: number): void {
  const word = words[at];
  if (!word) return;
  builder.add(1, word.hash);
  builder.add(2, word.wordClass);
  if (tokens[at]?.kind === 'word') {
    for (const [index, part] of word.parts.entries()) builder.add(3 + index, part);
  }
  if ((families[at] ?? 0) === 3) builder.add(8, word.length);
}

/** Words within the turn; its edges are words as well. */
function addNeighbours(builder: FeatureListBuilder, { words, families }: ReadCall, { at, from, to }: Place): void {
  const hash = (place: number): number => (place < from || place >= to ? outside : (words[place]?.hash ?? 0));
  const kind = (place: number): number => (place < from || place >= to ? CLASSES : (words[place]?.wordClass ?? 0));
  const own = hash(at);
  const family = families[at] ?? 0;
  const [before, after, before2, after2] = [hash(at - 1), hash(at + 1), hash(at - 2), hash(at + 2)];
  builder.add(10, before);
  builder.add(11, after);
  builder.add(12, before2);
  builder.add(13, after2);
  builder.add(16, before, own);
  builder.add(17, own, after);
  builder.add(18, before2, before);
  builder.add(19, after, after2);
  builder.add(20, mix(0, before2, before), family);
  builder.add(21, before, kind(at));
  builder.add(22, after, kind(at));
  builder.add(23, before2, family);
  builder.add(24, after2, family);
  const [a, b, c, d, e] = [kind(at - 2), kind(at - 1), kind(at), kind(at + 1), kind(at + 2)];
  builder.add(25, b * 32 + c);
  builder.add(26, c * 32 + d);
  builder.add(27, (a * 32 + b) * 32 + c);
  builder.add(28, (b * 32 + c) * 32 + d);
  builder.add(29, (c * 32 + d) * 32 + e);
}

/** Capitals and what stands between the words. */
function addForms(builder: FeatureListBuilder, { words, gaps, shapes }: ReadCall, { at, from, to }: Place): void {
  const shape = (place: number): number => (place < from || place >= to ? 7 : (shapes[place] ?? 0));
  const own = words[at]?.wordClass ?? 0;
  const gap = gaps[at] ?? 0;
  const next = at + 1 < to ? (gaps[at + 1] ?? 0) : 15;
  builder.add(32, shape(at), own);
  builder.add(33, shape(at), gap);
  builder.add(34, (shape(at - 1) * 8 + shape(at)) * 8 + shape(at + 1), gap);
  builder.add(35, gap, own);
  builder.add(36, next, own);
  builder.add(37, gap * 16 + next, own);
  builder.add(38, words[at]?.hash ?? 0, gap * 16 + next);
}

/** Streets, e-mail and the like among the words around. */
function addThemes(builder: FeatureListBuilder, { words, families }: ReadCall, { at, view }: Seen): void {
  const family = families[at] ?? 0;
  const own = words[at]?.wordClass ?? 0;
  const theme = (place: number): number => (place < view.from || place >= view.to ? 0 : (words[place]?.theme ?? 0));
  builder.add(100, theme(at), own);
  builder.add(101, theme(at - 1) * 128 + theme(at + 1), family);
  builder.add(102, theme(at - 2) | theme(at - 3), family);
  builder.add(103, theme(at + 2) | theme(at + 3), family);
  builder.add(104, view.themes & 63, own);
  builder.add(105, view.askedThemes & 63, own);
  builder.add(106, theme(at - 1), own);
  builder.add(107, theme(at + 1), own);
}

type Seen = { at: number; view: TurnView };

function addTopics(builder: FeatureListBuilder, { words, families, leadsOf }: ReadCall, { at, view }: Seen): void {
  const family = families[at] ?? 0;
  const own = words[at]?.wordClass ?? 0;
  const leads = leadsOf[view.turn] ?? [];
  const last = leads.findLast(({ to }) => to <= at);
  const next = leads.find(({ from }) => from > at);
  const inside = leads.some(({ from, to }) => from <= at && at < to) ? 1 : 0;
  const said = topicNumber(last?.topic);
  const distance = last ? bucketOf(at - last.to) : 15;
  builder.add(40, said * 16 + distance, family);
  builder.add(41, said, own);
  builder.add(42, said, words[at - 1]?.hash ?? 0);
  builder.add(43, topicNumber(next?.topic) * 16 + (next ? Math.min(12, next.from - at) : 15), family);
  builder.add(44, inside, family);
  builder.add(46, view.asked, own);
  builder.add(47, view.asked * 16 + said, own);
  builder.add(50, view.askedLong, own);
  builder.add(51, view.askedLong * 2 + (said === NO_TOPIC ? 0 : 1), words[at]?.hash ?? 0);
}

function addChunk(builder: FeatureListBuilder, { words, chunks }: ReadCall, { at, view }: Seen): void {
  const chunk = chunks[at];
  const own = words[at]?.wordClass ?? 0;
  if (!chunk) {
    const before = chunks[at - 1];
    const after = chunks[at + 1];
    builder.add(60, bucketOf(before?.figures ?? 0) * 16 + bucketOf(after?.figures ?? 0), own);
    return;
  }
  const size = bucketOf(chunk.figures) * 16 + Math.min(15, chunk.letters);
  const place = (at === chunk.from ? 1 : 0) + (at === chunk.to - 1 ? 2 : 0);
  const isRest = chunk.to - chunk.from === view.to - view.from ? 1 : 0;
  builder.add(61, size, own);
  builder.add(62, size, view.asked);
  builder.add(63, size, view.askedLong);
  builder.add(64, size * 4 + place, isRest);
  builder.add(65, bucketOf(chunk.figures), words[chunk.from - 1]?.hash ?? 0);
  builder.add(66, bucketOf(chunk.figures), words[chunk.to]?.hash ?? 0);
  builder.add(67, words[chunk.from - 1]?.hash ?? 0, words[chunk.from - 2]?.hash ?? 0);
  builder.add(68, view.role * 16 + bucketOf(chunk.figures), isRest);
  const echo = chunk.echo * 16 + chunk.echoByRules;
  builder.add(56, echo, own);
  builder.add(57, echo, bucketOf(chunk.figures) * 4 + view.role);
  builder.add(58, echo * 16 + view.asked, bucketOf(chunk.figures));
  builder.add(69, bucketOf(chunk.figures) * 16 + view.figures, view.asked);
}

function addTurn(builder: FeatureListBuilder, { words, families, repeated }: ReadCall, { at, view }: Seen): void {
  const family = families[at] ?? 0;
  const own = words[at]?.wordClass ?? 0;
  const length = view.to - view.from;
  builder.add(70, view.role, own);
  builder.add(71, bucketOf(length) * 16 + bucketOf(at - view.from), family);
  builder.add(72, bucketOf(view.to - 1 - at), family);
  builder.add(73, bucketOf(length) * 16 + view.asked, own);
  builder.add(74, view.isQuestion * 4 + view.role, own);
  builder.add(78, view.before.at(-1) ?? 0, family * 16 + bucketOf(length));
  builder.add(80, view.figures, own);
  const known = repeated.get(words[at]?.hash ?? 0);
  const isRepeated = known && known.count > 1 ? 1 + known.byRules : 0;
  builder.add(81, isRepeated, own);
  builder.add(82, isRepeated * 16 + view.asked, family);
}

function addRules(builder: FeatureListBuilder, { words, families, byRules }: ReadCall, { at, view }: Seen): void {
  const family = families[at] ?? 0;
  const own = words[at]?.wordClass ?? 0;
  const rule = (place: number): number => (place < view.from || place >= view.to ? 0 : (byRules[place] ?? 0));
  const now = rule(at);
  builder.add(90, now, family);
  builder.add(91, now, own);
  builder.add(92, now, words[at]?.hash ?? 0);
  builder.add(93, rule(at - 1) * 16 + now, family);
  builder.add(94, rule(at + 1) * 16 + now, family);
  builder.add(95, (rule(at - 2) * 16 + rule(at - 1)) * 16 + rule(at + 1), now * 16 + family);
  builder.add(96, now * 16 + view.asked, family);
  builder.add(97, view.heard, own);
}
