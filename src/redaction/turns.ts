import type { SpeakerRole } from '../model/transcript.ts';
import type { Token } from './tokens.ts';

/** What one person says before somebody else does: tokens `[from, to)`. */
export type Turn = { speaker: string; role: SpeakerRole; from: number; to: number };

type Speaker = { speaker: string; role: SpeakerRole };

/** `speakers` by segment. */
export function readTurns(tokens: readonly Token[], speakers: readonly Speaker[]): Turn[] {
  const turns: Turn[] = [];
  for (const [at, { segment }] of tokens.entries()) {
    const { speaker = '', role = 'unknown' } = speakers[segment] ?? {};
    const last = turns.at(-1);
    if (last?.speaker === speaker) last.to = at + 1;
    else turns.push({ speaker, role, from: at, to: at + 1 });
  }
  return turns;
}

/** Index of the turn that contains this token. */
export function turnAt(turns: readonly Turn[], at: number): number {
  let low = 0;
  let high = turns.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turns[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
