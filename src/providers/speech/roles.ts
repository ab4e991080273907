import type { ChannelMap } from '../../domain/records/channel-map.ts';
import type { SpeakerRole } from '../../domain/records/transcript.ts';
import { agentEvidence } from './role-evidence.ts';

export type SpeakerVoice = {
  id: string;
  /** Index in the recording, from 0. */
  channel: number;
  /** What the voice says, in order. */
  texts: string[];
};

export type AssignRolesInput = {
  speakers: SpeakerVoice[];
  /** `separate`: a channel for each voice. `mixed`: all voices on one track. */
  layout: 'separate' | 'mixed';
  channelMap: ChannelMap | null;
  agentName: string | null;
};

const defaultRoles: Partial<Record<number, SpeakerRole>> = { 0: 'customer', 1: 'agent' };
/** How clearly words must speak against the default before they win. */
const contradictionMin = 3;
const distinctionMin = 2;

/**
 * A role for each speaker. The channel map decides where it speaks; else channel 0 is the customer and 1 the agent,
 * unless what is said is clearly the other way round. Voices on one track are told by content alone.
 */
export function assignRoles(input: AssignRolesInput): Map<string, SpeakerRole> {
  const { speakers, channelMap, layout } = input;
  const roles = new Map(speakers.map(({ id }): [string, SpeakerRole] => [id, 'unknown']));
  if (layout === 'mixed') return speakers.length > 1 ? byContent(input, roles) : roles;
  const open = speakers.filter((speaker) => {
    const mapped = channelMap?.[String(speaker.channel)];
    if (mapped) roles.set(speaker.id, mapped);
    return !mapped;
  });
  const taken = new Set(roles.values());
  if (open.length === 1 && open[0] && speakers.length === 2 && taken.has('agent') !== taken.has('customer')) {
    return roles.set(open[0].id, taken.has('agent') ? 'customer' : 'agent');
  }
  return open.length > 0 ? byDefault(open, roles, input) : roles;
}

function byDefault(
  open: SpeakerVoice[],
  roles: Map<string, SpeakerRole>,
  input: AssignRolesInput,
): Map<string, SpeakerRole> {
  for (const { id, channel } of open) roles.set(id, defaultRoles[channel] ?? 'unknown');
  const customer = open.find(({ id }) => roles.get(id) === 'customer');
  const agent = open.find(({ id }) => roles.get(id) === 'agent');
  if (customer && agent) {
    const lead = agentEvidence(customer.texts, input.agentName) - agentEvidence(agent.texts, input.agentName);
    if (lead >= contradictionMin) roles.set(customer.id, 'agent').set(agent.id, 'customer');
  }
  return roles;
}

function byContent(input: AssignRolesInput, roles: Map<string, SpeakerRole>): Map<string, SpeakerRole> {
  const ranked = input.speakers
    .map(({ id, texts }) => ({ id, evidence: agentEvidence(texts, input.agentName) }))
    .sort((a, b) => b.evidence - a.evidence);
  const [first, second] = ranked;
  if (!first || !second || first.evidence - second.evidence < distinctionMin) return roles;
  roles.set(first.id, 'agent');
  if (ranked.length === 2) roles.set(second.id, 'customer');
  return roles;
}
