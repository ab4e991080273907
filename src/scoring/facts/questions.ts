import type { Conversation, PlacedToken, Turn } from '../conversation/conversation.ts';
import type { Finder } from '../conversation/finder.ts';
import { clauseEnd } from '../conversation/finder.ts';
import { inOtherLanguages } from '../lexicon/other-languages.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';

/** A question of the agent: the words `[from, to)` of its clause. */
export type SpokenQuestion = { turn: Turn; from: number; to: number };

const AUXILIARIES = new Set(
  'can could may might would will do does did is are was were have has shall should am'.split(' '),
);
/**
 * Within a sentence, only these are almost certainly a question, so that text without punctuation is read correctly.
 */
const INVERSIONS: Record<string, string> = {
  do: 'you we',
  did: 'you it that',
  can: 'you i we',
  could: 'you i we',
  would: 'you',
  are: 'you there',
  have: 'you',
  may: 'i',
  shall: 'i we',
  is: 'there',
  was: 'there',
};
/** At the start of a sentence, these ask, whatever a recogniser makes of the next word. */
const OPEN_WORDS = new Set(['what', 'which', 'who']);
const NO_QUESTION_AFTER = new Set(['a', 'an', 'i', 'we', 'the', 'you', 'ever', '']);
const LEADS = new Set(
  'course problem please yes and so or okay alright sure but then right great thanks perfect well now'.split(' '),
);
const SUBJECTS = new Set('you i we it that there your this he she they the my any anyone anybody'.split(' '));
const QUESTION_WORDS = new Set('what which when where who whose why how'.split(' '));
const AFTER_QUESTION_WORD = new Set(
  `is are was were do does did can could would will may should has have had kind type sort day date time number name
  address account card amount email size color colour model city phone month year country one part many much long old
  often soon far about exactly of order reference plan branch store address seems else`.split(/\s+/u),
);
/** After these, a question word starts a subordinate clause: "I see what you mean". */
const SUBORDINATING = new Set(
  'know see understand check find matter explain show that is was look exactly forget'.split(' '),
);
const STATEMENT_SUBJECTS = new Set('that this it i you we they he she there which who what here'.split(' '));
const TAG_SUBJECTS = new Set(['that', 'this', 'it']);
const TAG_JUDGEMENTS = new Set(['correct', 'right', 'okay', 'ok', 'accurate']);
/** "Can I have …", "could you tell me …": asks for something even without a question mark. */
const REQUEST_STARTS = new Set(['tell', 'confirm', 'give', 'provide', 'verify']);

const inquiries = compilePhrases(inOtherLanguages('clarifications'));

/**
 * The questions of the agent, in order. In languages other than English they are recognized by question marks or set
 * words.
 */
export function findQuestions(conversation: Conversation, finder: Finder): SpokenQuestion[] {
  const asked = conversation.agentTurns.flatMap((turn) => questionsIn(conversation, turn));
  const further = finder.find(inquiries, 'agent').map(({ turn, from, to }): SpokenQuestion => {
    return { turn, from, to: Math.max(to, clauseEnd(conversation.tokens, from)) };
  });
  if (further.length === 0) return asked;
  return [...asked, ...further].toSorted((a, b) => a.from - b.from || a.to - b.to);
}

function questionsIn({ tokens }: Conversation, turn: Turn): SpokenQuestion[] {
  const found: SpokenQuestion[] = [];
  for (let at = turn.from; at < turn.to; at += 1) {
    const last = found.at(-1);
    if (last && at < last.to) continue;
    if (!opensQuestion(tokens, at, turn) && !isPunctuatedQuestion(tokens, at, turn)) continue;
    found.push({ turn, from: at, to: Math.max(at + 1, questionEnd(tokens, at)) });
  }
  return found;
}

/** Without punctuation, a question also ends where a statement follows: "… so we will", "… but I". */
function questionEnd(tokens: readonly PlacedToken[], from: number): number {
  const end = clauseEnd(tokens, from);
  for (let at = from + 2; at < end - 1; at += 1) {
    const isLink = ['so', 'but', 'because', 'okay'].includes(tokens[at]?.word ?? '');
    if (isLink && ['i', 'we', 'your', 'the', 'it', 'that', 'so'].includes(tokens[at + 1]?.word ?? '')) return at;
  }
  return end;
}

/** "… of sixty dollars is that correct": ends the question, whatever comes before it. */
function isTag(tokens: readonly PlacedToken[], at: number, turn: Turn): boolean {
  const [verb, subject, ...rest] = tokens.slice(at, Math.min(turn.to, at + 4)).map(({ word }) => word);
  if (verb !== 'is' || !TAG_SUBJECTS.has(subject ?? '')) return false;
  const isLast = clauseEnd(tokens, at) - at <= 4 || at + 3 >= turn.to;
  return isLast && TAG_JUDGEMENTS.has(rest[rest[0] === 'all' ? 1 : 0] ?? '');
}

function opensQuestion(tokens: readonly PlacedToken[], at: number, turn: Turn): boolean {
  const word = tokens[at]?.word ?? '';
  const next = at + 1 < turn.to ? (tokens[at + 1]?.word ?? '') : '';
  const previous = at > turn.from && !isSentenceEnd(tokens[at - 1]) ? (tokens[at - 1]?.word ?? '') : '';
  if (AUXILIARIES.has(word) && SUBJECTS.has(next) && !isTag(tokens, at, turn)) {
    if (previous === '' || LEADS.has(previous) || next === 'any') return true;
    return !STATEMENT_SUBJECTS.has(previous) && (INVERSIONS[word] ?? '').split(' ').includes(next);
  }
  if (isTag(tokens, at, turn)) return true;
  if (QUESTION_WORDS.has(word)) {
    const isOpening = (previous === '' || LEADS.has(previous)) && OPEN_WORDS.has(word) && !NO_QUESTION_AFTER.has(next);
    return isOpening || (AFTER_QUESTION_WORD.has(next) && !SUBORDINATING.has(previous));
  }
  const isRequest = REQUEST_STARTS.has(word) && (next === 'me' || next === 'your' || next === 'us');
  if (isRequest) return previous === '' || ['please', 'just', 'and', 'you'].includes(previous);
  return isChoice(tokens, at, turn);
}

/** "savings or checking", "morning or afternoon": a short clause that offers two things. */
function isChoice(tokens: readonly PlacedToken[], at: number, turn: Turn): boolean {
  if (tokens[at]?.word !== 'or' || at === turn.from || tokens[at + 1]?.word === 'else') return false;
  const end = clauseEnd(tokens, at);
  return end - at <= 4 && end - at >= 2 && end >= turn.to - 1 && turn.to - turn.from <= 14;
}

function isPunctuatedQuestion(tokens: readonly PlacedToken[], at: number, turn: Turn): boolean {
  const isStart = at === turn.from || isSentenceEnd(tokens[at - 1]);
  if (!isStart) return false;
  const end = clauseEnd(tokens, at);
  return tokens[end - 1]?.pause === 'question';
}

function isSentenceEnd(token: PlacedToken | undefined): boolean {
  return token?.pause === 'stop' || token?.pause === 'question';
}
