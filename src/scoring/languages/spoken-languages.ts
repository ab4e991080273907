import type { Token } from '../../model/text/tokens.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { isRead, languageOf, type ReadLanguage, nameOf, primaryOf } from './language.ts';
import { areStrange } from './known-words.ts';
import { type StrangeScript, strangeScriptOf } from './scripts.ts';
import { messagesIn } from '../messages/messages.ts';
import type { Messages } from '../messages/table.ts';
import { tellLanguages, type Told } from './told-language.ts';

/** Which languages are spoken in a call, and whether its words can be judged. */
export type SpokenLanguages = {
  /** The language that the call is read in (ISO 639); null if unknown, or if several are spoken that are all read. */
  language: string | null;
  /** Every language that a good part of the call is in. */
  spoken: string[];
  /** A sentence, without its full stop, on why a person has to judge the words; null if they can be judged here. */
  doubt: string | null;
  /** A sentence on a call in several languages that are all read; null for other calls. */
  mixture: string | null;
  /** The language of reports, which are for the agent: that of the call, else the agent's, else the customer's. */
  reportIn: ReadLanguage;
};

type Party = 'agent' | 'customer' | 'unknown';
const PARTIES: readonly Party[] = ['agent', 'customer', 'unknown'];

/** A language with a smaller share of a party's words is only a phrase here and there. */
const PART_SHARE = 0.2;
/** Fewer words, many of them names, may look like any language. */
const TOLD_WORDS = 12;
/** Fewer words neither contradict the language that was given nor count as an unknown one. */
const DOUBTED_WORDS = 20;
const DOUBTED_SHARE = 0.4;

/**
 * The languages of a call: the one that its transcript names, compared with what the words of each party look like. Words
 * in a language that is not read, or evidently not in the one that was named, are not judged.
 */
export function readLanguages(tag: string | null, { spoken, tokens }: Conversation): SpokenLanguages {
  const named = primaryOf(tag);
  const parties = PARTIES.map((party) => {
    const said = spoken.filter(({ role }) => role === party);
    return { party, said, told: tellLanguages(said.map((each) => ({ tokens: each.tokens, text: each.segment.text }))) };
  });
  const wordsMin = named === null ? TOLD_WORDS : DOUBTED_WORDS;
  const parts = parties.map(({ party, told }) => ({ party, languages: told.words < wordsMin ? [] : partsOf(told) }));
  const all = [...new Set(parts.flatMap(({ languages }) => languages))];
  const reportIn = all.find(isRead) ?? (all.length === 0 && named !== null && isRead(named) ? named : 'en');
  const messages = messagesIn(reportIn);
  const { doubts } = messages.answers;
  const name = (language: string): string => nameOf(language, messages.language);
  const strange = all.find((language) => !isRead(language));
  if (named !== null && !isRead(named)) {
    const isOther = all.length > 0 && all.every(isRead);
    const doubt = isOther ? doubts.contradicted(name(named), all.map(name)) : doubts.isIn(name(named));
    return { language: named, spoken: [...new Set([named, ...(isOther ? all : [])])], doubt, mixture: null, reportIn };
  }
  if (strange !== undefined) {
    const doubt =
      named !== null && all.length === 1
        ? doubts.contradicted(name(named), all.map(name))
        : whereSpoken(strange, { parts, all, messages });
    return { language: strange, spoken: all, doubt, mixture: null, reportIn };
  }
  const language = languageOf(tag, tokens);
  const odd = parties.flatMap(({ said }) => strangeScriptOf(wordsOf(said), all.length > 1 ? null : language) ?? []);
  const [script] = odd.toSorted((a, b) => Number(a.language === null) - Number(b.language === null));
  if (script) return { ...ofScript(script, { named, messages }), reportIn };
  if (all.length > 1) {
    return { language: null, spoken: all, doubt: null, mixture: doubts.several(all.map(name)), reportIn };
  }
  const isStrange = all.length === 0 && language !== null && isRead(language) && areStrange(tokens, language);
  const isUnclear = isStrange || (language === null && parties.some(({ told }) => isDoubtful(told)));
  const doubt = isUnclear ? doubts.unclearLanguage : null;
  return {
    language,
    spoken: language === null ? [] : [language],
    doubt,
    mixture: null,
    reportIn: language !== null && isRead(language) ? language : 'en',
  };
}

function wordsOf(said: readonly { tokens: readonly Token[] }[]): Token[] {
  return said.flatMap(({ tokens }) => tokens);
}

/** Some scripts identify a language in a few words; others only rule languages out. */
function ofScript(
  { language, isWhole }: StrangeScript,
  { named, messages }: { named: string | null; messages: Messages },
): Omit<SpokenLanguages, 'reportIn'> {
  const { doubts } = messages.answers;
  if (language === null) return { language: null, spoken: [], doubt: doubts.unclearLanguage, mixture: null };
  const name = nameOf(language, messages.language);
  const said = named === null ? doubts.isIn(name) : doubts.contradicted(nameOf(named, messages.language), [name]);
  return { language, spoken: [language], doubt: isWhole ? said : doubts.partIsIn(name), mixture: null };
}

function partsOf({ words, languages }: Told): string[] {
  return [...languages].flatMap(([language, count]) =>
    language !== null && count >= PART_SHARE * words ? [language] : [],
  );
}

function isDoubtful({ words, languages }: Told): boolean {
  return words >= DOUBTED_WORDS && (languages.get(null) ?? 0) >= DOUBTED_SHARE * words;
}

type Parts = {
  parts: readonly { party: Party; languages: readonly string[] }[];
  all: readonly string[];
  messages: Messages;
};

function whereSpoken(language: string, { parts, all, messages }: Parts): string {
  const { doubts } = messages.answers;
  const name = nameOf(language, messages.language);
  if (all.length === 1) return doubts.isIn(name);
  const [part, other] = parts.filter(({ languages }) => languages.includes(language));
  if (!part || other || part.party === 'unknown') return doubts.partIsIn(name);
  return part.languages.length > 1 ? doubts.partyPartIsIn(part.party, name) : doubts.partySpeaks(part.party, name);
}
