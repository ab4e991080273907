import { describe, expect, it } from 'vitest';
import { swapRoles } from '../../src/domain/processing/swap-roles.ts';
import type { Segment, SpeakerRole } from '../../src/model/transcript.ts';

function wordsOf(roles: readonly SpeakerRole[], isInferred: boolean) {
  const inferred = (role: SpeakerRole) => (isInferred && role !== 'unknown' ? { roleInferred: true } : {});
  const segments = roles.map((role, index): Segment => {
    const times = { startMs: index * 1000, endMs: index * 1000 + 900 };
    const said = { text: 'hello', confidence: null, words: [], channel: 0 };
    return { id: `seg_${index}`, index, speaker: `spk_${role}`, role, ...inferred(role), ...times, ...said };
  });
  const speakers = [...new Set(roles)].map((role) => ({ id: `spk_${role}`, role, name: null, ...inferred(role) }));
  return { speakers, segments: JSON.stringify(segments), agentName: null };
}

describe('swapping roles that were told from what is said', () => {
  it('leaves what stayed unclear, and the marks, as they are', () => {
    const swapped = swapRoles(wordsOf(['agent', 'unknown', 'customer'], true));
    const segments = JSON.parse(swapped.segments) as Segment[];
    expect(segments.map(({ role }) => role)).toEqual(['customer', 'unknown', 'agent']);
    expect(segments.map(({ roleInferred }) => roleInferred)).toEqual([true, undefined, true]);
    expect(swapped.speakers).toContainEqual({ id: 'spk_customer', role: 'agent', name: null, roleInferred: true });
    expect(swapped.channelMap).toBeNull();
  });

  it('is refused for three voices that are told apart by the source', () => {
    expect(() => swapRoles(wordsOf(['agent', 'unknown', 'customer'], false))).toThrow('exactly two roles');
  });
});
