import { ROLE_WORDS } from '../lexicon/role-words.ts';
import type { Token } from '../../model/text/tokens.ts';
import { heardActs } from './acts.ts';
import { topicFeatures, topicsOf } from './answers.ts';
import { featureId, hashOf, joined } from './feature-id.ts';
import type { Emit, ReadUtterance } from './read-utterance.ts';
import { type WordFacts, factsOf } from './words.ts';

export type UtteranceToTell = {
  tokens: readonly Token[];
  text: string;
  /** Where it is known when it is said. */
  startMs?: number | undefined;
  endMs?: number | undefined;
};

/** Place of an utterance among those that are told apart. */
export type UtterancePosition = { index: number; count: number };

const COUNT_MAX = 3;
/** Beyond this, the rest of a monologue says no more about who speaks. */
const TOKENS_MAX = 120;
/** Words in a row are read up to here. */
const WORDS_MAX = 60;
const ROLE_WORD_NAMES = Object.keys(ROLE_WORDS) as (keyof typeof ROLE_WORDS)[];

export function readUtterance({ tokens: all, text }: UtteranceToTell): ReadUtterance {
  const tokens = all.slice(0, TOKENS_MAX);
  const words = tokens.map(({ word }) => factsOf(word));
  const ending = all.length > TOKENS_MAX ? all.slice(-TOKENS_MAX) : tokens;
  const trimmed = text.trim();
  return {
    words,
    acts: heardActs(tokens),
    asks: asks(tokens, words, 'anywhere'),
    asksFor: words.findLast(({ asksFor }) => asksFor !== null)?.asksFor ?? 'whether',
    mayAsk: words.some(
      ({ asks, asksFor }, at) =>
        asksFor !== null ||
        (asks && ['you', 'i', 'we', 'it', 'they', 'there', 'the'].includes(words[at + 1]?.opens ?? '')),
    ),
    topics: topicsOf(words),
    opens: words[0]?.opens ?? null,
    persons: personsOf(words),
    hesitates: HESITATES.test(text),
    endsAsking: asks(ending, ending === tokens ? words : ending.map(({ word }) => factsOf(word)), 'end'),
    length: lengthOf(tokens.length),
    figures: words.filter(({ isFigure }) => isFigure).length,
    isSeveral: tokens.filter(({ pause }) => pause === 'stop' || pause === 'question').length > 1,
    opensAs: /^[«"“¿¡(]*\p{Lu}/u.test(trimmed) ? 'upper' : /^[«"“¿¡(]*\p{Ll}/u.test(trimmed) ? 'lower' : 'other',
    closesAs: /[.?!…]["'»”)]?$/u.test(trimmed) ? 'end' : /[,;:–—-]$/u.test(trimmed) ? 'comma' : 'open',
    isMarked: /[.?!]/u.test(trimmed) || /^\p{Lu}/u.test(trimmed),
  };
}

/** What one utterance says about its speaker. */
export function utteranceFeatures(read: ReadUtterance, place: UtterancePosition, emit: Emit): void {
  for (const act of read.acts) emit(act, 1);
  smallWords(read, emit);
  forms(read, emit);
  places(read, place, emit);
  topicFeatures(read, emit);
  wordsInARow(read.words.slice(0, WORDS_MAX), place, emit);
}

const HESITATES = /(?<!\p{L})(?:u[hm]+|er+m?|h?mm+|äh+m?|öh+m?|eh|este|э+|ээм|эм|м+)(?!\p{L})/iu;

function personsOf(words: readonly WordFacts[]): string {
  const says = (...names: (keyof typeof ROLE_WORDS)[]): boolean =>
    words.some(({ roleWords }) => roleWords.some((name) => names.includes(name)));
  return `${says('i', 'my', 'me') ? 'i' : ''}${says('you', 'your') ? 'you' : ''}${says('we') ? 'we' : ''}`;
}

function smallWords({ words, asks }: ReadUtterance, emit: Emit): void {
  const kind = asks ? 'ask' : 'say';
  emit(featureId(kind), 1);
  const counts = new Map<string, number>();
  for (const { roleWords } of words) for (const name of roleWords) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of ROLE_WORD_NAMES) {
    const heard = Math.min(COUNT_MAX, counts.get(name) ?? 0);
    if (heard === 0) continue;
    emit(featureId(name), heard);
    emit(featureId(`${kind} ${name}`), heard);
  }
}

function forms({ words, length, figures, isSeveral }: ReadUtterance, emit: Emit): void {
  emit(featureId(`length ${length}`), 1);
  if (figures * 2 >= words.length) emit(featureId('mostly figures'), 1);
  if (figures > 0) emit(featureId('figures'), Math.min(COUNT_MAX, figures) / COUNT_MAX);
  if (isSeveral) emit(featureId('several sentences'), 1);
  for (const form of ['mos', 'ite', 'em']) {
    const count = words.filter((word) => word.form === form).length;
    if (count > 0) emit(featureId(`words in ${form}`), Math.min(COUNT_MAX, count));
  }
}

function places({ words, asks }: ReadUtterance, { index, count }: UtterancePosition, emit: Emit): void {
  const start = words[0]?.start ?? null;
  if (start !== null) emit(featureId(`starts ${start}`), 1);
  const place = index === 0 ? 'first' : index === count - 1 ? 'last' : index === 1 ? 'second' : null;
  if (place === null) return;
  emit(featureId(place), 1);
  emit(featureId(`${place} ${words.length <= 3 ? 'short' : asks ? 'ask' : 'say'}`), 1);
  if (start !== null) emit(featureId(`${place} ${start}`), 1);
}

const WORD = hashOf('word');
const PAIR = hashOf('two words');
const FIRST = hashOf('first word');
const FIRST_TWO = hashOf('first two words');
const LAST = hashOf('last word');
const LAST_TWO = hashOf('last two words');
const WHOLE = hashOf('all words');

/** Each feature once, however often it is said. */
function wordsInARow(words: readonly WordFacts[], place: UtterancePosition, emit: Emit): void {
  const seen = new Set<number>();
  const add = (feature: number): void => {
    if (seen.has(feature)) return;
    seen.add(feature);
    emit(feature, 1);
  };
  for (const [at, { hash, stem, ending }] of words.entries()) {
    add(joined(WORD, hash));
    if (stem !== null) add(stem);
    if (ending !== null) add(ending);
    const next = words[at + 1];
    if (next) add(joined(PAIR, joined(hash, next.hash)));
  }
  const zone = featureId(`zone ${zoneOf(place)}`);
  add(zone);
  for (const { hash } of words.slice(0, 3)) add(joined(zone, hash));
  const [first, second] = words;
  const [last, before] = [words.at(-1), words.at(-2)];
  if (first) add(joined(FIRST, first.hash));
  if (last) add(joined(LAST, last.hash));
  if (first && second) add(joined(FIRST_TWO, joined(first.hash, second.hash)));
  if (last && before) add(joined(LAST_TWO, joined(before.hash, last.hash)));
  if (words.length <= 3) add(words.reduce((all, { hash }) => joined(all, hash), WHOLE));
}

/** A call is opened and closed in the same words everywhere. */
function zoneOf({ index, count }: UtterancePosition): string {
  if (index < 2) return 'start';
  if (index < 5) return 'early';
  const left = count - index;
  return left <= 2 ? 'end' : left <= 5 ? 'late' : 'middle';
}

/** With a question mark, or as questions begin: recognisers write no marks. */
function asks(tokens: readonly Token[], words: readonly WordFacts[], where: 'anywhere' | 'end'): boolean {
  const last = tokens.at(-1);
  if (!last) return false;
  if (last.pause === 'question') return true;
  if (where === 'anywhere' && tokens.some(({ pause }) => pause === 'question')) return true;
  if (last.pause === 'stop') return false;
  const start = tokens.findLastIndex(({ pause }, at) => pause === 'stop' && at < tokens.length - 1) + 1;
  const [first, second, third] = words.slice(start, start + 3);
  if (!first) return false;
  return first.asks || (first.leads && (second?.asks === true || third?.asks === true));
}

function lengthOf(count: number): ReadUtterance['length'] {
  if (count <= 1) return 'word';
  if (count <= 4) return 'short';
  return count <= 12 ? 'middle' : 'long';
}
