import { LISTENING } from '../lexicon/other-languages.ts';
import type { Utterance } from './conversation.ts';
import type { Interval } from './intervals.ts';

/** `by` starts to speak while `of` is still speaking. */
export type Interruption = { by: Utterance; of: Utterance; overlap: Interval };
export type TalkingOver = { overlaps: Interval[]; interruptions: Interruption[] };

/** Both must speak for this long: people often start a little early. */
const OVERLAP_MS_MIN = 500;
/** The other must have been speaking this long; two who start together do not interrupt. */
const LEAD_MS_MIN = 300;
const SAME_ATTEMPT_MS = 1500;

const BACKCHANNEL = new Set([
  ...LISTENING,
  ...'mhm oh ah okay yes right sure alright great good perfect gotcha got it i see no thank you thanks hm understood of course uh wow really'.split(
    ' ',
  ),
]);

/**
 * Where one party talks over the other, in one pass over both lists (sorted by start). Backchannels ("mm hmm", "okay",
 * "i see") are listening, not interrupting, and several tries at one sentence are one interruption.
 */
export function findTalkingOver(by: readonly Utterance[], of: readonly Utterance[]): TalkingOver {
  const overlaps: Interval[] = [];
  const interruptions: Interruption[] = [];
  let victim: Utterance | undefined;
  let next = 0;
  for (const speaker of by) {
    const { startMs, endMs } = speaker.segment;
    for (let other = of[next]; other && other.segment.startMs < startMs; other = of[++next]) {
      if (!victim || other.segment.endMs >= victim.segment.endMs) victim = other;
    }
    if (!victim || victim.segment.endMs <= startMs || isBackchannel(speaker)) continue;
    const overlap = { startMs, endMs: Math.min(endMs, victim.segment.endMs) };
    overlaps.push(overlap);
    if (startMs - victim.segment.startMs < LEAD_MS_MIN || overlap.endMs - startMs < OVERLAP_MS_MIN) continue;
    const last = interruptions.at(-1);
    const isSameAttempt = last && last.of === victim && startMs - last.overlap.endMs < SAME_ATTEMPT_MS;
    if (isSameAttempt) last.overlap.endMs = Math.max(last.overlap.endMs, overlap.endMs);
    else interruptions.push({ by: speaker, of: victim, overlap: { ...overlap } });
  }
  return { overlaps, interruptions };
}

export function isBackchannel(utterance: Utterance): boolean {
  return utterance.tokens.length <= 4 && utterance.tokens.every((token) => BACKCHANNEL.has(token.word));
}
