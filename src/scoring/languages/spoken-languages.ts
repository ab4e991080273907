import type { Conversation } from '../conversation/conversation.ts';
import { isRead, languageOf, nameOf, primaryOf } from './language.ts';
import { tellLanguages, type Told } from './told-language.ts';

/** Which languages are spoken in a call, and whether its words can be judged. */
export type SpokenLanguages = {
  /** By which the call is read (ISO 639); null where nothing tells, or where several are spoken that are all read. */
  language: string | null;
  /** Every one that a good part of the call is in. */
  spoken: string[];
  /** A sentence on why its words are left to a person, without a stop at its end; null where they can be judged. */
  doubt: string | null;
  /** A sentence on a call in several languages that are all read; null elsewhere. */
  mixture: string | null;
};

type Party = 'agent' | 'customer' | 'unknown';
const PARTIES: readonly Party[] = ['agent', 'customer', 'unknown'];

/** A language that a party speaks less of is a word or a sentence in between. */
const PART_SHARE = 0.2;
/** A few words, half of them names, may look like anything. */
const TOLD_WORDS = 12;
/** Of fewer words it is neither said that they are in no language that is known, nor that the caller is wrong. */
const DOUBTED_WORDS = 20;
const DOUBTED_SHARE = 0.4;

/**
 * The languages of a call: what its transcript says, held against what the words of each party look like. Where they are of a
 * language that is not read, or evidently of another than was said, nobody is judged by them.
 */
export function readLanguages(tag: string | null, { spoken, tokens }: Conversation): SpokenLanguages {
  const named = primaryOf(tag);
  const parties = PARTIES.map((party) => {
    const said = spoken.filter(({ role }) => role === party);
    return { party, told: tellLanguages(said.map((each) => ({ tokens: each.tokens, text: each.segment.text }))) };
  });
  const wordsMin = named === null ? TOLD_WORDS : DOUBTED_WORDS;
  const parts = parties.map(({ party, told }) => ({ party, languages: told.words < wordsMin ? [] : partsOf(told) }));
  const all = [...new Set(parts.flatMap(({ languages }) => languages))];
  const strange = all.find((language) => !isRead(language));
  if (named !== null && !isRead(named)) {
    const isOther = all.length > 0 && all.every(isRead);
    const doubt = isOther ? contradiction(named, all) : `The call is in ${nameOf(named)}`;
    return { language: named, spoken: [...new Set([named, ...(isOther ? all : [])])], doubt, mixture: null };
  }
  if (strange !== undefined) {
    const doubt = named !== null && all.length === 1 ? contradiction(named, all) : whereSpoken(strange, { parts, all });
    return { language: strange, spoken: all, doubt, mixture: null };
  }
  const language = languageOf(tag, tokens);
  if (all.length > 1) {
    const mixture = `${listed(all.map(nameOf))} are spoken in this call`;
    return { language: null, spoken: all, doubt: null, mixture };
  }
  const isUnclear = language === null && parties.some(({ told }) => isDoubtful(told));
  const doubt = isUnclear ? 'It is not clear which language is spoken' : null;
  return { language, spoken: language === null ? [] : [language], doubt, mixture: null };
}

function partsOf({ words, languages }: Told): string[] {
  return [...languages].flatMap(([language, count]) =>
    language !== null && count >= PART_SHARE * words ? [language] : [],
  );
}

function isDoubtful({ words, languages }: Told): boolean {
  return words >= DOUBTED_WORDS && (languages.get(null) ?? 0) >= DOUBTED_SHARE * words;
}

function contradiction(named: string, all: readonly string[]): string {
  return `The call is said to be in ${nameOf(named)}, but its words look ${listed(all.map(nameOf))}`;
}

type Parts = { parts: readonly { party: Party; languages: readonly string[] }[]; all: readonly string[] };

function whereSpoken(language: string, { parts, all }: Parts): string {
  const name = nameOf(language);
  if (all.length === 1) return `The call is in ${name}`;
  const [part, other] = parts.filter(({ languages }) => languages.includes(language));
  if (!part || other || part.party === 'unknown') return `Part of the call is in ${name}`;
  return part.languages.length > 1
    ? `Part of what the ${part.party} says is in ${name}`
    : `The ${part.party} speaks ${name}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
