import type { Segment, Speaker, SpeakerRole } from '../../model/transcript.ts';
import { createTokenReader } from '../../model/text/tokens.ts';
import { tellUtterances } from './utterances.ts';

type Said = { speakers: Speaker[]; segments: Segment[] };

/**
 * A transcript of one voice that is everybody's, with a speaker for each role that is told from what is said. What stays
 * unclear is left to a speaker whose role is `unknown`. Any other transcript is as it was: there a voice is a person.
 */
export function withInferredRoles<T extends Said>(said: T, agentName: string | null): T {
  const voice = mixedVoice(said);
  if (!voice) return said;
  const read = createTokenReader();
  const open = said.segments.filter(({ speaker }) => speaker === voice.id);
  // Noises between question and answer are no utterances.
  const spoken = open
    .map(({ id, text, startMs, endMs }) => ({ id, text, startMs, endMs, tokens: read(text) }))
    .filter(({ tokens }) => tokens.length > 0);
  const told = tellUtterances(spoken, agentName);
  const roles = new Map(open.map(({ id }): [string, SpeakerRole] => [id, 'unknown']));
  for (const [at, { id }] of spoken.entries()) roles.set(id, told[at] ?? 'unknown');
  if ([...roles.values()].every((role) => role === 'unknown')) return said;
  const speakers = speakersOf(said.speakers, { voice, roles: new Set(roles.values()), agentName });
  const segments = said.segments.map((segment): Segment => {
    const role = roles.get(segment.id);
    const speaker = role && speakers.get(role);
    if (!speaker) return segment;
    return { ...segment, speaker: speaker.id, role: speaker.role, ...(speaker.roleInferred && { roleInferred: true }) };
  });
  const others = said.speakers.filter(({ id }) => id !== voice.id);
  return { ...said, speakers: [...speakers.values(), ...others], segments };
}

/** The one voice whose role nobody told, beside which no agent or customer is known. Who has a name is one person. */
function mixedVoice({ speakers, segments }: Said): Speaker | null {
  const heard = new Set(segments.map(({ speaker }) => speaker));
  const people = speakers.filter(({ id, role }) => heard.has(id) && role !== 'ivr');
  const [voice, ...others] = people;
  return voice?.role === 'unknown' && voice.name === null && others.length === 0 ? voice : null;
}

type Heard = { voice: Speaker; roles: ReadonlySet<SpeakerRole>; agentName: string | null };

function speakersOf(all: readonly Speaker[], { voice, roles, agentName }: Heard): Map<SpeakerRole, Speaker> {
  const taken = new Set(all.map(({ id }) => id));
  const ids = [voice.id];
  for (let number = 0; ids.length < roles.size; number += 1) {
    if (!taken.has(`spk_${number}`)) ids.push(`spk_${number}`);
  }
  return new Map(
    [...roles].map((role, at): [SpeakerRole, Speaker] => {
      const speaker = { id: ids[at] ?? voice.id, role, name: role === 'agent' ? agentName : null };
      return [role, role === 'unknown' ? speaker : { ...speaker, roleInferred: true }];
    }),
  );
}
