import type { SpeakerRole } from './transcript.ts';

/** A speaker as the source describes it; `role` is null where it does not say. */
export type Voice = { id: string | null; role: SpeakerRole | null; name: string | null };

type Spoken = { voice: string; text: string };

const openingSegments = 3;

/** What only the one who takes a call says at its beginning. */
const agentOpening = new RegExp(
  [
    '\\bthank(?:s| you) for (?:calling|contacting|phoning|ringing|holding)\\b',
    '\\bhow (?:can|may|could|might) (?:i|we) (?:help|assist|be of)\\b',
    '\\bwhat can (?:i|we) do for you\\b',
    "\\byou(?:'ve| have) reached\\b",
    "\\bmy name is [\\p{L}' -]{1,40} (?:from|with|at)\\b",
  ].join('|'),
  'iu',
);

/**
 * A role for every voice. What the source says stays; of two people the other one is known by the first; and of two
 * unknown people the one who opens as agents do is the agent. Everybody else stays `unknown`.
 */
export function assignRoles(voices: ReadonlyMap<string, Voice>, spoken: readonly Spoken[]): Map<string, SpeakerRole> {
  const roles = new Map([...voices].map(([key, { role }]): [string, SpeakerRole] => [key, role ?? 'unknown']));
  const people = [...roles].filter(([, role]) => role !== 'ivr');
  const unknown = people.filter(([, role]) => role === 'unknown').map(([key]) => key);
  if (people.length !== 2 || unknown.length === 0) return roles;
  const [one = '', other = ''] = people.map(([key]) => key);
  const known = people.find(([, role]) => role !== 'unknown');
  const agent = known ? (known[1] === 'agent' ? known[0] : unknown[0]) : firstGreeter([one, other], spoken);
  if (agent === undefined) return roles;
  roles.set(agent, 'agent');
  return roles.set(agent === one ? other : one, 'customer');
}

/** Undefined where nobody opens the call as an agent, or both do. */
function firstGreeter(keys: readonly string[], spoken: readonly Spoken[]): string | undefined {
  const greeters = keys.filter((key) =>
    spoken
      .filter(({ voice }) => voice === key)
      .slice(0, openingSegments)
      .some(({ text }) => agentOpening.test(text.slice(0, 500))),
  );
  return greeters.length === 1 ? greeters[0] : undefined;
}
