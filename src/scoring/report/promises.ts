import type { PlacedToken } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clauseEnd, clauseStart, isNegated } from '../conversation/finder.ts';
import { isRead, READ_LANGUAGES } from '../languages/language.ts';
import { PROMISES } from '../lexicon/promises.ts';
import { compileExactly, compilePhrases, type PhraseSet } from '../../model/text/compile-phrases.ts';
import { contentWords } from '../text/content.ts';
import { findPhrases } from '../text/phrases.ts';
import { withoutSlights } from '../accusations/slights.ts';
import { agentActs, rangeOf, shareOf } from './acts-said.ts';
import { requestOf } from './request.ts';
import { resultRange } from './results-said.ts';

/** Something that is to happen after the call, with the words in which it is said. */
export type SpokenPromise = { from: number; to: number; startMs: number; isCustomers: boolean };

type Range = { from: number; to: number };
type Book = { promises: PhraseSet; duringCall: PhraseSet; later: PhraseSet; conditions: PhraseSet };

const books = Object.fromEntries(
  READ_LANGUAGES.map((language) => {
    const { promises, duringCall, later, conditions } = PROMISES[language];
    const book: Book = {
      promises: compilePhrases([...promises]),
      duringCall: compileExactly([...duringCall]),
      later: compileExactly([...later]),
      conditions: compileExactly([...conditions]),
    };
    return [language, book];
  }),
);

/** Below this what was learned speaks against a promise, whatever its words. */
const STEP_MIN = 0.2;
/** From here on somebody has done it. */
const DONE_SURE = 0.6;
/** So many words in common tell that what is done is what was promised. */
const SHARED_MIN = 2;
const PROMISES_MAX = 4;
/** Of a long call the end is looked at. */
const HITS_MAX = 100;
/** Where nobody writes stops, a clause may be a whole call. */
const CLAUSE_REACH = 30;

/**
 * What the agent says will be done after the call: their own step, a colleague's or the company's, in the future, asked by
 * nobody, without a condition, and not reported as done later in the call.
 */
export function findPromises(facts: CallFacts): SpokenPromise[] {
  const language = facts.messages.language;
  const book = isRead(language) ? books[language] : undefined;
  if (!book) return [];
  const deeds = deedsIn(facts);
  const requestFrom = requestOf(facts)?.from ?? 0;
  const found: SpokenPromise[] = [];
  // The last ones count: what is promised early is done or repeated.
  const hits = facts.finder.find(book.promises, 'agent').slice(-HITS_MAX).toReversed();
  for (const hit of hits) {
    if (found.length === PROMISES_MAX || hit.from < requestFrom) break;
    const range = promiseAt(facts, hit, { book, deeds });
    const next = found.at(-1);
    if (!range || (next && range.to > next.from)) continue;
    found.push({ ...range, startMs: startOf(facts, hit.from), isCustomers: false });
  }
  found.push(...learnedSteps(facts, { book, deeds, found }));
  return [...found, ...customersTasks(facts, found)].toSorted((a, b) => a.from - b.from);
}

type Known = { book: Book; deeds: readonly number[]; found: readonly SpokenPromise[] };

/** Steps in words that no phrase has, by what was learned: the last ones, as whole utterances. */
function learnedSteps(facts: CallFacts, { book, deeds, found }: Known): SpokenPromise[] {
  const room = Math.min(LEARNED_MAX, PROMISES_MAX - found.length);
  const requestFrom = requestOf(facts)?.from ?? 0;
  const steps: SpokenPromise[] = [];
  for (const { utterance, share } of agentActs(facts, 'next_step').toReversed()) {
    if (steps.length >= room) break;
    const range = share < STEP_SURE ? null : rangeOf(facts, utterance);
    if (!range) continue;
    if (range.from < requestFrom) break;
    const isOther = found.some((each) => each.from < range.to && range.from < each.to);
    if (isOther || !isStep(facts, range, book) || isFulfilled(facts, { ...range, isLater: true, deeds })) continue;
    const clean = withoutSlights(facts.slights, range, range.to - 1);
    if (clean && clean.to - clean.from >= PROMISE_WORDS_MIN)
      steps.push({ ...clean, startMs: startOf(facts, range.from), isCustomers: false });
  }
  return steps;
}

/** Neither asked, nor on a condition, nor done during the call. */
function isStep(facts: CallFacts, { from, to }: Range, { conditions, duringCall }: Book): boolean {
  const said = facts.conversation.tokens.slice(from, to);
  const isOpen = [conditions, duringCall].some((set) => findPhrases(said, set).length > 0);
  return !isOpen && said.at(-1)?.pause !== 'question' && !isAsked(facts, from);
}

/** From here on a step that no phrase knows is one. */
const STEP_SURE = 0.65;
const LEARNED_MAX = 2;

