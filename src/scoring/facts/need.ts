import type { Conversation, PlacedToken, Turn } from '../conversation/conversation.ts';
import { INFORMATION_CUES, INTRODUCTIONS, NEED_CUES, NOT_NEEDS } from '../lexicon/need.ts';
import type { Finder } from '../conversation/finder.ts';
import { OFFERS } from '../lexicon/opening.ts';
import { inOtherLanguages } from '../lexicon/other-languages.ts';
import { contentWords, isContentWord } from '../text/content.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';

const needCues = compilePhrases([...NEED_CUES, ...inOtherLanguages('needs')]);
const notNeeds = compilePhrases(NOT_NEEDS);
const informationCues = compilePhrases([...INFORMATION_CUES, ...inOtherLanguages('questions')]);
const offers = compilePhrases([...OFFERS, ...inOtherLanguages('offers')]);
const introductions = compilePhrases([...INTRODUCTIONS, ...inOtherLanguages('introductions')]);

/** What the customer calls for: the words `[from, to)` in which it is first said. */
export type Need = { turn: Turn; from: number; to: number; words: ReadonlySet<string>; asksForInformation: boolean };

/** Words beyond greeting and name that make a first sentence a request even without a known cue. */
const PLAIN_REQUEST_WORDS_MIN = 5;
const NEED_WORDS_MAX = 60;

/** The customer's first request, or null if nothing is asked for. */
export function findNeed(conversation: Conversation, finder: Finder): Need | null {
  for (const turn of conversation.customerTurns) {
    const cue = findNeedCue(turn);
    if (cue !== null) return toNeed(turn, cue);
  }
  for (const turn of conversation.customerTurns.slice(0, 4)) {
    const rest = withoutIntroductions(turn.tokens);
    if (rest.length >= PLAIN_REQUEST_WORDS_MIN) return toNeed(turn, rest[0]?.at ?? turn.from);
  }
  const offer = finder.first(offers, 'agent');
  const reply = offer ? conversation.turns[offer.turn.index + 1] : undefined;
  if (reply?.role !== 'customer') return null;
  const word = withoutIntroductions(reply.tokens).find((token) => isContentWord(token.word));
  return word ? toNeed(reply, word.at) : null;
}

export function hasNeedCue(turn: Turn): boolean {
  return findNeedCue(turn) !== null;
}

/** The position where a turn's words for a request begin, or null. */
export function findNeedCue(turn: Turn): number | null {
  const blocked = findPhrases(turn.tokens, notNeeds);
  const cue = findPhrases(turn.tokens, needCues).find(({ from }) => !blocked.some((block) => block.from === from));
  return cue ? turn.from + cue.from : null;
}

function toNeed(turn: Turn, from: number): Need {
  const start = from - turn.from;
  const tokens = turn.tokens.slice(start, start + NEED_WORDS_MAX);
  return {
    turn,
    from,
    to: from + tokens.length,
    words: contentWords(tokens),
    asksForInformation: findPhrases(tokens, informationCues).length > 0 || tokens.at(-1)?.pause === 'question',
  };
}

/** The words of a turn without greeting and name. */
export function withoutIntroductions(tokens: readonly PlacedToken[]): PlacedToken[] {
  const covered = new Set<number>();
  for (const { from, to } of findPhrases(tokens, introductions)) {
    for (let at = from; at < to; at += 1) covered.add(at);
  }
  return tokens.filter((_, index) => !covered.has(index));
}
