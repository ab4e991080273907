import type { Deed, Described } from '../terms.ts';

/** Without their end: "in the first two turns" follows them. */
type Sentences = { met: string; missed: string };

const WHO = { agent: 'The agent', customer: 'The customer', anyone: 'Somebody' } as const;

/** Titles that make no sentence with the part of the call after them. */
const OWN_WORDS = new Map<string, Sentences>([
  ['Is courteous throughout', { met: 'The agent uses polite words', missed: 'The agent uses no polite word' }],
]);

/** What a check asks for, told of a part of the call. */
export function deed(described: Described): Deed {
  const { met, missed } = sentencesOf(described);
  const placed = (sentence: string, where: string): string => (where === '' ? sentence : `${sentence} ${where}`);
  return { met: (where) => placed(met, where), missed: (where) => placed(missed, where) };
}

/**
 * What a check asks for, as a sentence that a reader understands without the title: "Greets the customer" → "The agent
 * greets the customer" and "The agent does not greet the customer". A title that is no such sentence is quoted.
 */
function sentencesOf({ title, role }: Described): Sentences {
  const own = OWN_WORDS.get(title);
  if (own) return own;
  const plain = title.trim().replace(/[.!]+$/u, '');
  const sentence = role === 'anyone' ? null : readVerb(plain.replace(/^(?:the )?(?:agent|customer|caller) /iu, ''));
  if (sentence) {
    const who = WHO[role];
    return { met: `${who} ${sentence.third}`, missed: `${who} does not ${sentence.base}` };
  }
  const state = /^(.{2,80}?) (is|are|was|were) (?!not\b)(.+)$/u.exec(plain);
  if (state && !LOOKS_ASKING.test(plain)) {
    const [, subject, verb, rest] = state;
    return {
      met: `${subject ?? ''} ${verb ?? ''} ${rest ?? ''}`,
      missed: `${subject ?? ''} ${verb ?? ''} not ${rest ?? ''}`,
    };
  }
  const quoted = `“${plain}”`;
  return role === 'anyone'
    ? { met: `Somebody says what ${quoted} asks for`, missed: `Nobody says what ${quoted} asks for` }
    : { met: `${WHO[role]} says what ${quoted} asks for`, missed: `${WHO[role]} does not say what ${quoted} asks for` };
}

const LOOKS_ASKING = /\?$|^(?:asks?|does|is|are|what|how|who|when|no|not|never)\b/iu;

/** "Greets the customer" or "Greet the customer" in both forms; null where the title does not begin with a known verb. */
function readVerb(title: string): { third: string; base: string } | null {
  const [first = '', ...others] = title.split(/\s+/u);
  const word = first.toLowerCase();
  const rest = others.join(' ');
  if (rest === '' || /^(?:is|are|was|were)\b/u.test(rest) || PARTICIPLE_END.test(rest)) return null;
  const base = VERBS.has(word) ? word : [...VERBS].find((verb) => thirdForm(verb) === word);
  return base ? { third: `${thirdForm(base)} ${rest}`, base: `${base} ${rest}` } : null;
}

/** "Offer mentioned": a noun, in spite of its look. */
const PARTICIPLE_END = /\b(?:mentioned|given|made|said|stated|offered|explained|confirmed|asked|read|used)$/iu;

function thirdForm(verb: string): string {
  if (/(?:s|sh|ch|x|z|o)$/u.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/u.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

const VERBS = new Set(
  `accept acknowledge address advise agree announce answer apologise apologize arrange ask assure avoid book call check
  clarify close collect complete confirm congratulate describe disclose discuss educate empathise empathize encourage end
  ensure establish explain express find finish follow get give greet guide handle help identify inform introduce invite
  keep lead let listen make mention name note notify obtain offer open present probe promise promote propose provide put
  quote read reassure recap recommend refer remind repeat request respond restate review say schedule search sell set
  share show speak state suggest summarise summarize take tell thank transfer try use validate verify warn welcome wish`.split(
    /\s+/u,
  ),
);

/** For a check that forbids words: what breaks it, with the words, and what keeps to it. */
export function ban({ title, role }: Described, said: string | null, where: string): string {
  const quoted = `“${title.trim().replace(/[.!]+$/u, '')}”`;
  if (said !== null) return `${WHO[role]} breaks ${quoted} by saying “${said}” ${where}`;
  return role === 'anyone'
    ? `Nobody says anything that breaks ${quoted} ${where}`
    : `${WHO[role]} says nothing that breaks ${quoted} ${where}`;
}
