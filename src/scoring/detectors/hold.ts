import type { CallFacts } from '../facts/facts.ts';
import type { Finding } from '../findings/answer.ts';
import { finding } from '../findings/answer.ts';
import type { Turn } from '../conversation/conversation.ts';
import { quotePlaces, quoteUtterance } from '../findings/evidence.ts';
import type { Hit } from '../conversation/finder.ts';
import type { Interval } from '../conversation/intervals.ts';
import { HOLD_ANNOUNCEMENTS, HOLD_EXPLANATIONS } from '../lexicon/hold.ts';
import { inOtherLanguages } from '../lexicon/other-languages.ts';
import { clock } from '../messages/format.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';

const announcements = compilePhrases([...HOLD_ANNOUNCEMENTS, ...inOtherLanguages('holdAnnouncements')]);
const explanations = compilePhrases([...HOLD_EXPLANATIONS, ...inOtherLanguages('holdExplanations')]);

export const SILENCE_MS = 15_000;
const EXPLAINED_WITHIN_MS = 20_000;
const ANNOUNCED_WITHIN_MS = 20_000;

/** Whether every silence of more than 15 s in the conversation is announced before or explained after. */
export function detectHold(facts: CallFacts): Finding {
  const { hold: say, list } = facts.messages.answers;
  const silences = facts.measurements.silences.filter(({ startMs, endMs }) => endMs - startMs > SILENCE_MS);
  if (silences.length === 0) return finding('not_applicable', say.none);
  const covered = silences.map((silence) => ({ silence, hit: coverOf(facts, silence) }));
  const evidence = covered.flatMap(({ hit }) => (hit ? quotePlaces(facts.conversation, hit) : [])).slice(0, 4);
  const open = covered.filter(({ hit }) => !hit).map(({ silence }) => silence);
  const [first] = open;
  if (!first) return finding('pass', say.pass, evidence);
  const where = list(
    open.slice(0, 3).map(({ startMs, endMs }) => say.place(Math.round((endMs - startMs) / 1000), clock(startMs))),
  );
  const before = facts.conversation.spoken.findLast(({ segment }) => segment.endMs <= first.startMs);
  const fields = { atMs: first.startMs, notes: [where] };
  if (open.length < silences.length) {
    return { ...finding('partial', say.partial(where), evidence), ...fields };
  }
  const shown = before ? [quoteUtterance(before)] : [];
  return { ...finding('fail', say.fail(where), shown), ...fields };
}

/** The words that announce or explain a silence: the last ones before it, by either side, or the agent's first after it. */
function coverOf({ conversation, finder }: CallFacts, { startMs, endMs }: Interval): Hit | undefined {
  const { before, after } = around(conversation.turns, startMs, endMs);
  const isSpokenBefore = ({ from }: Hit): boolean => {
    const segment = conversation.tokens[from]?.utterance.segment;
    return segment !== undefined && segment.startMs < startMs && segment.endMs >= startMs - ANNOUNCED_WITHIN_MS;
  };
  const announced = finder.find(announcements, 'anyone').findLast((hit) => before.has(hit.turn) && isSpokenBefore(hit));
  if (announced) return announced;
  return finder.find(explanations, 'agent').find((hit) => {
    const saidMs = conversation.tokens[hit.from]?.utterance.segment.startMs ?? 0;
    return after.has(hit.turn) && saidMs >= endMs && saidMs - endMs <= EXPLAINED_WITHIN_MS;
  });
}

function around(turns: readonly Turn[], startMs: number, endMs: number): { before: Set<Turn>; after: Set<Turn> } {
  const earlier = turns.filter((turn) => turn.startMs < startMs).slice(-2);
  const later = turns.filter((turn) => turn.endMs > endMs && turn.startMs >= startMs - 1).slice(0, 2);
  const spanning = turns.filter((turn) => turn.startMs < startMs && turn.endMs > endMs);
  return { before: new Set([...earlier, ...spanning]), after: new Set([...later, ...spanning]) };
}
