/** What is rude to a customer. */
export type SlightKind = 'insult' | 'profanity' | 'sarcasm' | 'blame' | 'contempt' | 'threat';
/** `consequence`: what a company may do to those who do not pay: it puts them under pressure, and is not rude by itself. */
export type SaidKind = SlightKind | 'consequence';

/** What an agent must not say, in one language. A phrase is plain words, as everywhere; none is forgiven a slip. */
export type AccusationBook = {
  /** Target and hostility in one: enough where nothing in the sentence takes it back. */
  clear: Partial<Record<SaidKind, readonly string[]>>;
  /** Also said without harm: a sign that needs another one. */
  possible: Partial<Record<SaidKind, readonly string[]>>;
  /** Hostile only beside something else. */
  faint: readonly string[];
  /** Rude as a clause of their own ("shut up"), and harmless in the middle of one ("we shut up shop"). */
  commands: readonly string[];
  /** Single words: foul wherever they stand; foul or not, by the sentence; names for people; what is said of people and things. */
  foul: readonly string[];
  mixed: readonly string[];
  names: readonly string[];
  rude: readonly string[];
  /** Words of address, and of the agent's own. */
  you: readonly string[];
  own: readonly string[];
  /** With one of these before it somebody else's words are told, or nothing is claimed yet. */
  reporting: readonly string[];
  hedges: readonly string[];
  /** Stands between a letter and its word: "I as in idiot". */
  spelling: readonly string[];
  /** A name follows: "Mr Fuchs", "the street is called …". */
  naming: readonly string[];
  /** What makes a demand of a prospect: "if you do not pay". */
  conditions: readonly string[];
  /** Hostile where a target stands in the same sentence. */
  frames: readonly string[];
  /** What can be struck at: family, work, home, residence. */
  targets: readonly string[];
  /** Offered or wished for by the customer: nothing that follows is a threat. */
  offers: readonly string[];
  guarantees: { clear: readonly string[]; possible: readonly string[]; outcomes: readonly string[] };
  secrecy: readonly string[];
  urgency: readonly string[];
  /** Set by honest sellers, too: only ever the other sign. */
  deadlines: readonly string[];
  /** By the customer, of what the agent has just said. */
  protests: readonly string[];
  /** By the customer who is hurried, or is to keep a secret: no answer to rudeness. */
  resistance: readonly string[];
};

/** Phrases with commas between, for lists that are long. */
export function phrases(text: string): readonly string[] {
  return text
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/gu, ' '))
    .filter((phrase) => phrase !== '');
}
