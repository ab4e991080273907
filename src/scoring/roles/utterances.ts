import type { SpeakerRole } from '../../model/transcript.ts';
import { WAYS } from './chain.ts';
import { introduction } from './evidence.ts';
import { readUtterance, utteranceFeatures, type UtteranceToTell } from './features.ts';
import { pairFeatures, styleOf } from './pair-features.ts';
import { trusted } from './trust.ts';
import { roleWeights, type RoleWeights } from './weights.ts';

/** Who is less likely than this to have said it is not named. */
export const SURE_MIN = 0.94;
/** Fewer are hardly a conversation: whoever it is may well be alone. */
const UTTERANCES_MIN = 4;
/** Nobody talks over himself: how much it speaks for two people where one utterance begins before the other ends. */
const OVERLAP_MS = 100;
export const OVERLAP_WEIGHT = 4;
/** At most one utterance in so many is talked over. */
const OVERLAPS_MAX = 3;

/**
 * Tells agent and customer apart where one track holds both, by what they say: each utterance for itself, and as question
 * and answer, greeting and greeting follow on each other. What stays unclear is `unknown`.
 */
export function tellUtterances(utterances: readonly UtteranceToTell[], agentName: string | null): SpeakerRole[] {
  if (utterances.length < UTTERANCES_MIN) return utterances.map(() => 'unknown');
  const roles: SpeakerRole[] = [];
  for (const likely of likelyAgent(utterances, { agentName, weights: roleWeights() })) {
    roles.push(likely >= SURE_MIN ? 'agent' : likely <= 1 - SURE_MIN ? 'customer' : 'unknown');
  }
  return roles;
}

/** For each utterance, how likely the agent says it: what is said at 0.9 is right nine times in ten. */
export function likelyAgent(
  utterances: readonly UtteranceToTell[],
  { agentName, weights }: { agentName: string | null; weights: RoleWeights },
): Float64Array {
  const count = utterances.length;
  const read = utterances.map((utterance) => readUtterance(utterance));
  const scores = new Float64Array(count);
  const ways = new Float64Array(WAYS * Math.max(0, count - 1));
  const overlaps = overlapsOf(utterances);
  const style = styleOf(read);
  for (const [index, each] of read.entries()) {
    let score = agentName === null ? 0 : introduction(utterances[index]?.tokens ?? [], agentName);
    utteranceFeatures(each, { index, count }, (feature, value) => {
      const row = weights.utterance.find(feature);
      if (row >= 0) score += value * (weights.utterance.values[row] ?? 0);
    });
    scores[index] = score;
    const next = read[index + 1];
    if (!next) continue;
    const way = ways.subarray(WAYS * index, WAYS * index + WAYS);
    pairFeatures({ before: each, next, earlier: read[index - 1], style }, (feature, value) =>
      addWays(way, weights.pair, { feature, value }),
    );
    if (overlaps.has(index)) addChange(way, OVERLAP_WEIGHT);
  }
  return trusted(
    { scores, ways },
    utterances.map(({ tokens }) => tokens.length),
  );
}

function addWays(way: Float64Array, weights: RoleWeights['pair'], of: { feature: number; value: number }): void {
  const row = weights.find(of.feature);
  if (row < 0) return;
  for (let each = 0; each < WAYS; each += 1) {
    way[each] = (way[each] ?? 0) + of.value * (weights.values[WAYS * row + each] ?? 0);
  }
}

export function addChange(way: Float64Array, weight: number): void {
  for (const change of [1, 2]) way[change] = (way[change] ?? 0) + weight;
}

/** Which utterances the next one begins in. Where that is usual the times are no times of speech. */
export function overlapsOf(
  utterances: readonly { startMs?: number | undefined; endMs?: number | undefined }[],
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, { endMs }] of utterances.entries()) {
    const startMs = utterances[index + 1]?.startMs;
    if (endMs !== undefined && startMs !== undefined && startMs < endMs - OVERLAP_MS) found.add(index);
  }
  return found.size * OVERLAPS_MAX > utterances.length ? new Set() : found;
}
