import type { HeardUtterance, HeardWord } from '../interface.ts';

/** Who speaks when, in milliseconds. */
export type SpeakerTurn = { startMs: number; endMs: number; speaker: number };

/** A second voice that has said less than this, in time and share, is not a second person. */
const voiceMsMin = 1_000;
const voiceShareMin = 0.02;

/**
 * Assigns the words of one track to its speakers, and splits utterances where the speaker changes. A word belongs to
 * the turn that covers most of it, else to the nearest one.
 */
export function assignSpeakers(utterances: HeardUtterance[], turns: SpeakerTurn[]): HeardUtterance[] {
  const real = withoutPhantoms(turns);
  if (new Set(real.map(({ speaker }) => speaker)).size < 2) return utterances;
  return utterances.flatMap((utterance) =>
    groupBySpeaker(utterance.words, real).map(({ speaker, words }) => ({
      ...utterance,
      voice: String(speaker),
      startMs: words[0]?.startMs ?? utterance.startMs,
      endMs: words.at(-1)?.endMs ?? utterance.endMs,
      text: words.map(({ text }) => text).join(' '),
      words,
    })),
  );
}

function withoutPhantoms(turns: SpeakerTurn[]): SpeakerTurn[] {
  const spokenMs = new Map<number, number>();
  for (const { speaker, startMs, endMs } of turns) {
    spokenMs.set(speaker, (spokenMs.get(speaker) ?? 0) + endMs - startMs);
  }
  const allMs = [...spokenMs.values()].reduce((sum, ms) => sum + ms, 0);
  return turns.filter(({ speaker }) => (spokenMs.get(speaker) ?? 0) >= Math.max(voiceMsMin, allMs * voiceShareMin));
}

function groupBySpeaker(words: HeardWord[], turns: SpeakerTurn[]): { speaker: number; words: HeardWord[] }[] {
  const groups: { speaker: number; words: HeardWord[] }[] = [];
  for (const word of words) {
    const speaker = speakerOf(word, turns);
    const last = groups.at(-1);
    if (last?.speaker === speaker) last.words.push(word);
    else groups.push({ speaker, words: [word] });
  }
  return groups;
}

function speakerOf({ startMs, endMs }: HeardWord, turns: SpeakerTurn[]): number {
  let best = { closenessMs: Number.NEGATIVE_INFINITY, speaker: 0 };
  for (const turn of turns) {
    // Positive: how much of the word it covers. Negative: how far away it is.
    const closenessMs = Math.min(endMs, turn.endMs) - Math.max(startMs, turn.startMs);
    if (closenessMs > best.closenessMs) best = { closenessMs, speaker: turn.speaker };
  }
  return best.speaker;
}
