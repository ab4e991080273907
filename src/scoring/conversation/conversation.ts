import type { Segment, SpeakerRole, Transcript } from '../../model/transcript.ts';
import type { Token } from '../../model/text/tokens.ts';
import { blankMarkers, createTokenReader } from '../../model/text/tokens.ts';
import { compareByTime } from './intervals.ts';
import { resolveRoles } from '../roles/segments.ts';
import { TooExpensiveError } from '../../lib/too-expensive.ts';
import { WORDS_MAX } from '../text/work.ts';

/** One segment with its spoken words. */
export type Utterance = { segment: Segment; role: SpeakerRole; tokens: Token[]; turn: number };

/** A word in the order of the conversation. `at` is its position, so that "before" and "after" are comparisons. */
export type PlacedToken = Token & { at: number; utterance: Utterance };

/** Consecutive utterances of one party: `tokens` are the words at positions `[from, to)`. */
export type Turn = {
  index: number;
  role: SpeakerRole;
  utterances: Utterance[];
  tokens: PlacedToken[];
  from: number;
  to: number;
  startMs: number;
  endMs: number;
};

export type Conversation = {
  /** All segments with speech, by start time, without markers and empty ones. */
  spoken: Utterance[];
  turns: Turn[];
  agentTurns: Turn[];
  customerTurns: Turn[];
  /** Every word of every turn, `tokens[i].at === i`. */
  tokens: PlacedToken[];
  durationMs: number;
  startMs: number;
  endMs: number;
  /** Whether the source itself distinguishes agent and customer. */
  areSpeakersKnown: boolean;
  /** Whether people wrote the transcript: then its words can be trusted. */
  isSupplied: boolean;
};

const HUMS = new Set(['mhm', 'oh', 'ah', 'uh', 'hm', 'mm']);

/** Symbols and contractions are expanded to words, so there may be more of them than the transcript has. */
const TOKENS_MAX = 2 * WORDS_MAX;

/**
 * Reads a transcript into utterances and turns. Linear in its length. Throws `TooExpensiveError` if it is longer than
 * can be scored.
 */
export function readConversation(
  transcript: Transcript,
  durationMs: number,
  agentName: string | null = null,
): Conversation {
  const spoken = readUtterances(transcript.segments, agentName);
  return conversationOf(spoken, { durationMs, isSupplied: transcript.source === 'supplied' });
}

/** The same words with other roles, as assigned by us. */
export function withRoles(conversation: Conversation, roleOf: (role: SpeakerRole) => SpeakerRole): Conversation {
  const spoken = conversation.spoken.map(({ segment, role: before, tokens }): Utterance => {
    const role = roleOf(before);
    return { segment: { ...segment, role, roleInferred: true }, role, tokens, turn: -1 };
  });
  return conversationOf(spoken, conversation);
}

type About = Pick<Conversation, 'durationMs' | 'isSupplied'>;

function conversationOf(spoken: Utterance[], { durationMs, isSupplied }: About): Conversation {
  const turns = readTurns(spoken);
  const sourceRoles = new Set(spoken.filter(({ segment }) => !segment.roleInferred).map(({ segment }) => segment.role));
  return {
    spoken,
    turns,
    agentTurns: turns.filter((turn) => turn.role === 'agent'),
    customerTurns: turns.filter((turn) => turn.role === 'customer'),
    tokens: turns.flatMap((turn) => turn.tokens),
    durationMs,
    startMs: spoken[0]?.segment.startMs ?? 0,
    endMs: spoken.reduce((end, { segment }) => Math.max(end, segment.endMs), 0),
    isSupplied,
    areSpeakersKnown: sourceRoles.has('agent') || sourceRoles.has('customer') || sourceRoles.has('ivr'),
  };
}

/** All segments with speech, by start time, without markers and empty ones. Not assigned to turns yet. */
export function readUtterances(segments: readonly Segment[], agentName: string | null = null): Utterance[] {
  const read = createTokenReader();
  let left = TOKENS_MAX;
  const voiced = segments
    .toSorted(compareByTime)
    .filter((segment) => /[\p{L}\p{N}]/u.test(blankMarkers(segment.text)))
    .map((segment) => {
      const tokens = read(segment.text, confidencesOf(segment));
      left -= tokens.length;
      if (left < 0) throw new TooExpensiveError('words');
      return { segment, tokens };
    });
  const roles = resolveRoles(voiced, agentName);
  return voiced.map(({ segment, tokens }, index) => {
    return { segment, tokens, role: roles[index] ?? segment.role, turn: -1 };
  });
}

/** Hums ("mm hmm") neither start nor end a turn: they are listening, not speaking. */
export function isHum(tokens: readonly Token[]): boolean {
  return tokens.every((token) => HUMS.has(token.word));
}

function confidencesOf(segment: Segment): (number | null)[] {
  return segment.words.map((word) => word.confidence);
}

function readTurns(spoken: readonly Utterance[]): Turn[] {
  const turns: Turn[] = [];
  let at = 0;
  for (const utterance of spoken) {
    if (isHum(utterance.tokens)) continue;
    let turn = turns.at(-1);
    const { segment, role } = utterance;
    if (!turn || turn.role !== role) {
      turn = {
        index: turns.length,
        role,
        utterances: [],
        tokens: [],
        from: at,
        to: at,
        startMs: segment.startMs,
        endMs: 0,
      };
      turns.push(turn);
    }
    utterance.turn = turn.index;
    turn.utterances.push(utterance);
    for (const token of utterance.tokens) turn.tokens.push({ ...token, at: at++, utterance });
    turn.to = at;
    turn.endMs = Math.max(turn.endMs, segment.endMs);
  }
  return turns;
}
