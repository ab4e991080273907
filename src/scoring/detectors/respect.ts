import { RUDE_WORDS } from '../accusations/books.ts';
import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { atFirstQuote, finding } from '../findings/answer.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { quotePlaces } from '../findings/evidence.ts';
import type { SlightKind } from '../lexicon/accusations/accusation-book.ts';
import type { Slight } from '../accusations/slights.ts';

/** Below this a recogniser guesses: a single doubtful word must not sink a call. */
const CONFIDENCE_MIN = 0.4;

/** Does the agent insult, swear at, mock, blame or threaten the customer? What the customer says does not count. */
export function detectRespect(facts: CallFacts): Finding {
  const { conversation, slights } = facts;
  const meant = slights.filter(({ strength }) => strength === 'clear');
  const clear = meant.filter((slight) => isHeardClearly(conversation, slight));
  if (clear.length > 0) {
    const kinds = [...new Set(clear.map(({ kind }) => kind))];
    const evidence = clear.slice(0, 4).flatMap((slight) => quotePlaces(conversation, slight));
    const rationale = REASONS[kinds[0] ?? 'insult'];
    return { ...atFirstQuote(finding('fail', rationale, evidence)), notes: kinds };
  }
  const [doubtful] = meant;
  if (doubtful) {
    const rationale = 'A rude word may have been said, but it was not heard clearly: listen to it.';
    return atFirstQuote(finding('needs_review', rationale, quotePlaces(conversation, doubtful)));
  }
  const [possible] = slights;
  if (possible) {
    const rationale = `${POSSIBLE[possible.kind]}, but nothing else in the call shows it: listen to it.`;
    return atFirstQuote(finding('needs_review', rationale, quotePlaces(conversation, possible)));
  }
  const unclear = unattributed(facts);
  if (unclear) {
    const rationale = 'Something rude is said, but the recording does not tell by whom: listen to it.';
    return atFirstQuote(finding('needs_review', rationale, quotePlaces(conversation, unclear)));
  }
  return finding('pass', 'The agent stays polite: no insult, swearing, sarcasm, blame or threat.');
}

/** Swearing and insults by a voice that could be either's. */
function unattributed({ conversation }: CallFacts): { from: number; to: number } | undefined {
  const turns = conversation.turns.filter(({ role }) => role === 'unknown');
  const token = turns.flatMap(({ tokens }) => tokens).find(({ word }) => RUDE_WORDS.has(word));
  return token ? { from: token.at, to: token.at + 1 } : undefined;
}

const REASONS: Record<SlightKind, string> = {
  insult: 'The agent is rude to the customer.',
  profanity: 'The agent swears.',
  sarcasm: 'The agent is sarcastic towards the customer.',
  blame: 'The agent blames the customer.',
  contempt: 'The agent talks down to the customer.',
  threat: 'The agent threatens the customer.',
};

const POSSIBLE: Record<SlightKind, string> = {
  insult: 'This may be meant as an insult',
  profanity: 'The agent may be swearing here',
  sarcasm: 'This may be meant as sarcasm',
  blame: 'This may put the blame on the customer',
  contempt: 'This may talk down to the customer',
  threat: 'This may be meant as a threat',
};

function isHeardClearly({ tokens }: Conversation, { from, to }: Slight): boolean {
  return (
    tokens.slice(from, to).every(({ confidence }) => confidence === null || confidence >= CONFIDENCE_MIN) ||
    to - from >= 4
  );
}
