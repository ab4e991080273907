import type { Segment, SpeakerRole } from '../../domain/records/transcript.ts';
import { compilePhrases } from '../text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';
import type { Token } from '../text/tokens.ts';
import { agentLean } from './evidence.ts';
import { assignRoles } from './voices.ts';

export type VoicedSegment = { segment: Segment; tokens: Token[] };

/**
 * Roles per segment. Known roles stay. Where the source could not tell them, two or more voices are told apart as a
 * whole by what they say; a single mixed voice is judged segment by segment, and stays `unknown` where it is not clear.
 */
export function resolveRoles(voiced: readonly VoicedSegment[]): SpeakerRole[] {
  const roles = voiced.map(({ segment }) => segment.role);
  const unknown = voiced.filter(({ segment }) => segment.role === 'unknown');
  if (unknown.length === 0) return roles;
  const voices = new Set(unknown.map(({ segment }) => segment.speaker));
  const known = new Set(roles.filter((role) => role === 'agent' || role === 'customer'));
  const byVoice = voices.size > 1 || known.size > 0 ? rolesOfVoices(unknown, known) : new Map<string, SpeakerRole>();
  if (byVoice.size > 0) {
    return voiced.map(({ segment }) =>
      segment.role === 'unknown' ? (byVoice.get(segment.speaker) ?? 'unknown') : segment.role,
    );
  }
  return rolesOfSegments(voiced);
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

function rolesOfSegments(voiced: readonly VoicedSegment[]): SpeakerRole[] {
  let isAnswerDue = false;
  const roles = voiced.map(({ segment, tokens }): SpeakerRole => {
    if (segment.role !== 'unknown') return segment.role;
    const score = agentLean(tokens);
    const role: SpeakerRole = score > 0 ? 'agent' : score < 0 || isAnswerDue ? 'customer' : 'unknown';
    if (tokens.length > 0) isAnswerDue = role === 'agent' && asksSomething(tokens);
    return role;
  });
  return openedByAgent(roles);
}

/** Who is first heard clearly as the agent has also said what was unclear before: agents open the call. */
function openedByAgent(roles: readonly SpeakerRole[]): SpeakerRole[] {
  const first = roles.findIndex((role) => role !== 'unknown' && role !== 'ivr');
  return roles.map((role, index) => (role === 'unknown' && index < first && roles[first] === 'agent' ? 'agent' : role));
}

const asking = compilePhrases([
  'can/could/may i/you/we',
  'would you',
  'do/did/are you',
  'is there/that/it',
  'what is/was',
  'which',
  'how can/may i/we',
]);

function asksSomething(tokens: readonly Token[]): boolean {
  return tokens.at(-1)?.pause === 'question' || findPhrases(tokens, asking).length > 0;
}
