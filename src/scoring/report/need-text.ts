import type { Conversation } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clauseEnd } from '../conversation/finder.ts';
import { clock } from '../messages/format.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';
import { type Request, requestOf } from './request.ts';
import { quoted, speech, thirdPerson } from './speech.ts';
import { isClean, isGuessed, isUnrated } from './trust.ts';

const WISHES = compilePhrases([
  'i would like to',
  'i want to',
  'i wanted to',
  'i need to',
  'i am calling to',
  'i called to',
  'i am trying to',
  'i am looking to',
  'i just need/want to',
]);
const THINGS = compilePhrases(['i need', 'i want', 'i would like', 'i am looking for']);
const QUESTIONS = compilePhrases(['i have a/some question/questions/query about/regarding/on']);
const LOSSES = compilePhrases(['i lost', 'i have lost', 'i forgot', 'i have forgotten']);

const PURPOSES = compilePhrases([
  'i am calling/ringing/phoning about/because/regarding/to',
  'i am calling/ringing/phoning you about/because/regarding/to',
  'ich rufe an wegen/weil',
  'ich rufe sie an wegen/weil',
  'ich rufe wegen',
  'le/lo/la/te llamo por/porque/para/de',
  'los/les llamo por/porque/para',
  'звоню вам по/чтобы/насчет',
  'звоню по поводу',
  'звоню чтобы/насчет',
]);
const QUOTED_WORDS_MAX = 34;
const RETOLD_WORDS_MAX = 14;

/** What the customer called for, as a sentence without its stop: retold where that is sure to fit, else in their words. */
export function describeNeed(facts: CallFacts): string {
  const { conversation, opening, messages } = facts;
  const say = messages.summary.need;
  const purpose = purposeOf(facts);
  if (purpose) return say.called(quoted(facts, purpose, QUOTED_WORDS_MAX));
  const request = requestOf(facts);
  if (!request) return opening.isMidCall ? say.midCall : say.none;
  const end = Math.min(request.to, Math.max(request.from + 1, clauseEnd(conversation.tokens, request.at)));
  const first = { from: request.from, to: end };
  if (isGuessed(conversation, first)) return unclear(facts, request);
  const told = messages.language === 'en' ? retell(conversation, { from: request.at, to: end }) : null;
  if (told !== null) return told;
  const isSure = isClean(conversation, first);
  if (!isSure && !request.isCued && !isUnrated(conversation, first)) return unclear(facts, request);
  const tokens = conversation.tokens.slice(request.from, request.to);
  if (isAsking(conversation.tokens.slice(request.from, end)))
    return say.asked(quoted(facts, { from: request.from, to: end }, QUOTED_WORDS_MAX));
  const to = wholeSentences(tokens, request.from);
  return say.came(quoted(facts, { from: request.from, to }, QUOTED_WORDS_MAX));
}

/** Who calls the customer says what for: what the customer says then is no request of theirs. */
function purposeOf({ conversation, finder }: CallFacts): { from: number; to: number } | null {
  const early = new Set(conversation.agentTurns.slice(0, PURPOSE_TURNS));
  const hit = finder.find(PURPOSES, 'agent').find(({ turn }) => early.has(turn));
  if (!hit) return null;
  const to = Math.min(clauseEnd(conversation.tokens, hit.from), hit.from + QUOTED_WORDS_MAX);
  return isClean(conversation, { from: hit.from, to }) || isUnrated(conversation, { from: hit.from, to })
    ? { from: hit.from, to }
    : null;
}

const PURPOSE_TURNS = 2;

/** As many whole sentences as fit, or the first one. */
function wholeSentences(tokens: readonly { pause: string; at: number }[], from: number): number {
  const near = tokens.slice(0, QUOTED_WORDS_MAX);
  const last = near.findLast(({ pause }) => pause === 'stop' || pause === 'question');
  const end = tokens.at(-1);
  if (tokens.length <= QUOTED_WORDS_MAX) return (end?.at ?? from) + 1;
  return last ? last.at + 1 : (end?.at ?? from) + 1;
}

/** In a recogniser's text nothing is made of what it guessed, or of what does not look like a request. */
function unclear({ conversation, messages }: CallFacts, { at }: Request): string {
  return messages.summary.need.unclear(clock(conversation.tokens[at]?.utterance.segment.startMs ?? 0));
}

/** "… with my card, please. Thank you" → "… with my card". */
function politeless(text: string): string {
  return text.replace(/(?:[\s,.]+(?:please|thank you|thanks))+[\s.,!?]*$/iu, '');
}

/** "I would like to reset my password" → "The customer wanted to reset their password"; null where it may not fit. */
function retell(conversation: Conversation, { from, to }: { from: number; to: number }): string | null {
  const tokens = conversation.tokens.slice(from, to);
  if (tokens.at(-1)?.pause === 'question') return null;
  for (const [set, lead] of LEADS) {
    const length = findPhrases(tokens, set).find((hit) => hit.from <= 1)?.to ?? 0;
    if (length === 0 || length >= tokens.length) continue;
    const rest = thirdPerson(politeless(speech(conversation, { from: from + length, to }, RETOLD_WORDS_MAX)));
    if (!rest || rest.endsWith('…') || UNFIT.test(rest)) continue;
    if (!isClean(conversation, { from, to }) && !isUnrated(conversation, { from, to })) return null;
    return `${isForgetting(tokens) ? 'The customer had forgotten' : lead} ${rest}`;
  }
  return null;
}

/** A second thought, a list of clauses or an address to somebody does not go on from "The customer wanted". */
const UNFIT = /[,;:–—]|\b(?:but|because|so|cos|cause|um|uh|er|like|if|and|well|yeah|no|okay|it if)\b/iu;

const LEADS = [
  [WISHES, 'The customer wanted to'],
  [LOSSES, 'The customer had lost'],
  [QUESTIONS, 'The customer had a question about'],
  [THINGS, 'The customer wanted'],
] as const;

const ASKING = new Set(
  'can could may would is are do does did what when where why how which who has have will'.split(' '),
);

function isAsking(tokens: readonly { word: string; pause: string }[]): boolean {
  return tokens.at(-1)?.pause === 'question' || ASKING.has(tokens[0]?.word ?? '');
}

function isForgetting(tokens: readonly { word: string }[]): boolean {
  return tokens.slice(0, 3).some(({ word }) => word === 'forgot' || word === 'forgotten');
}
