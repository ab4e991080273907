import type { Conversation } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clauseEnd } from '../conversation/finder.ts';
import type { Need } from '../facts/need.ts';
import { findNeedCue } from '../facts/need.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';
import { clock } from './format.ts';
import { quoted, sentenceStart, speech, thirdPerson } from './speech.ts';
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

/** What the customer called for, as a sentence in the past tense without its stop. */
export function describeNeed({ conversation, need, opening }: CallFacts): string {
  if (!need) {
    return opening.isMidCall
      ? 'The recording starts in the middle of the call, so the request itself is not heard'
      : 'The customer does not ask for anything in this call';
  }
  const to = Math.max(need.from + 1, Math.min(need.to, clauseEnd(conversation.tokens, need.from)));
  if (isGuessed(conversation, { from: need.from, to })) return unclear(need);
  const told = retell(conversation, need.from, to);
  if (told !== null) return told;
  const from = sentenceStart(conversation, need.from);
  const tokens = conversation.tokens.slice(from, to);
  const words = quoted(conversation, { from, to }, 20);
  if (isAsking(tokens)) return `The customer asked: ${words}`;
  const isSure = isClean(conversation, { from, to });
  if (!isSure && !hasCue(need) && !isUnrated(conversation, { from, to })) return unclear(need);
  const said = isSure ? thirdPerson(politeless(speech(conversation, { from, to }, 18))) : null;
  if (said && /^(?:they|their)\b/u.test(said) && !said.startsWith('their name'))
    return `The customer said that ${said}`;
  return `The customer came with this: ${words}`;
}

/** In a recogniser's text nothing is made of what it guessed, or of what does not look like a request. */
function unclear({ turn, from }: Need): string {
  const startMs = turn.tokens[from - turn.from]?.utterance.segment.startMs ?? turn.startMs;
  return `The customer's request at ${clock(startMs)} was not clearly recognised`;
}

function hasCue({ turn, from }: Need): boolean {
  return findNeedCue(turn) === from;
}

/** "… with my card, please. Thank you" → "… with my card". */
function politeless(text: string): string {
  return text.replace(/(?:[\s,.]+(?:please|thank you|thanks))+[\s.,!?]*$/iu, '');
}

/** "I would like to reset my password" → "The customer wanted to reset their password". */
function retell(conversation: Conversation, from: number, to: number): string | null {
  const tokens = conversation.tokens.slice(from, to);
  for (const [set, lead] of LEADS) {
    const length = findPhrases(tokens, set).find((hit) => hit.from <= 1)?.to ?? 0;
    if (length === 0 || length >= tokens.length) continue;
    const rest = thirdPerson(politeless(speech(conversation, { from: from + length, to }, 14)));
    if (rest) return `${isForgetting(tokens) ? 'The customer had forgotten' : lead} ${rest}`;
  }
  return null;
}

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
