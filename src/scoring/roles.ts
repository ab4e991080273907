import type { Segment, SpeakerRole } from '../domain/records/transcript.ts';
import type { Token } from './text/tokens.ts';
import { compilePhrases, findPhrases } from './text/phrases.ts';
import { AGENT_CUES, CUSTOMER_CUES } from './lexicon/role-cues.ts';

const agentCues = compilePhrases(AGENT_CUES);
const customerCues = compilePhrases(CUSTOMER_CUES);
const VOICES_WITH_CLEAR_LEAD = 1;

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

/** Positive: sounds like the agent; negative: like the customer. Set phrases weigh more than "your" and "my". */
function lean(tokens: readonly Token[]): number {
  const cues = findPhrases(tokens, agentCues).length - findPhrases(tokens, customerCues).length;
  const count = (word: string): number => tokens.filter((token) => token.word === word).length;
  return CUE_WEIGHT * cues + count('your') - count('my') + (findPhrases(tokens, ownName).length > 0 ? count('my') : 0);
}

const CUE_WEIGHT = 3;
const ownName = compilePhrases(['my name is', 'my screen/system/computer']);

function rolesOfVoices(unknown: readonly VoicedSegment[], known: ReadonlySet<SpeakerRole>): Map<string, SpeakerRole> {
  const leans = new Map<string, number>();
  for (const { segment, tokens } of unknown) {
    leans.set(segment.speaker, (leans.get(segment.speaker) ?? 0) + lean(tokens));
  }
  const ranked = [...leans].toSorted((a, b) => b[1] - a[1]);
  const roles = new Map<string, SpeakerRole>();
  if (known.size > 0) {
    const missing: SpeakerRole = known.has('agent') ? 'customer' : 'agent';
    for (const [speaker] of ranked) roles.set(speaker, missing);
    return roles;
  }
  const [top, second] = ranked;
  if (!top || !second || top[1] - second[1] < VOICES_WITH_CLEAR_LEAD) return roles;
  ranked.forEach(([speaker], rank) => roles.set(speaker, rank === 0 ? 'agent' : 'customer'));
  return roles;
}

function rolesOfSegments(voiced: readonly VoicedSegment[]): SpeakerRole[] {
  let isAnswerDue = false;
  const roles = voiced.map(({ segment, tokens }): SpeakerRole => {
    if (segment.role !== 'unknown') return segment.role;
    const score = lean(tokens);
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
