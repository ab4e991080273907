import type { PlacedToken } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clauseEnd, clauseStart, isNegated } from '../conversation/finder.ts';
import { isRead, READ_LANGUAGES } from '../languages/language.ts';
import { PROMISES } from '../lexicon/promises.ts';
import { compileExactly, compilePhrases } from '../../model/text/compile-phrases.ts';
import { contentWords } from '../text/content.ts';
import { findPhrases } from '../text/phrases.ts';
import { agentActs, rangeOf } from './acts-said.ts';
import { requestOf } from './request.ts';
import { resultRange } from './results-said.ts';

/** Something that is to happen after the call, with the words in which it is said. */
export type SpokenPromise = { from: number; to: number; startMs: number; isCustomers: boolean };

const books = Object.fromEntries(
  READ_LANGUAGES.map((language) => {
    const { promises, duringCall, later, conditions } = PROMISES[language];
    const book = {
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

/**
 * What the agent says will be done after the call: their own step, a colleague's or the company's, in the future, asked by
 * nobody, without a condition, and not reported as done later in the call.
 */
export function findPromises(facts: CallFacts): SpokenPromise[] {
  const language = facts.messages.language;
  const book = isRead(language) ? books[language] : undefined;
  if (!book) return [];
  const { tokens } = facts.conversation;
  const requestFrom = requestOf(facts)?.from ?? 0;
  const found: SpokenPromise[] = [];
  for (const hit of facts.finder.find(book.promises, 'agent')) {
    const start = clauseStart(tokens, hit.from);
    const end = clauseEnd(tokens, hit.from);
    const clause = tokens.slice(start, end);
    const before = tokens.slice(Math.max(start, hit.from - REACH), hit.from);
    const around = tokens.slice(Math.max(start, hit.from - 2), Math.min(end, hit.to + 2));
    const last = found.at(-1);
    if (last && hit.from < last.to) continue;
    if (hit.from < requestFrom || isAsked(facts, hit.from)) continue;
    if (isNegated(tokens, hit.from) || findPhrases(before, book.conditions).length > 0) continue;
    if (findPhrases(around, book.duringCall).length > 0) continue;
    const isLater = findPhrases(clause, book.later).length > 0;
    const isStep = facts.results.some((each) => each.kind === 'next' && each.from < hit.to && hit.from < each.to);
    if (!isLater && !isStep && stepShare(facts, hit.from) < STEP_MIN) continue;
    if (isFulfilled(facts, { from: hit.from, to: end, isLater })) continue;
    const range = withinUtterance(facts, resultRange(facts, { from: hit.from, to: hit.to }), hit);
    const startMs = tokens[hit.from]?.utterance.segment.startMs ?? 0;
    if (range.to > range.from) found.push({ ...range, startMs, isCustomers: false });
  }
  return found.slice(-PROMISES_MAX);
}

/** Where nobody writes stops, a sentence ends with what was said in one go. */
function withinUtterance(
  facts: CallFacts,
  range: { from: number; to: number },
  { from, to }: { from: number; to: number },
): { from: number; to: number } {
  const utterance = facts.conversation.tokens[to - 1]?.utterance;
  const own = utterance && rangeOf(facts, utterance);
  if (!own || own.to - from < PROMISE_WORDS_MIN) return range;
  return { from: Math.max(range.from, Math.min(own.from, from)), to: Math.max(to, Math.min(range.to, own.to)) };
}

const PROMISE_WORDS_MIN = 5;
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
  return agentActs(facts, 'next_step').find((each) => each.utterance === utterance)?.share ?? 1;
}

type Claimed = { from: number; to: number; isLater: boolean };

/** Whether a later word of the agent reports it as done: the same thing, or any where nothing says that it takes longer. */
function isFulfilled(facts: CallFacts, { from, to, isLater }: Claimed): boolean {
  const { conversation, results } = facts;
  const promised = contentWords(conversation.tokens.slice(from, to));
  const done = [
    ...results.filter((result) => result.kind === 'done' && result.from > to).map((result) => result.from),
    ...laterDeeds(facts, to),
  ];
  return done.some((at) => {
    if (!isLater) return true;
    const said = contentWords(sentenceAt(conversation.tokens, at));
    return [...said].filter((word) => promised.has(word)).length >= SHARED_MIN;
  });
}

function sentenceAt(tokens: readonly PlacedToken[], at: number): PlacedToken[] {
  return tokens.slice(clauseStart(tokens, at), clauseEnd(tokens, at));
}

function laterDeeds(facts: CallFacts, after: number): number[] {
  const steps = new Set(
    agentActs(facts, 'next_step').flatMap(({ utterance, share }) => (share >= DONE_SURE ? [utterance] : [])),
  );
  return agentActs(facts, 'result_done').flatMap(({ utterance, share }) => {
    const from = share >= DONE_SURE && !steps.has(utterance) ? rangeOf(facts, utterance)?.from : undefined;
    return from !== undefined && from > after ? [from] : [];
  });
}
