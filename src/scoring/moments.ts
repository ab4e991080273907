import type { CallMoments } from '../model/scorecard.ts';
import type { Segment } from '../model/transcript.ts';
import { readUtterances, type Utterance } from './conversation/conversation.ts';
import { findTalkingOver } from './conversation/interruptions.ts';
import { compareByTime, gapsBetween, mergeIntervals } from './conversation/intervals.ts';

/** Shorter pauses are part of any conversation. */
const SILENCE_MS_MIN = 5000;

/** When the interruptions in the metrics happen, and the silences between the first and the last word. */
export function findMoments(segments: readonly Segment[]): CallMoments {
  const utterances = readUtterances(segments);
  const agent = utterances.filter(({ segment }) => segment.role === 'agent');
  const customer = utterances.filter(({ segment }) => segment.role === 'customer');
  const pauses = gapsBetween(mergeIntervals(utterances.map(({ segment }) => segment)));
  return {
    interruptions: [
      ...interruptionsOf('agent', agent, customer),
      ...interruptionsOf('customer', customer, agent),
    ].toSorted(compareByTime),
    silences: pauses.filter(({ startMs, endMs }) => endMs - startMs >= SILENCE_MS_MIN),
  };
}

function interruptionsOf(
  by: 'agent' | 'customer',
  speaking: readonly Utterance[],
  listening: readonly Utterance[],
): CallMoments['interruptions'] {
  return findTalkingOver(speaking, listening).interruptions.map(({ overlap }) => ({ by, ...overlap }));
}