/** The words of a promise, or null where it is none: asked, denied, on a condition, done during the call or later in it. */
function promiseAt(
  facts: CallFacts,
  { from, to }: Range,
  { book, deeds }: { book: Book; deeds: readonly number[] },
): Range | null {
  const { tokens } = facts.conversation;
  const start = Math.max(clauseStart(tokens, from), from - CLAUSE_REACH);
  const end = Math.min(clauseEnd(tokens, from), to + CLAUSE_REACH);
  if (isAsked(facts, from) || isNegated(tokens, from)) return null;
  if (findPhrases(tokens.slice(Math.max(start, from - REACH), from), book.conditions).length > 0) return null;
  const around = tokens.slice(Math.max(start, from - 2), Math.min(end, to + 2));
  if (findPhrases(around, book.duringCall).length > 0) return null;
  const isLater = findPhrases(tokens.slice(start, end), book.later).length > 0;
  const isStep = facts.results.some((each) => each.kind === 'next' && each.from < to && from < each.to);
  if (!isLater && !isStep && stepShare(facts, from) < STEP_MIN) return null;
  if (isFulfilled(facts, { from, to: end, isLater, deeds })) return null;
  const range = withinUtterance(facts, resultRange(facts, { from, to }), { from, to });
  return range.to > range.from ? range : null;
}

/** Steps that the agent leaves to the customer, after what is done last: "please send us the form". */
function customersTasks(facts: CallFacts, promises: readonly Range[]): SpokenPromise[] {
  const { conversation, results } = facts;
  const lastDone = results.findLast(({ kind }) => kind === 'done')?.from ?? -1;
  const tasks = results.filter(({ kind, from, to }) => {
    const isTheirs = CUSTOMERS.has(conversation.tokens[from]?.word ?? '');
    return kind === 'next' && from > lastDone && isTheirs && !promises.some((each) => each.from < to && from < each.to);
  });
  return tasks.slice(-1).flatMap((task) => {
    const range = resultRange(facts, task);
    const isWhole = range.to > range.from;
    return isWhole ? [{ ...range, startMs: startOf(facts, task.from), isCustomers: true }] : [];
  });
}

const CUSTOMERS = new Set(['you', 'please']);

function startOf({ conversation }: CallFacts, at: number): number {
  return conversation.tokens[at]?.utterance.segment.startMs ?? 0;
}

/** Where nobody writes stops, a sentence ends with what was said in one go. */
function withinUtterance(facts: CallFacts, range: Range, { from, to }: Range): Range {
  const utterance = facts.conversation.tokens[to - 1]?.utterance;
  const own = utterance && rangeOf(facts, utterance);
  if (!own || own.to - from < PROMISE_WORDS_MIN) return range;
  const start = clauseStart(facts.conversation.tokens, from);
  const begin = from - start <= PROMISE_LEAD_MAX ? Math.min(range.from, start) : range.from;
  return { from: Math.max(begin, Math.min(own.from, from)), to: Math.max(to, Math.min(range.to, own.to)) };
}

const PROMISE_WORDS_MIN = 5;
/** What comes before in the sentence often says what it is about. */
const PROMISE_LEAD_MAX = 16;
const REACH = 6;

function isAsked({ questions, conversation }: CallFacts, at: number): boolean {
  return questions.some(({ from, to }) => {
    const isWritten = conversation.tokens[to - 1]?.pause === 'question';
    return at >= from && at < to && (isWritten || at - from < REACH);
  });
}

/** How likely the utterance at this place is a next step, by what was learned; 1 where nothing was. */
function stepShare(facts: CallFacts, at: number): number {
  const utterance = facts.conversation.tokens[at]?.utterance;
  return shareOf(agentActs(facts, 'next_step'), utterance) ?? 1;
}

type Claimed = Range & { isLater: boolean; deeds: readonly number[] };

/** Whether a later word of the agent reports it as done: the same thing, or any where nothing says that it takes longer. */
function isFulfilled({ conversation }: CallFacts, { from, to, isLater, deeds }: Claimed): boolean {
  const promised = contentWords(conversation.tokens.slice(from, to));
  return deeds.some((at) => {
    if (at <= to) return false;
    if (!isLater) return true;
    const said = contentWords(sentenceAt(conversation.tokens, at));
    return [...said].filter((word) => promised.has(word)).length >= SHARED_MIN;
  });
}

function sentenceAt(tokens: readonly PlacedToken[], at: number): PlacedToken[] {
  return tokens.slice(
    Math.max(clauseStart(tokens, at), at - CLAUSE_REACH),
    Math.min(clauseEnd(tokens, at), at + CLAUSE_REACH),
  );
}

/** Where the agent reports something as done, by phrases and by what was learned; the last ones. */
function deedsIn(facts: CallFacts): number[] {
  const steps = new Set(
    agentActs(facts, 'next_step').flatMap(({ utterance, share }) => (share >= DONE_SURE ? [utterance] : [])),
  );
  const learned = agentActs(facts, 'result_done').flatMap(({ utterance, share }) => {
    const from = share >= DONE_SURE && !steps.has(utterance) ? rangeOf(facts, utterance)?.from : undefined;
    return from === undefined ? [] : [from];
  });
  const byWords = facts.results.flatMap(({ kind, from }) => (kind === 'done' ? [from] : []));
  return [...byWords, ...learned].toSorted((a, b) => a - b).slice(-HITS_MAX);
}
