import { RUDE_WORDS } from '../accusations/books.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { wordsOf } from '../conversation/finder.ts';
import { quotePlaces } from '../findings/evidence.ts';
import type { Slight } from '../accusations/slights.ts';

/** Below this a recogniser guesses: a single doubtful word must not sink a call. */
const CONFIDENCE_MIN = 0.4;

/** Does the agent insult, swear at, mock, blame or threaten the customer? What the customer says does not count. */
export function detectRespect(facts: CallFacts): Finding {
  const { conversation, slights } = facts;
  const say = facts.messages.answers.respect;
  const meant = slights.filter(({ strength }) => strength === 'clear');
  const clear = meant.filter((slight) => isHeardClearly(conversation, slight));
  if (clear.length > 0) {
    const kinds = [...new Set(clear.map(({ kind }) => kind))];
    const evidence = clear.slice(0, 4).flatMap((slight) => quotePlaces(conversation, slight));
    const rationale = say.rude[kinds[0] ?? 'insult'];
    return {
      ...atFirstQuote(finding('fail', rationale, evidence)),
      slights: kinds,
      isPlain: clear.some((slight) => isPlain(facts, slight)),
    };
  }
  const [doubtful] = meant;
  if (doubtful) {
    return atFirstQuote(finding('needs_review', say.unclear, quotePlaces(conversation, doubtful)));
  }
  const [possible] = slights;
  if (possible) {
    return atFirstQuote(finding('needs_review', say.possible(possible.kind), quotePlaces(conversation, possible)));
  }
  const unclear = unattributed(facts);
  if (unclear) {
    return atFirstQuote(finding('needs_review', say.byWhom, quotePlaces(conversation, unclear)));
  }
  return finding('pass', say.pass);
}

/** Swearing, and names with "you" close by, that need no other sign. Without it a name may be a title or a dog's. */
function isPlain({ conversation, reading }: CallFacts, { kind, isBorneOut, from, to }: Slight): boolean {
  if (isBorneOut || (kind !== 'insult' && kind !== 'profanity')) return false;
  const { tokens } = conversation;
  const isFollowed = tokens[to]?.utterance === tokens[from]?.utterance;
  const near = wordsOf(tokens, from - AIMED_WITHIN, isFollowed ? to + 1 : to);
  return kind === 'profanity' || near.some((word) => reading.book.you.has(word));
}

const AIMED_WITHIN = 3;

/** Swearing and insults by a voice that could be either's. */
function unattributed({ conversation }: CallFacts): { from: number; to: number } | undefined {
  const turns = conversation.turns.filter(({ role }) => role === 'unknown');
  const token = turns.flatMap(({ tokens }) => tokens).find(({ word }) => RUDE_WORDS.has(word));
  return token ? { from: token.at, to: token.at + 1 } : undefined;
}

function isHeardClearly({ tokens }: Conversation, { from, to }: Slight): boolean {
  return (
    tokens.slice(from, to).every(({ confidence }) => confidence === null || confidence >= CONFIDENCE_MIN) ||
    to - from >= 4
  );
}
