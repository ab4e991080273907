import type { PlacedToken } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { findNeedCue, withoutIntroductions } from '../facts/need.ts';
import { saidIn } from '../opinion/told.ts';
import { customerActs, shareOf } from './acts-said.ts';
import { sentenceStart } from './speech.ts';

/** The words `[from, to)` in which the customer says what they call for; `at` is where the request itself begins. */
export type Request = { from: number; to: number; at: number; isCued: boolean };

/** What somebody calls for is said among their first words. */
const EARLY_UTTERANCES = 8;
const SURE = 0.5;
const LIKELY = 0.2;
/** Below this, words that ask for something are none of what the call is about: "hello, is that the piano tuner?". */
const UNLIKELY = 0.05;
/** What somebody begins with is only the way to what they ask then. */
const LEAD_IN_BELOW = 0.75;
/** As good as words that are known to ask for something. */
const CUED = 0.9;
const REQUEST_WORDS_MAX = 60;
/** Of less than this nothing was learned. */
const UTTERANCES_MIN = 4;

/**
 * What the customer came for: the first of what they say early that is a request, by what was learned and by its words. A
 * question that comes up later is none.
 */
export function requestOf(facts: CallFacts): Request | null {
  const { need } = facts;
  const learned = learnedRequest(facts);
  if (!need) return learned;
  const byWords: Request = { from: 0, to: need.to, at: need.from, isCued: findNeedCue(need.turn) === need.from };
  byWords.from = startOf(facts, need.from);
  byWords.at = Math.max(byWords.at, byWords.from);
  if (learned && learned.to <= byWords.from) return learned;
  return isUnlikely(facts, need.from) && !byWords.isCued ? learned : byWords;
}

/** Whether what was learned is sure that nothing is asked for here. */
function isUnlikely(facts: CallFacts, at: number): boolean {
  if (saidIn(facts).length < UTTERANCES_MIN) return false;
  return (shareOf(customerActs(facts, 'need'), facts.conversation.tokens[at]?.utterance) ?? 1) < UNLIKELY;
}

function learnedRequest(facts: CallFacts): Request | null {
  if (saidIn(facts).length < UTTERANCES_MIN) return null;
  const early = customerActs(facts, 'need').slice(0, EARLY_UTTERANCES);
  const best = early.toSorted((a, b) => b.share - a.share)[0];
  const first = early.find(({ share }) => share >= SURE);
  const isLeadIn = first && best && first.share < LEAD_IN_BELOW && best.share >= CUED;
  const found = (isLeadIn ? best : first) ?? (best && best.share >= LIKELY ? best : null);
  if (!found) return null;
  const own = (facts.conversation.turns[found.utterance.turn]?.tokens ?? []).filter(
    ({ utterance }) => utterance === found.utterance,
  );
  const at = withoutIntroductions(own)[0]?.at ?? own[0]?.at;
  const last = own.at(-1);
  if (at === undefined || !last) return null;
  const from = startOf(facts, at);
  return {
    from,
    to: Math.min(last.at + 1, from + REQUEST_WORDS_MAX),
    at: Math.max(at, from),
    isCued: found.share >= CUED,
  };
}

/** A short report of what happened before the request belongs to it; of a long one the request's own sentence is enough. */
function startOf({ conversation }: CallFacts, at: number): number {
  const utterance = conversation.tokens[at]?.utterance;
  const own = (conversation.turns[utterance?.turn ?? -1]?.tokens ?? []).filter((each) => each.utterance === utterance);
  const first = afterAddress(own, withoutIntroductions(own)[0]?.at ?? at);
  if (first > at) return first;
  const isNear = at - first <= STORY_WORDS_MAX;
  return sentenceStart(conversation, isNear ? first : at);
}

/** "Kavya. This is …", "Подождите. Я …": a word or two before the first stop are no part of it. */
function afterAddress(own: readonly PlacedToken[], first: number): number {
  const rest = own.filter((token) => token.at >= first);
  const stop = rest.findIndex(({ pause }) => pause === 'stop');
  const next = rest[stop + 1];
  return stop >= 0 && stop < ADDRESS_WORDS_MAX && next ? next.at : first;
}

const ADDRESS_WORDS_MAX = 2;
const STORY_WORDS_MAX = 16;
