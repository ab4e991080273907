import type { ReportInput } from './input.ts';
import { capitalize, clock, listWords } from './format.ts';
import { quoted } from './speech.ts';
import { agentLabel } from './summary.ts';
import { isClean } from './trust.ts';
import { wordsOf } from '../conversation/finder.ts';

export type Group = { text: string; keys: string[] };
type IsMissed = (key: string) => boolean;

/** One note for everything that the opening lacks, with a whole opening to use instead. */
export function coachGreeting(input: ReportInput, isMissed: IsMissed): Group | null {
  const keys = ['greeting.opens', 'greeting.company', 'greeting.name', 'greeting.offer'].filter(isMissed);
  const [first] = input.facts.conversation.agentTurns;
  if (keys.length === 0 || !first) return null;
  const missing = keys.map((key) => MISSING_IN_GREETING[key] ?? '');
  const said = quoted(input.facts.conversation, first, 14);
  const lead = `The opening at ${clock(first.startMs)} (${said}) lacks ${listWords(missing)}.`;
  return { keys, text: `${lead} Try: “${modelGreeting(input, keys)}”` };
}

const MISSING_IN_GREETING: Record<string, string> = {
  'greeting.opens': 'a greeting',
  'greeting.company': "the company's or department's name",
  'greeting.name': "the agent's name",
  'greeting.offer': 'the question how you can help',
};

function modelGreeting(input: ReportInput, keys: readonly string[]): string {
  const { facts } = input;
  const company = facts.naming.company ? companyWords(input) : '(company)';
  const own = facts.naming.ownName;
  const isNameClear = own !== null && isClean(facts.conversation, own) && agentLabel(input) !== 'The agent';
  const name = isNameClear ? agentLabel(input) : '(your name)';
  if (keys.length === 1 && keys[0] === 'greeting.offer') return 'How can I help you today?';
  return `Good morning, ${company}, my name is ${name}. How can I help you?`;
}

const LEADS = new Set(
  'this is thank you for calling thanks welcome to have reached are through from at with the a phoning contacting choosing ringing'.split(
    ' ',
  ),
);

function companyWords({ facts }: ReportInput): string {
  const range = facts.naming.company;
  if (!range || !isClean(facts.conversation, range)) return '(company)';
  const words = wordsOf(facts.conversation.tokens, range.from, range.to);
  const start = words.findIndex((word) => !LEADS.has(word));
  return start < 0 ? '(company)' : words.slice(start).map(capitalize).join(' ');
}

/** One note for everything that the end lacks. */
export function coachClosing(input: ReportInput, isMissed: IsMissed): Group | null {
  const keys = ['closing.more', 'closing.thanks', 'closing.farewell'].filter(isMissed);
  const { conversation } = input.facts;
  const last = conversation.agentTurns.at(-1);
  if (keys.length === 0 || !last) return null;
  const missing = listWords(keys.map((key) => MISSING_IN_CLOSING[key] ?? ''));
  const from = Math.max(last.from, last.to - 10);
  const said = quoted(conversation, { from, to: last.to });
  const atMs = conversation.tokens[from]?.utterance.segment.startMs ?? last.startMs;
  const words = [
    ...(keys.includes('closing.more') ? ['Is there anything else I can do for you?'] : []),
    ...(keys.includes('closing.thanks') ? ['Thank you for calling.'] : []),
    ...(keys.includes('closing.farewell') ? ['Have a good day, goodbye.'] : []),
  ];
  return {
    keys,
    text: `The agent's last words at ${clock(atMs)} are ${said}, and ${missing} ${keys.length > 1 ? 'are' : 'is'} missing. End with: “${words.join(' ')}”`,
  };
}

const MISSING_IN_CLOSING: Record<string, string> = {
  'closing.more': 'the question whether anything else is needed',
  'closing.thanks': 'a thank you',
  'closing.farewell': 'a goodbye',
};
