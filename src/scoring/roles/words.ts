import { ANSWER_STARTS, QUESTION_STARTS, ROLE_WORDS } from '../lexicon/role-words.ts';
import { FINE_ENDS, FINE_STARTS, QUESTION_KINDS, ROLE_TOPICS } from '../lexicon/role-topics.ts';
import { hashOf } from './feature-id.ts';

type RoleWord = keyof typeof ROLE_WORDS;
type Topic = keyof typeof ROLE_TOPICS;

/** What is known of a word wherever it stands. */
export type WordFacts = {
  hash: number;
  /** The word as it is, where any number stands for every other one above. */
  exact: string;
  /** Its first five letters and its last three, where it has more: languages bend their words. */
  stem: number | null;
  ending: number | null;
  roleWords: readonly RoleWord[];
  topics: readonly Topic[];
  /** As what an answer begins with it. */
  start: string | null;
  /** What kind of word it is as the first or the last one of an utterance. */
  opens: string | null;
  closes: string | null;
  /** What a question with it asks for. */
  asksFor: string | null;
  form: 'mos' | 'ite' | 'em' | null;
  isFigure: boolean;
  asks: boolean;
  leads: boolean;
  isLong: boolean;
};

const LEADS = new Set(
  'and so okay ok yes und ja also dann y pero entonces а и так хорошо alright thanks thank'.split(' '),
);
const NUMBERS = new Set(
  (
    'zero oh one two three four five six seven eight nine ten double null eins zwei zwo drei vier funf sechs sieben acht ' +
    'neun zehn cero uno dos tres cuatro cinco seis siete ocho nueve diez ноль один два три четыре пять шесть семь восемь ' +
    'девять десять'
  ).split(' '),
);
const TOPIC_SETS = Object.entries(ROLE_TOPICS) as [Topic, ReadonlySet<string>][];
const ROLE_WORD_SETS = Object.entries(ROLE_WORDS) as [RoleWord, ReadonlySet<string>][];
const STEM_LENGTH = 5;
const ENDING_LENGTH = 3;
/** Words that say what is talked about, rather than how. */
const LONG_LENGTH_MIN = 4;
/** A language has some tens of thousands of words; what comes after is not kept. */
const KEPT_MAX = 20_000;

const kept = new Map<string, WordFacts>();

export function factsOf(word: string): WordFacts {
  const known = kept.get(word);
  if (known) return known;
  const facts = readWord(word);
  if (kept.size < KEPT_MAX && word.length <= 40) kept.set(word, facts);
  return facts;
}

function readWord(word: string): WordFacts {
  const hasDigit = /\d/u.test(word);
  const isFigure = hasDigit || NUMBERS.has(word);
  // One number tells as much as another about who says it.
  const plain = hasDigit ? '0' : word;
  const start = nameOf(ANSWER_STARTS, word) ?? (ROLE_WORDS.thanks.has(word) ? 'thanks' : isFigure ? 'figure' : null);
  return {
    hash: hashOf(plain),
    exact: word,
    stem: plain.length > STEM_LENGTH ? hashOf(`p ${plain.slice(0, STEM_LENGTH)}`) : null,
    ending: plain.length > STEM_LENGTH - 1 ? hashOf(`s ${plain.slice(-ENDING_LENGTH)}`) : null,
    roleWords: ROLE_WORD_SETS.filter(([, words]) => words.has(word)).map(([name]) => name),
    topics: TOPIC_SETS.filter(([, words]) => words.has(word)).map(([name]) => name),
    start,
    opens: start ?? nameOf(FINE_STARTS, word),
    closes: isFigure ? 'figure' : nameOf(FINE_ENDS, word),
    asksFor: nameOf(QUESTION_KINDS, word),
    form: formOf(word),
    isFigure,
    asks: QUESTION_STARTS.has(word),
    leads: LEADS.has(word),
    isLong: word.length >= LONG_LENGTH_MIN,
  };
}

function nameOf(sets: Readonly<Record<string, ReadonlySet<string>>>, word: string): string | null {
  return Object.entries(sets).find(([, words]) => words.has(word))?.[0] ?? null;
}

/** Endings of verbs: "we do" in Spanish and Russian, and what Russian asks people politely to do. */
function formOf(word: string): WordFacts['form'] {
  if (/^[a-z]{3,}mos$/u.test(word)) return 'mos';
  if (/^[а-я]{3,}(?:ите|йте|ьте)(?:сь)?$/u.test(word)) return 'ite';
  return /^[а-я]{4,}(?:ем|им)(?:ся)?$/u.test(word) ? 'em' : null;
}
