import type { Conversation, PlacedToken } from '../conversation/conversation.ts';
import type { Finder, Hit } from '../conversation/finder.ts';
import { clauseEnd, clauseStart, isNegated, wordsOf } from '../conversation/finder.ts';
import { inOtherLanguages } from '../lexicon/other-languages.ts';
import * as lexicon from '../lexicon/results.ts';
import type { Need } from './need.ts';
import type { SpokenQuestion } from './questions.ts';
import { contentWords, isContentWord, stem } from '../text/content.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { isOneEditApart } from '../../model/text/sounds.ts';
import { isValueWord } from '../text/values.ts';

const donePhrases = compilePhrases([...lexicon.DONE_PHRASES, ...inOtherLanguages('results')]);
const informationPhrases = compilePhrases([...lexicon.INFORMATION_PHRASES, ...inOtherLanguages('information')]);
const noInformation = compilePhrases(lexicon.NO_INFORMATION);
const nextSteps = compilePhrases([...lexicon.NEXT_STEP_PHRASES, ...inOtherLanguages('nextSteps')]);
const notSteps = compilePhrases(lexicon.NOT_STEPS);

/**
 * What the agent says about the outcome of the request: done, an answer, or a next step. `[from, to)` are its words.
 */
export type Result = { kind: 'done' | 'answer' | 'next'; from: number; to: number };

type Input = { conversation: Conversation; finder: Finder; need: Need | null; questions: readonly SpokenQuestion[] };

/**
 * All results in order. Questions, conditions ("once it has been sent") and negations ("has not been sent") do not
 * count.
 */
export function findResults(input: Input): Result[] {
  const { conversation, finder, need } = input;
  const results: Result[] = [];
  for (const turn of conversation.agentTurns) {
    for (let at = turn.from; at < turn.to; at += 1) {
      const kind = readVerb(conversation.tokens, at, need);
      if (kind) results.push({ kind, from: clauseStart(conversation.tokens, at), to: at + 1 });
    }
  }
  for (const hit of finder.find(donePhrases, 'agent')) {
    if (
      isStatement(input, hit) &&
      !isConditional(conversation.tokens, hit.from) &&
      !isOnlyHoped(conversation.tokens, hit)
    )
      results.push(toResult('done', hit));
  }
  if (need?.asksForInformation) results.push(...findAnswers(input, need));
  const refused = finder.find(notSteps, 'agent');
  for (const hit of finder.find(nextSteps, 'agent')) {
    const isRefused = refused.some(({ from, to }) => from < hit.to && hit.from < to);
    const isSupposed = hit.phrase === lexicon.BARE_PROMISE && isConditional(conversation.tokens, hit.from);
    if (!isRefused && !isSupposed && isStatement(input, hit)) results.push(toResult('next', hit));
  }
  return results
    .filter((result) => !isRebuke(conversation.tokens, result))
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
}

/** "I told you that it was delivered": blames the customer for not listening, and is no news. */
function isRebuke(tokens: readonly PlacedToken[], { from, to }: Result): boolean {
  const before = wordsOf(tokens, Math.max(clauseStart(tokens, to - 1), to - REBUKE_REACH), to);
  return before.some((word, at) => word === 'told' && before[at + 1] === 'you' && at + 2 < before.length) && from < to;
}

const REBUKE_REACH = 9;

/** "I hope it is working now", "let me see if it works again". */
function isOnlyHoped(tokens: readonly PlacedToken[], { from, phrase }: Hit): boolean {
  if (!/work|run|back|again|now/u.test(phrase)) return false;
  const before = wordsOf(tokens, Math.max(clauseStart(tokens, from), from - 5), from);
  if (before.some((word) => lexicon.UNCERTAIN.has(word))) return true;
  return before.some(
    (word, at) => ['you', 'they', 'he', 'she'].includes(word) && lexicon.REPORTING.has(before[at + 1] ?? ''),
  );
}

function toResult(kind: Result['kind'], { from, to }: Hit): Result {
  return { kind, from, to };
}

