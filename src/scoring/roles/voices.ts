import type { SpeakerRole } from '../../model/transcript.ts';
import { agentEvidence } from './evidence.ts';

export type Voice = {
  id: string;
  /** What the source, the map of channels or a label says; null where nothing does. */
  role: SpeakerRole | null;
  /** Index in the recording, from 0. */
  channel: number;
  /** What the voice says, in order. */
  texts: readonly string[];
};

export type AssignRolesInput = {
  voices: readonly Voice[];
  /** `separate`: a channel for each voice, so that its place tells something. `mixed`: all voices on one track. */
  layout: 'separate' | 'mixed';
  agentName: string | null;
};

const usualRoles: Partial<Record<number, SpeakerRole>> = { 0: 'customer', 1: 'agent' };
/** How clearly words must speak against the usual channels before they win. */
const contradictionMin = 3;
const distinctionMin = 2;

/**
 * A role for each voice, whatever it comes from. What is told stays; of two people the other one is known by the
 * first. Else channel 0 is the customer and 1 the agent, unless what is said is clearly the other way round, and
 * voices on one track are told by what they say alone. Who cannot be told stays `unknown`.
 */
export function assignRoles({ voices, layout, agentName }: AssignRolesInput): Map<string, SpeakerRole> {
  const roles = new Map(voices.map(({ id, role }): [string, SpeakerRole] => [id, role ?? 'unknown']));
  const people = voices.filter(({ role }) => role !== 'ivr');
  const open = people.filter(({ role }) => role === null || role === 'unknown');
  const [one] = open;
  if (!one) return roles;
  const told = people.find((voice) => !open.includes(voice));
  if (people.length === 2 && told) return roles.set(one.id, told.role === 'agent' ? 'customer' : 'agent');
  if (layout === 'separate') return byChannel(open, roles, agentName);
  return told || open.length < 2 ? roles : byContent(open, roles, agentName);
}

type Roles = Map<string, SpeakerRole>;

function byChannel(open: readonly Voice[], roles: Roles, agentName: string | null): Roles {
  const places = placesOf(open);
  for (const { id } of open) roles.set(id, places.get(id) ?? 'unknown');
  const customer = open.find(({ id }) => roles.get(id) === 'customer');
  const agent = open.find(({ id }) => roles.get(id) === 'agent');
  if (customer && agent) {
    const lead = agentEvidence(customer.texts, agentName) - agentEvidence(agent.texts, agentName);
    if (lead >= contradictionMin) roles.set(customer.id, 'agent').set(agent.id, 'customer');
  }
  return roles;
}

/** The usual roles of the channels. Two people on any two channels have them too: the first one is the customer. */
function placesOf(open: readonly Voice[]): Map<string, SpeakerRole | undefined> {
  const [first, second, ...others] = open.toSorted((a, b) => a.channel - b.channel);
  const isPair = first && second && others.length === 0 && first.channel !== second.channel;
  if (!isPair) return new Map(open.map(({ id, channel }) => [id, usualRoles[channel]]));
  const [customer, agent] = first.channel === 1 ? [second, first] : [first, second];
  return new Map([
    [customer.id, 'customer'],
    [agent.id, 'agent'],
  ]);
}

function byContent(open: readonly Voice[], roles: Roles, agentName: string | null): Roles {
  const ranked = open
    .map(({ id, texts }) => ({ id, evidence: agentEvidence(texts, agentName) }))
    .sort((a, b) => b.evidence - a.evidence);
  const [first, second] = ranked;
  if (!first || !second || first.evidence - second.evidence < distinctionMin) return roles;
  roles.set(first.id, 'agent');
  if (ranked.length === 2) roles.set(second.id, 'customer');
  return roles;
}
