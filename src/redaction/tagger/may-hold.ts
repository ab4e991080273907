import type { Topic } from '../lexicon.ts';
import { isValue, type ReadCall } from './call.ts';
import { topicOf, type TurnView } from './turn-view.ts';
import { CLASS, type WordRead } from './word-classes.ts';

/** The last family of words that are not common. */
const RARE = 3;
/** What these name may be any words; what others name has figures, letters or rare words in it. */
const ANY_WORDS: ReadonlySet<Topic> = new Set(['password', 'pin', 'code', 'someCode', 'address', 'email']);
const reach = 3;

/**
 * The words of a turn that can be part of something, 1 each: all where something was named or asked for or the rules found
 * something, else those around a number, a name or a rare word. Null for none.
 */
export function maskOf(call: ReadCall, view: TurnView, { names }: { names: boolean }): Uint8Array | null {
  const { from, to } = view;
  if (isNamed(call, view, names)) return new Uint8Array(to - from).fill(1);
  let mask: Uint8Array | null = null;
  for (let at = from; at < to; at += 1) {
    if (!isTelling(call, at)) continue;
    mask ??= new Uint8Array(to - from);
    mask.fill(1, Math.max(0, at - from - reach), at - from + reach + 1);
  }
  return mask;
}

function isNamed({ leadsOf, byRules }: ReadCall, { turn, from, to, ...view }: TurnView, names: boolean): boolean {
  const isAny = (topic: Topic): boolean => ANY_WORDS.has(topic) || (names && topic === 'name');
  const asked = topicOf(view.askedLong);
  if (asked && isAny(asked)) return true;
  if (leadsOf[turn]?.some((lead) => isAny(lead.topic))) return true;
  for (let at = from; at < to; at += 1) if (byRules[at]) return true;
  return false;
}

/** A number, a date, a name, a rare word; a letter that is a word by itself only beside another. */
function isTelling({ words, families }: ReadCall, at: number): boolean {
  const word = words[at];
  if (!word || word.wordClass === CLASS.weakNumber) return false;
  if (word.wordClass !== CLASS.letter || !word.isEverywhere) return (families[at] ?? 0) <= RARE;
  return [-2, -1, 1, 2].some((beside) => isSpelled(words[at + beside]));
}

function isSpelled(word: WordRead | undefined): boolean {
  return word !== undefined && isValue(word);
}
