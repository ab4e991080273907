import type { CallFacts } from '../facts.ts';
import type { Finding } from '../answer.ts';
import { finding } from '../answer.ts';
import type { Conversation, Utterance } from '../conversation.ts';
import { quotePlaces } from '../evidence.ts';
import type { Finder } from '../finder.ts';
import { clauseStart, isNegated, wordsOf } from '../finder.ts';
import * as lexicon from '../lexicon/respect.ts';
import type { PhraseSet } from '../text/phrases.ts';
import { compilePhrases } from '../text/phrases.ts';

type Kind = 'insult' | 'profanity' | 'sarcasm' | 'blame' | 'threat';
type Slight = { kind: Kind; from: number; to: number };

const PHRASES: [Kind, PhraseSet][] = [
  ['insult', compilePhrases(lexicon.INSULT_PHRASES)],
  ['sarcasm', compilePhrases(lexicon.SARCASM_PHRASES)],
  ['blame', compilePhrases(lexicon.BLAME_PHRASES)],
  ['threat', compilePhrases(lexicon.THREAT_PHRASES)],
];
/** Below this a recogniser guesses: a single doubtful word must not sink a call. */
const CONFIDENCE_MIN = 0.4;

/** Does the agent insult, swear at, mock, blame or threaten the customer? What the customer says does not count. */
export function detectRespect(facts: CallFacts): Finding {
  const { conversation, finder } = facts;
  const slights = findSlights(conversation, finder);
  const clear = slights.filter((slight) => isHeardClearly(conversation, slight));
  const [first] = clear;
  if (first) {
    const kinds = [...new Set(clear.map(({ kind }) => kind))];
    const evidence = clear.slice(0, 4).flatMap((slight) => quotePlaces(conversation, slight));
    const rationale = REASONS[kinds[0] ?? 'insult'];
    return { ...finding('fail', rationale, evidence), atMs: timeOf(conversation, first.from), notes: kinds };
  }
  const [doubtful] = slights;
  if (doubtful) {
    const evidence = quotePlaces(conversation, doubtful);
    return {
      ...finding(
        'needs_review',
        'A rude word may have been said, but it was not heard clearly: listen to it.',
        evidence,
      ),
      atMs: timeOf(conversation, doubtful.from),
    };
  }
  const unclear = unattributed(facts);
  if (unclear) {
    const rationale = 'Something rude is said, but the recording does not tell by whom: listen to it.';
    return {
      ...finding('needs_review', rationale, quotePlaces(conversation, unclear)),
      atMs: timeOf(conversation, unclear.from),
    };
  }
  return finding('pass', 'The agent stays polite: no insult, swearing, sarcasm, blame or threat.');
}

/** Swearing and insults by a voice that could be either's. */
function unattributed({ conversation }: CallFacts): { from: number; to: number } | undefined {
  const turns = conversation.turns.filter(({ role }) => role === 'unknown');
  const token = turns
    .flatMap(({ tokens }) => tokens)
    .find(({ word }) => lexicon.PROFANITY.has(word) || word === 'idiot');
  return token ? { from: token.at, to: token.at + 1 } : undefined;
}

const REASONS: Record<Kind, string> = {
  insult: 'The agent is rude to the customer.',
  profanity: 'The agent swears.',
  sarcasm: 'The agent is sarcastic towards the customer.',
  blame: 'The agent blames the customer.',
  threat: 'The agent threatens the customer.',
};

function findSlights(conversation: Conversation, finder: Finder): Slight[] {
  const phrases = PHRASES.flatMap(([kind, set]) =>
    finder
      .find(set, 'agent')
      .filter(({ from }) => !isReported(conversation, from))
      .map(({ from, to }) => ({ kind, from, to })),
  );
  const words = conversation.agentTurns.flatMap((turn) =>
    turn.tokens.flatMap(({ word, at }) => wordSlight(conversation, word, at)),
  );
  return [...phrases, ...words].toSorted((a, b) => a.from - b.from);
}

function wordSlight(conversation: Conversation, word: string, at: number): Slight[] {
  const isSwearing = lexicon.PROFANITY.has(word);
  if (!isSwearing && !lexicon.INSULT_WORDS.has(word)) return [];
  if (isReported(conversation, at)) return [];
  if (isSwearing) return [{ kind: 'profanity', from: at, to: at + 1 }];
  const { tokens } = conversation;
  const start = clauseStart(tokens, at);
  const before = wordsOf(tokens, Math.max(start, at - 5), at);
  const after = wordsOf(tokens, at + 1, at + 3);
  if (after.some((each) => lexicon.THINGS.has(each))) return [];
  if (before.slice(-4).some((each) => lexicon.OWN.has(each)) && !before.includes('you')) return [];
  const isAimed =
    before.some((each) => ['you', 'your', 'are'].includes(each)) || before.length === 0 || after.includes('you');
  const isNoun = ['idiot', 'idiots', 'moron', 'morons', 'imbecile', 'loser', 'liar', 'stupid'].includes(word);
  return isAimed || isNoun ? [{ kind: 'insult', from: at, to: at + 1 }] : [];
}

/** "He called you an idiot", "nobody thinks that you are stupid": reported or denied, not said. */
function isReported({ tokens }: Conversation, at: number): boolean {
  const start = clauseStart(tokens, at);
  const before = wordsOf(tokens, Math.max(start, at - 7), at);
  return before.some((word) => lexicon.QUOTING.has(word)) || isNegated(tokens, at);
}

function isHeardClearly({ tokens }: Conversation, { from, to }: Slight): boolean {
  return (
    tokens.slice(from, to).every(({ confidence }) => confidence === null || confidence >= CONFIDENCE_MIN) ||
    to - from >= 4
  );
}

function timeOf({ tokens }: Conversation, at: number): number {
  const utterance: Utterance | undefined = tokens[at]?.utterance;
  return utterance?.segment.startMs ?? 0;
}
