import { capitalize, clock } from '../messages/format.ts';
import type { ClosingPart, OpeningPart } from '../messages/terms.ts';
import type { ReportInput } from './input.ts';
import { quoted } from './speech.ts';
import { agentNameIn } from './summary.ts';
import { isClean } from './trust.ts';
import { clauseStart, wordsOf } from '../conversation/finder.ts';

export type Group = { text: string; keys: string[] };
type IsMissed = (key: string) => boolean;

const OPENING_PARTS: readonly OpeningPart[] = ['opens', 'company', 'name', 'offer'];
const CLOSING_PARTS: readonly ClosingPart[] = ['more', 'thanks', 'farewell'];

/** One note for everything that the opening lacks, with a whole opening to use instead. */
export function coachGreeting(input: ReportInput, isMissed: IsMissed): Group | null {
  const missing = OPENING_PARTS.filter((part) => isMissed(`greeting.${part}`));
  const { facts } = input;
  const { coaching } = facts.messages;
  const [first] = facts.conversation.agentTurns;
  if (missing.length === 0 || !first) return null;
  const isOnlyOffer = missing.length === 1 && missing[0] === 'offer';
  const example = isOnlyOffer ? coaching.offer : coaching.greeting(companyWords(input), surelyNamed(input));
  const text = coaching.opening(missing, clock(first.startMs), quoted(facts, first, 14), example);
  return { keys: missing.map((part) => `greeting.${part}`), text };
}

function surelyNamed(input: ReportInput): string | null {
  const { conversation, naming } = input.facts;
  const isSure = naming.ownName !== null && isClean(conversation, naming.ownName);
  return isSure ? agentNameIn(input) : null;
}

const LEADS = new Set(
  'this is thank you for calling thanks welcome to have reached are through from at with the a phoning contacting choosing ringing'.split(
    ' ',
  ),
);

/** Where other languages have a lead, its words and the name are not told apart. */
function companyWords({ facts }: ReportInput): string | null {
  const range = facts.naming.company;
  if (!range || facts.messages.language !== 'en' || !isClean(facts.conversation, range)) return null;
  const words = wordsOf(facts.conversation.tokens, range.from, range.to);
  const start = words.findIndex((word) => !LEADS.has(word));
  return start < 0 ? null : words.slice(start).map(capitalize).join(' ');
}

/** One note for everything that the end lacks. */
export function coachClosing(input: ReportInput, isMissed: IsMissed): Group | null {
  const missing = CLOSING_PARTS.filter((part) => isMissed(`closing.${part}`));
  const { facts } = input;
  const { conversation, messages } = facts;
  const last = conversation.agentTurns.at(-1);
  if (missing.length === 0 || !last) return null;
  const from = lastWordsFrom(facts, last);
  const said = quoted(facts, { from, to: last.to });
  const atMs = conversation.tokens[from]?.utterance.segment.startMs ?? last.startMs;
  return {
    keys: missing.map((part) => `closing.${part}`),
    text: messages.coaching.ending(missing, clock(atMs), said),
  };
}

const LAST_WORDS = 10;
const LAST_WORDS_MAX = 18;

/** The last words of a turn from the start of a sentence on: half of one reads as if somebody had said so. */
function lastWordsFrom(
  { conversation: { tokens } }: ReportInput['facts'],
  { from, to }: { from: number; to: number },
): number {
  const near = Math.max(from, to - LAST_WORDS);
  const begun = clauseStart(tokens, near);
  if (begun >= from && to - begun <= LAST_WORDS_MAX) return begun;
  const next = tokens.slice(near, to - 1).find(({ pause }) => pause === 'stop' || pause === 'question');
  return next ? next.at + 1 : near;
}