/** Reads back from a participle to its auxiliary and subject: "the link has now been → sent", "I have → booked". */
function readVerb(tokens: readonly PlacedToken[], at: number, need: Need | null): Result['kind'] | null {
  const verb = verbAt(tokens, at);
  const isPassedOn = lexicon.PASSED_ON_VERBS.has(verb);
  if (!isPassedOn && !lexicon.DONE_VERBS.has(verb) && !isOwnDeed(tokens, at)) return null;
  if (verb === 'booked' && tokens[at - 1]?.word === 'fully') return null;
  const start = clauseStart(tokens, at);
  let place = verb.endsWith(tokens[at]?.word ?? '') && verb !== tokens[at]?.word ? at - 2 : at - 1;
  while (place >= start && at - place <= 5 && lexicon.LINKERS.has(tokens[place]?.word ?? '')) place -= 1;
  const word = place >= start ? (tokens[place]?.word ?? '') : '';
  const isActive = word === 'i' || word === 'we';
  if (!lexicon.AUXILIARIES.has(word) && !isActive && !hasServiceNoun(tokens, at, start)) return null;
  if (isActive && lexicon.MODALS.has(tokens[place - 1]?.word ?? '')) return null;
  if (isState(verb, word, need)) return null;
  if (isBlocked(tokens, place, start)) return null;
  if (isInverted(tokens, place, start)) return null;
  const after = wordsOf(tokens, at + 1, Math.min(clauseEnd(tokens, at), at + 7));
  if (verb === 'transferred' && lexicon.PERSON_OBJECTS.has(after[0] ?? '')) return 'next';
  return isPassedOn || after.slice(0, 5).some((each) => lexicon.PASSED_ON_OBJECTS.has(each)) ? 'next' : 'done';
}

/**
 * "I have restarted your line": any participle is a result if the agent did it to something, except looking and asking.
 */
function isOwnDeed(tokens: readonly PlacedToken[], at: number): boolean {
  const verb = tokens[at]?.word ?? '';
  const next = tokens[at + 1];
  const isOnSomething =
    tokens[at]?.pause === 'none' && isContentWord(next?.word ?? '') && next?.utterance === tokens[at]?.utterance;
  if (!/[a-z]{2}ed$/u.test(verb) || lexicon.NO_DEEDS.has(verb)) return false;
  if (!isOnSomething && !lexicon.OBJECTS.has(next?.word ?? '')) return false;
  const before = wordsOf(tokens, at - 4, at).filter(
    (word) => !['just', 'now', 'also', 'already', 'gone', 'ahead', 'and'].includes(word),
  );
  return before.at(-1) === 'have' && ['i', 'we'].includes(before.at(-2) ?? '');
}

/**
 * "Your card is blocked", "your flight was cancelled": describes a state, which only answers a request for information.
 */
function isState(verb: string, auxiliary: string, need: Need | null): boolean {
  const isPast = auxiliary === 'was' || auxiliary === 'were';
  const isTrouble = (auxiliary === 'is' || auxiliary === 'are') && lexicon.TROUBLES.has(verb);
  const isAskedFor = need !== null && (need.asksForInformation || need.words.has(stem(verb)));
  return (isPast || isTrouble) && !isAskedFor;
}

/** The word, or it and the previous one joined: recognisers write "up dated". */
function verbAt(tokens: readonly PlacedToken[], at: number): string {
  const word = tokens[at]?.word ?? '';
  if (lexicon.DONE_VERBS.has(word)) return word;
  const joined = `${tokens[at - 1]?.word ?? ''}${word}`;
  return lexicon.DONE_VERBS.has(joined) ? joined : (misheardVerb(tokens, at) ?? word);
}

/** A doubtful word after "has been" that is one letter away from a verb: "has been spent to your phone". */
function misheardVerb(tokens: readonly PlacedToken[], at: number): string | undefined {
  const { word, confidence } = tokens[at] ?? { word: '', confidence: null };
  if (confidence === null || confidence >= DOUBTFUL_BELOW || word.length < 4 || lexicon.BAD_NEWS.has(word))
    return undefined;
  if (tokens[at - 1]?.word !== 'been') return undefined;
  return [...lexicon.DONE_VERBS].find((verb) => isOneEditApart(verb, word));
}

const DOUBTFUL_BELOW = 0.8;

