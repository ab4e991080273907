import type { Conversation, Turn } from '../conversation/conversation.ts';
import type { Finder, Hit } from '../conversation/finder.ts';
import { clauseEnd } from '../conversation/finder.ts';
import type { Naming } from './naming.ts';
import { CONTINUATIONS, CONTINUATION_PHRASES, GREETINGS, OFFERS, OPENING_CUES } from '../lexicon/opening.ts';
import { inOtherLanguages, LISTENING, NO } from '../lexicon/other-languages.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';
import { hasNeedCue } from './need.ts';
import type { Need } from './need.ts';

const greetings = compilePhrases([...GREETINGS, ...inOtherLanguages('greetings')]);
const offers = compilePhrases([...OFFERS, ...inOtherLanguages('offers')]);
const openingCues = compilePhrases([
  ...OPENING_CUES,
  ...inOtherLanguages('greetings'),
  ...inOtherLanguages('offers'),
  ...inOtherLanguages('names'),
]);
const continuations = compilePhrases(CONTINUATION_PHRASES);

export type Opening = {
  /** No opening on either side: the recording starts within the conversation. */
  isMidCall: boolean;
  /** Where the agent's greeting (hello, company, name, offer) ends; 0 if there is none. */
  greetingTo: number;
  /** Where the agent first asks what is needed, if at all. */
  offer: Hit | undefined;
};

const GREETING_TURNS = 3;

export function readOpening(input: {
  conversation: Conversation;
  finder: Finder;
  naming: Naming;
  need: Need | null;
}): Opening {
  const { conversation, finder, naming, need } = input;
  const lastTurn = conversation.agentTurns[GREETING_TURNS - 1] ?? conversation.agentTurns.at(-1);
  const within = {
    to: Math.min(lastTurn?.to ?? 0, need ? Math.max(need.from, conversation.agentTurns[0]?.to ?? 0) : Infinity),
  };
  const offer = finder.find(offers, 'agent').find(({ to }) => to <= within.to);
  const ends = [
    finder.find(greetings, 'agent').findLast(({ to }) => to <= within.to)?.to ?? 0,
    offer ? clauseEnd(conversation.tokens, offer.from) : 0,
    ...[naming.company, naming.ownName].map((range) => (range && range.to <= within.to ? range.to : 0)),
  ];
  return { isMidCall: startsMidCall(conversation, naming), greetingTo: Math.max(0, ...ends), offer };
}

function startsMidCall(conversation: Conversation, naming: Naming): boolean {
  const { agentTurns, customerTurns, turns } = conversation;
  if (turns.length === 0) return false;
  if (naming.company || naming.ownName) return false;
  const early = [...agentTurns.slice(0, 2), ...customerTurns.slice(0, 2)];
  if (early.some((turn) => findPhrases(turn.tokens, openingCues).length > 0)) return false;
  const first = turns[0];
  if (!first || goesOn(first)) return true;
  const isBareAnswering = first.role === 'agent' && first.tokens.length <= 3 && first.index === 0;
  const customer = customerTurns[0];
  if (!customer || customer.index > 1 || goesOn(customer) || NODS.has(customer.tokens[0]?.word ?? '')) return true;
  const isFirstWord = isBareAnswering || customer.index === 0 || first.role === 'ivr';
  return !(isFirstWord ? customer.tokens.length >= NEED_WORDS_MIN : hasNeedCue(customer));
}

/** A customer who begins like this reacts to something that was said before. */
const NODS = new Set([...'okay alright right great thanks perfect fine yes no'.split(' '), ...LISTENING, ...NO]);
const NEED_WORDS_MIN = 3;

function goesOn(turn: Turn): boolean {
  const opening = turn.tokens.slice(0, 6);
  if (CONTINUATIONS.has(opening[0]?.word ?? '')) return true;
  return findPhrases(opening, continuations).some(({ from }) => from <= 2);
}
