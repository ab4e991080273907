import type { Metrics } from '../../model/scorecard.ts';
import type { SpeakerRole } from '../../model/transcript.ts';
import type { Conversation, Utterance } from '../conversation/conversation.ts';
import type { Interval } from '../conversation/intervals.ts';
import { gapsBetween, mergeIntervals, totalMs } from '../conversation/intervals.ts';
import { scoreSentiment } from './sentiment.ts';
import { countWords } from '../../model/text/tokens.ts';
import { findTalkingOver } from '../conversation/interruptions.ts';
import type { Interruption } from '../conversation/interruptions.ts';

/** Nobody speaks more than ten words a second. */
const WORD_MS_MIN = 100;
/** Pauses up to this length within one party's speech do not end a monologue. */
const MONOLOGUE_PAUSE_MS = 2000;

export type Measurements = {
  metrics: Metrics;
  interruptionsByAgent: Interruption[];
  /** Time in which the agent talks over the customer, as a share of the conversation (first to last word). */
  agentOverlapShare: number;
  /** Silences within the conversation, in order. */
  silences: Interval[];
};

/**
 * Measures a call. Times are unions, so that overlapping or duplicate segments do not count twice. Parties are those
 * that the source distinguishes, so a mono recording of unknown voices has no talk time for either.
 */
export function measureCall(conversation: Conversation, language: string | null): Measurements {
  const agent = partyOf(conversation, 'agent');
  const customer = partyOf(conversation, 'customer');
  const everybody = mergeIntervals(conversation.spoken.map(({ segment }) => segment));
  const talk = agent.talkMs + customer.talkMs;
  const byAgent = findTalkingOver(agent.utterances, customer.utterances);
  const byCustomer = findTalkingOver(customer.utterances, agent.utterances);
  const spanMs = conversation.endMs - conversation.startMs;
  const overlapMs = totalMs(mergeIntervals(byAgent.overlaps));
  return {
    metrics: {
      talkTimeMs: { agent: agent.talkMs, customer: customer.talkMs },
      talkRatio: talk > 0 ? round(agent.talkMs / talk, 3) : null,
      nonTalkTimeMs: Math.max(0, Math.round(conversation.durationMs - totalMs(everybody))),
      longestMonologueMs: Math.max(agent.monologueMs, customer.monologueMs),
      interruptions: { agent: byAgent.interruptions.length, customer: byCustomer.interruptions.length },
      wordsPerMinute: { agent: agent.wordsPerMinute, customer: customer.wordsPerMinute },
      sentiment: sentimentOf(conversation, language),
    },
    interruptionsByAgent: byAgent.interruptions,
    agentOverlapShare: spanMs > 0 ? overlapMs / spanMs : 0,
    silences: gapsBetween(everybody),
  };
}

type Party = {
  utterances: Utterance[];
  speech: Interval[];
  talkMs: number;
  monologueMs: number;
  wordsPerMinute: number | null;
};

function partyOf(conversation: Conversation, role: SpeakerRole): Party {
  const utterances = conversation.spoken.filter(({ segment }) => segment.role === role);
  const speech = mergeIntervals(utterances.map(({ segment }) => segment));
  const talkMs = totalMs(speech);
  return {
    utterances,
    speech,
    talkMs,
    monologueMs: longestMonologue(conversation, role),
    wordsPerMinute: paceOf(utterances),
  };
}

/**
 * Words per minute of the party's own time, if that time can contain them: a caption without a length says nothing
 * about pace.
 */
function paceOf(utterances: readonly Utterance[]): number | null {
  let [words, ms] = [0, 0];
  for (const { segment } of utterances) {
    const [said, lengthMs] = [countWords(segment.text), segment.endMs - segment.startMs];
    if (lengthMs <= 0 || lengthMs < said * WORD_MS_MIN) continue;
    words += said;
    ms += lengthMs;
  }
  return ms > 0 ? round((words * 60_000) / ms, 1) : null;
}

/** The longest speech of one party without a turn of somebody else. */
function longestMonologue(conversation: Conversation, role: SpeakerRole): number {
  let longest = 0;
  for (const turn of conversation.turns) {
    if (turn.role !== role || turn.utterances.some(({ segment }) => segment.role !== role)) continue;
    const stretches = mergeIntervals(
      turn.utterances.map(({ segment }) => segment),
      MONOLOGUE_PAUSE_MS,
    );
    for (const { startMs, endMs } of stretches) longest = Math.max(longest, endMs - startMs);
  }
  return longest;
}

function sentimentOf(conversation: Conversation, language: string | null): Metrics['sentiment'] {
  const of = (role: SpeakerRole): number | null =>
    scoreSentiment(
      conversation.spoken.filter((each) => each.role === role).flatMap(({ tokens }) => tokens),
      language,
    );
  const overall = scoreSentiment(
    conversation.spoken.filter(({ role }) => role !== 'ivr').flatMap(({ tokens }) => tokens),
    language,
  );
  return { agent: of('agent'), customer: of('customer'), overall };
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