function isBlocked(tokens: readonly PlacedToken[], place: number, start: number): boolean {
  const before = wordsOf(tokens, Math.max(start, place - 2), place);
  if (before.some((word) => lexicon.MODALS.has(word))) return true;
  const subject = wordsOf(tokens, Math.max(start, place - 6), place);
  return subject.some(
    (word) => lexicon.NOTHING.has(word) || lexicon.CONDITIONS.has(word) || lexicon.REPORTING.has(word),
  );
}

/** "Has it been sent?", "have you sent": the auxiliary stands before its subject. */
function isInverted(tokens: readonly PlacedToken[], place: number, start: number): boolean {
  const word = tokens[place]?.word ?? '';
  if (!lexicon.AUXILIARIES.has(word))
    return lexicon.AUXILIARIES.has(tokens[place - 1]?.word ?? '') && place - 1 >= start;
  const next = tokens[place + 1]?.word ?? '';
  return (
    ['it', 'that', 'you', 'this'].includes(next) &&
    !['i', 'we'].includes(tokens[place - 1]?.word ?? '') &&
    next !== 'that'
  );
}

/** A lost auxiliary: "you are appointment husband's scheduled for sunday". */
function hasServiceNoun(tokens: readonly PlacedToken[], at: number, start: number): boolean {
  const before = wordsOf(tokens, Math.max(start, at - 4), at);
  const noun = before.findIndex((word) => lexicon.SERVICE_NOUNS.has(word));
  const isDirected = ['for', 'to', 'on', 'at'].includes(tokens[at + 1]?.word ?? '');
  return noun >= 0 && noun < before.length - 1 && isDirected && !before.some((word) => lexicon.MODALS.has(word));
}

function isConditional(tokens: readonly PlacedToken[], from: number): boolean {
  const start = clauseStart(tokens, from);
  return wordsOf(tokens, Math.max(start, from - 5), from).some((word) => lexicon.CONDITIONS.has(word));
}

function isStatement({ conversation, questions }: Input, hit: Hit): boolean {
  if (isNegated(conversation.tokens, hit.from)) return false;
  const inside = wordsOf(conversation.tokens, hit.from, hit.to);
  if (inside.some((word) => TURNED_ROUND.has(word))) return false;
  return !questions.some(
    ({ from, to }) =>
      hit.from >= from &&
      hit.from < to &&
      conversation.tokens[from]?.at === from &&
      isQuestionAt(conversation.tokens, hit, { from, to }),
  );
}

const TURNED_ROUND = new Set(['not', 'never', 'nicht', 'kein', 'keine', 'nunca', 'не', 'нет']);

/** In text without punctuation a question runs into what follows it; only its first dozen words count as asked. */
function isQuestionAt(tokens: readonly PlacedToken[], hit: Hit, question: { from: number; to: number }): boolean {
  const isWritten = tokens[question.to - 1]?.pause === 'question';
  return isWritten || hit.from - question.from < 8;
}

function findAnswers(input: Input, need: Need): Result[] {
  const { conversation, finder } = input;
  const evasions = finder.find(noInformation, 'agent');
  return finder
    .find(informationPhrases, 'agent')
    .filter((hit) => hit.from >= need.to - 1)
    .filter((hit) => {
      const end = clauseEnd(conversation.tokens, hit.from);
      const start = clauseStart(conversation.tokens, hit.from);
      if (end - hit.from < 4 || isAsked(input, hit)) return false;
      if (evasions.some(({ from }) => from >= start && from < end)) return false;
      return tellsSomething(conversation.tokens.slice(hit.from, end), need);
    })
    .map((hit) => toResult('answer', hit));
}

function isAsked({ conversation, questions }: Input, hit: Hit): boolean {
  return questions.some(
    (question) =>
      hit.from >= question.from && hit.from < question.to && isQuestionAt(conversation.tokens, hit, question),
  );
}

/** An answer contains a number, a day, a reason or a yes or no, or repeats words of the request. */
function tellsSomething(tokens: readonly PlacedToken[], need: Need): boolean {
  if (tokens.some(({ word }) => isValueWord(word) && word !== 'one' && word !== 'yes')) return true;
  const said = contentWords(tokens);
  return ['yes', 'no'].includes(tokens[0]?.word ?? '') || [...need.words].some((word) => said.has(word));
}
