import { AppError } from '../../lib/errors.ts';
import type { ChannelMap } from '../../model/channel-map.ts';
import type { Segment, Speaker, SpeakerRole } from '../../model/transcript.ts';

/** Segments are JSON. */
export type WordsToSwap = { speakers: Speaker[]; segments: string; agentName: string | null };
/** `channelMap` is for the next transcription of the recording; null if two people speak on one channel. */
export type SwappedWords = { speakers: Speaker[]; segments: string; channelMap: ChannelMap | null };

/** Swaps the two parties of a transcript. Throws UNPROCESSABLE unless exactly two roles speak. */
export function swapRoles({ speakers, segments: json, agentName }: WordsToSwap): SwappedWords {
  const given = JSON.parse(json) as Segment[];
  const swap = swapOf(given);
  const segments = given.map((segment) => ({ ...segment, role: swap(segment.role) }));
  return {
    speakers: swapSpeakerNames(speakers, swap, agentName),
    segments: JSON.stringify(segments),
    channelMap: channelMapOf(segments),
  };
}

type Swap = (role: SpeakerRole) => SpeakerRole;

/** Throws UNPROCESSABLE unless exactly two roles speak, apart from announcements. Unclear speakers stay unknown. */
function swapOf(segments: readonly Segment[]): Swap {
  const isInferred = segments.some(({ roleInferred }) => roleInferred);
  const isParty = (role: SpeakerRole): boolean => role !== 'ivr' && !(isInferred && role === 'unknown');
  const [first, second, ...others] = new Set(segments.map(({ role }) => role).filter(isParty));
  if (first === undefined || second === undefined || others.length > 0) {
    throw new AppError('UNPROCESSABLE', 'The transcript does not have exactly two roles that speak.');
  }
  return (role) => (role === first ? second : role === second ? first : role);
}

/** The record's agent name moves with the role; other names stay with their voice. */
function swapSpeakerNames(speakers: readonly Speaker[], swap: Swap, agentName: string | null): Speaker[] {
  return speakers.map((speaker) => {
    const own = speaker.name === agentName ? null : speaker.name;
    const role = swap(speaker.role);
    return { ...speaker, role, name: role === 'agent' ? (own ?? agentName) : own };
  });
}

function channelMapOf(segments: readonly Segment[]): ChannelMap | null {
  const roles = new Map<number, Set<SpeakerRole>>();
  for (const { channel, role } of segments) roles.set(channel, (roles.get(channel) ?? new Set()).add(role));
  if (roles.size < 2 || [...roles.values()].some(({ size }) => size > 1)) return null;
  return Object.fromEntries([...roles].flatMap(([channel, [role]]) => (role ? [[String(channel), role]] : [])));
}
