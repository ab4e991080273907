import type { SpeakerRole } from '../../model/transcript.ts';

/** The meaning of the label before a spoken line. `name` is null if the label only names a role. */
export type Label = { role: SpeakerRole | null; name: string | null };

const roleWords: Record<Exclude<SpeakerRole, 'unknown'>, string> = {
  agent:
    'agent representative rep csr advisor adviser operator support associate employee specialist consultant assistant clerk staff ' +
    'helpdesk teller technician salesperson sales banker manager receptionist оператор агент менеджер сотрудник',
  customer:
    'customer caller client consumer guest patient member user buyer subscriber cardholder policyholder prospect ' +
    'клиент абонент покупатель',
  ivr: 'ivr system announcement voicemail machine bot robot recording menu автоответчик',
};

/** Labels of several words are classified by their last word (`sales agent`), except these. */
const rolePhrases = new Map<string, SpeakerRole>([
  ['customer service', 'agent'],
  ['customer support', 'agent'],
  ['customer care', 'agent'],
  ['help desk', 'agent'],
  ['auto attendant', 'ivr'],
  ['virtual assistant', 'ivr'],
  ['virtual agent', 'ivr'],
  ['voice assistant', 'ivr'],
  ['recorded message', 'ivr'],
]);

const roleByWord = new Map<string, SpeakerRole>(
  Object.entries(roleWords).flatMap(([role, words]) => words.split(' ').map((word) => [word, role as SpeakerRole])),
);

/** Words that may precede a role without being a name: `call center agent`, but not `Anna agent`. */
const qualifiers = new Set(
  'the a call contact center centre service customer support sales technical tech senior live human first second bank'.split(
    ' ',
  ),
);

const labelLengthMax = 200;

const numbered = /^(speaker|voice|channel|spk|participant|person|party)[ _#-]*[0-9a-z]?[0-9]*$/;

/** Reads a label such as `AGENT`, `Agent 2`, `Elizabeth (agent)`, `Speaker 1` or `Patricia Brown`. */
export function readLabel(label: string): Label {
  const text = label.slice(0, labelLengthMax).replace(/\s+/g, ' ').trim();
  const bracketed = /^([^()[\]]+) ?[([]([^()[\]]+)[)\]]$/.exec(text);
  if (bracketed) {
    const [, before = '', inside = ''] = bracketed;
    const role = roleOf(inside) ?? roleOf(before);
    const name = roleOf(inside) === null ? inside : before;
    return { role, name: roleOf(name) === null && !isPlaceholder(name) ? name.trim() : null };
  }
  const role = roleOf(text);
  return { role, name: role !== null || isPlaceholder(text) ? null : text };
}

/** Whether the label is unambiguous. */
export function isKnownLabel(label: string): boolean {
  const { role, name } = readLabel(label);
  return role !== null || name === null;
}

/** The role that a word or phrase means, or null. */
export function roleOf(text: string): SpeakerRole | null {
  const plain = normalize(text);
  const phrase = rolePhrases.get(plain);
  if (phrase) return phrase;
  const words = plain.split(' ');
  const last = roleByWord.get(words.at(-1) ?? '');
  return last !== undefined && words.slice(0, -1).every((word) => qualifiers.has(word)) ? last : null;
}

/** Whether two spellings mean the same person: `Elizabeth` and `elizabeth brown` do, `Elizabeth Smith` does not. */
export function isSameName(one: string, other: string): boolean {
  const [a, b] = [normalize(one).split(' '), normalize(other).split(' ')];
  const shorter = Math.min(a.length, b.length);
  return a[0] !== '' && a.slice(0, shorter).join(' ') === b.slice(0, shorter).join(' ');
}

function isPlaceholder(text: string): boolean {
  const plain = normalize(text);
  return plain === '' || plain === 'unknown' || numbered.test(plain);
}

/** Lower case, words and single spaces only; a number at the end (`agent 2`, `agent_2`) says nothing about the role. */
function normalize(text: string): string {
  const plain = text
    .slice(0, labelLengthMax)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();
  return plain.replace(/ ?\d+$/, '') || plain;
}
