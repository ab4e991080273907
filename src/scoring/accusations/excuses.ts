import type { Conversation } from '../conversation/conversation.ts';
import { clauseEnd, clauseStart, isNegated, wordsOf } from '../conversation/finder.ts';
import type { ReadBook } from './books.ts';
import type { Reading } from './reading.ts';
import type { Sign } from './sign.ts';

/** What in the sentence takes a sign back: wholly, or so far that it needs another one; null where nothing does. */
export function excuseOf(reading: Reading, sign: Sign): 'whole' | 'partial' | null {
  const { conversation, book } = reading;
  const isThreat = sign.kind === 'threat' || sign.kind === 'consequence';
  const reach = isThreat ? THREAT_NEGATION_REACH : NEGATION_REACH;
  if (isInQuotes(conversation, sign) || isReported(conversation, book, sign)) return 'whole';
  if (isNegated(conversation.tokens, sign.from, reach)) return 'whole';
  if (isSpelled(conversation, book, sign) || isNamed(conversation, book, sign)) return 'whole';
  if (isThreat) return isOffered(reading, sign) ? 'whole' : null;
  return isHedged(conversation, book, sign) ? 'partial' : null;
}

/** "They always say: do not tell anyone": what others say, in quotation marks or told by the agent of somebody else. */
export function isOfOthers(conversation: Conversation, book: ReadBook, sign: Sign<string>): boolean {
  if (isInQuotes(conversation, sign)) return true;
  const { tokens } = conversation;
  const before = wordsOf(tokens, Math.max(clauseStart(tokens, sign.from), sign.from - REPORT_REACH), sign.from);
  return before.some((word) => book.reporting.has(word)) && !before.some((word) => book.own.has(word));
}

const NEGATION_REACH = 6;
/** "Those who do not pay end up on the street": the condition is negated, not the threat. */
const THREAT_NEGATION_REACH = 3;
const REPORT_REACH = 7;

/** "He called you an idiot", "idiot, as they say": reported, not said. */
function isReported({ tokens }: Conversation, { reporting }: ReadBook, { from, to }: Sign): boolean {
  const start = clauseStart(tokens, from);
  const before = wordsOf(tokens, Math.max(start, from - REPORT_REACH), from);
  if (before.some((word, index) => reporting.has(word) && !isRebuke(before, index))) return true;
  const after = wordsOf(tokens, to, Math.min(clauseEnd(tokens, from), to + 4));
  return after.slice(0, 3).some((word, index) => reporting.has(word) && after[index + 1] !== 'you');
}

const QUOTED = /["“„«][^"“”„«»]{1,200}["”“»]/gu;

/** "It says: ‘You stupid cow’": in the marks of a quotation, somebody else says it. */
function isInQuotes({ tokens }: Conversation, { from }: Sign<string>): boolean {
  const token = tokens[from];
  if (!token) return false;
  const spans = token.utterance.segment.text.matchAll(QUOTED);
  return spans.some(({ index, 0: span }) => index < token.from && token.from < index + span.length);
}

/** "I told you that …": the agent's own words, not somebody else's. */
function isRebuke(words: readonly string[], at: number): boolean {
  return words[at] === 'told' && words[at + 1] === 'you' && words.slice(Math.max(0, at - 2), at).includes('i');
}

/** "I for idiot": a letter, what stands between, and the word. */
function isSpelled({ tokens }: Conversation, { spelling }: ReadBook, { from, to }: Sign): boolean {
  if (to - from > 1 || !spelling.has(tokens[from - 1]?.word ?? '')) return false;
  return wordsOf(tokens, from - 4, from - 1).some((word) => [...word].length === 1);
}

function isNamed({ tokens }: Conversation, { naming }: ReadBook, { from, to }: Sign): boolean {
  return (
    to - from === 1 &&
    wordsOf(tokens, Math.max(clauseStart(tokens, from), from - 3), from).some((each) => naming.has(each))
  );
}

/** "If that is your fault, …": nothing is said to be so. */
function isHedged({ tokens }: Conversation, { hedges }: ReadBook, { from }: Sign): boolean {
  return wordsOf(tokens, Math.max(clauseStart(tokens, from), from - 7), from).some((word) => hedges.has(word));
}

/** "Would you like us to call the police?": what is offered, or was wished for, is no threat. */
function isOffered({ conversation, offered }: Reading, { from }: Sign): boolean {
  return offered.has(clauseStart(conversation.tokens, from));
}
