import type { SpeakerRole } from '../../model/transcript.ts';
import type { Conversation, PlacedToken, Turn } from './conversation.ts';

/** What one party says in one go: consecutive turns, ignoring the other's "okay" and "go ahead" in between. */
export type Stretch = { turns: Turn[]; tokens: PlacedToken[]; from: number; to: number };

const NODS = new Set(
  'okay yes right alright sure mhm got it uh go ahead and thank you thanks perfect great'.split(' '),
);

export function readStretches(conversation: Conversation, role: SpeakerRole): Stretch[] {
  const stretches: Stretch[] = [];
  let isOpen = false;
  for (const turn of conversation.turns) {
    if (turn.role !== role) {
      isOpen &&= turn.tokens.length <= 3 && turn.tokens.every(({ word }) => NODS.has(word));
      continue;
    }
    const last = stretches.at(-1);
    if (isOpen && last) {
      last.turns.push(turn);
      last.tokens.push(...turn.tokens);
      last.to = turn.to;
    } else stretches.push({ turns: [turn], tokens: [...turn.tokens], from: turn.from, to: turn.to });
    isOpen = true;
  }
  return stretches;
}
