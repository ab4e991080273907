import type { Segment, SpeakerRole } from '../../model/transcript.ts';
import type { Token } from '../../model/text/tokens.ts';
import { tellUtterances } from './utterances.ts';
import { assignRoles } from './voices.ts';

export type VoicedSegment = { segment: Segment; tokens: Token[] };

/**
 * Roles per segment. Known roles stay. Where the source could not tell them, two or more voices are told apart as a
 * whole by what they say; a single mixed voice is judged segment by segment, and stays `unknown` where it is not clear.
 */
export function resolveRoles(voiced: readonly VoicedSegment[], agentName: string | null = null): SpeakerRole[] {
  const roles = voiced.map(({ segment }) => segment.role);
  const unknown = voiced.filter(({ segment }) => segment.role === 'unknown');
  // What could be told of one track for everybody was told when it was stored.
  if (unknown.length === 0 || voiced.some(({ segment }) => segment.roleInferred)) return roles;
  const voices = new Set(unknown.map(({ segment }) => segment.speaker));
  const known = new Set(roles.filter((role) => role === 'agent' || role === 'customer'));
  const byVoice = voices.size > 1 || known.size > 0 ? rolesOfVoices(unknown, known) : new Map<string, SpeakerRole>();
  if (byVoice.size > 0) {
    return voiced.map(({ segment }) =>
      segment.role === 'unknown' ? (byVoice.get(segment.speaker) ?? 'unknown') : segment.role,
    );
  }
  return rolesOfSegments(voiced, agentName);
}

/** Beside an agent everybody else is a customer, and the other way round. Empty where nobody can be told. */
function rolesOfVoices(unknown: readonly VoicedSegment[], known: ReadonlySet<SpeakerRole>): Map<string, SpeakerRole> {
  const texts = new Map<string, string[]>();
  for (const { segment } of unknown) {
    const said = texts.get(segment.speaker);
    if (said) said.push(segment.text);
    else texts.set(segment.speaker, [segment.text]);
  }
  const roles = known.size > 0 ? new Map<string, SpeakerRole>() : tellApart(texts);
  const others: SpeakerRole = known.has('agent') || known.size === 0 ? 'customer' : 'agent';
  if (known.size === 0 && ![...roles.values()].includes('agent')) return new Map();
  return new Map([...texts.keys()].map((speaker) => [speaker, roles.get(speaker) === 'agent' ? 'agent' : others]));
}

function tellApart(texts: ReadonlyMap<string, string[]>): Map<string, SpeakerRole> {
  const voices = [...texts].map(([id, said]) => ({ id, texts: said, role: null, channel: 0 }));
  return assignRoles({ voices, layout: 'mixed', agentName: null });
}

/** Utterances of one track, in the order of the call. A known voice among them, such as a recorded one, is no answer. */
function rolesOfSegments(voiced: readonly VoicedSegment[], agentName: string | null): SpeakerRole[] {
  const open = voiced.filter(({ segment }) => segment.role === 'unknown');
  const said = open.map(({ segment: { text, startMs, endMs }, tokens }) => ({ text, tokens, startMs, endMs }));
  const told = tellUtterances(said, agentName);
  const roles = new Map(open.map((each, at) => [each, told[at] ?? 'unknown']));
  return voiced.map((each) => roles.get(each) ?? each.segment.role);
}
