import type { Conversation, PlacedToken } from '../conversation/conversation.ts';
import type { Finder } from '../conversation/finder.ts';
import { GIVEN_NAMES } from '../lexicon/names.ts';
import { isNameIn } from '../lexicon/names-abroad.ts';
import { isAskedFor, readOwnName } from './own-names.ts';
import { ANSWERING_WORDS, COMPANY_LEADS, COMPANY_WORDS, NOT_NAMES } from '../lexicon/naming.ts';
import { inOtherLanguages } from '../lexicon/other-languages.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { isOneEditApart } from '../../model/text/sounds.ts';
import { plainWord } from '../../model/text/tokens.ts';
import { readNameStretches } from './naming-stretches.ts';

const companyLeads = compilePhrases([...COMPANY_LEADS, ...inOtherLanguages('companies')]);
/** In English names are told from companies more closely, see `naming-stretches.ts`. */
const nameLeads = compilePhrases(inOtherLanguages('names'));

export type Range = { from: number; to: number };
/** Where the agent names the company or department, and themselves. */
export type Naming = {
  company: Range | null;
  ownName: Range | null;
  /** Where the name itself stands, if it is given. */
  nameAt: number | null;
};

const COMPANY_TURNS = 2;
const NAME_TURNS = 3;

type NamingInput = { conversation: Conversation; finder: Finder; agentName: string | null; language: string | null };

export function readNaming({ conversation, finder, agentName, language }: NamingInput): Naming {
  /** English words for a trade are all kinds of words elsewhere. */
  const isEnglish = language === null || language === 'en';
  const isName = (word: string): boolean =>
    (isEnglish && GIVEN_NAMES.has(word)) || isNameIn(language, word) || partOfName(agentName ?? '', word) !== undefined;
  const turns = conversation.agentTurns.slice(0, NAME_TURNS);
  const early = new Set(conversation.agentTurns.slice(0, COMPANY_TURNS));
  const found: Naming = { company: null, ownName: null, nameAt: null };
  for (const turn of turns) {
    const stretches = readNameStretches(turn.tokens, isName);
    // Bare names in English are told from companies in the stretches.
    const isAnswering = !isEnglish && turn.index <= 1;
    const given = readOwnName(turn.tokens, { language: language ?? 'en', isName, isAnswering });
    const own = stretches.ownName && { ...stretches.ownName, at: stretches.nameAt };
    const inEnglish = own && !isAskedFor(turn.tokens, own) ? own : null;
    if (!found.ownName) setOwn(found, isEnglish ? (inEnglish ?? given) : (given ?? inEnglish));
    found.ownName ??= afterNameLead(conversation, finder, turn.index);
    if (early.has(turn)) found.company ??= stretches.company ?? afterLead(conversation, finder, turn.index);
    if (early.has(turn) && isEnglish) found.company ??= departmentIn(conversation, turn.index);
  }
  return found;
}

function setOwn(found: Naming, given: (Range & { at: number | null }) | null): void {
  if (!given) return;
  found.ownName = { from: given.from, to: given.to };
  found.nameAt = given.at;
}

/** The part of a full name that a word is, allowing for one letter heard wrong in a long one. */
export function partOfName(fullName: string, word: string): string | undefined {
  const parts = fullName
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((part) => part.length > 2)
    .map((part) => ({ part, plain: plainWord(part) }));
  const exact = parts.find(({ plain }) => plain === word);
  return (exact ?? parts.find(({ plain }) => plain.length >= 5 && isOneEditApart(plain, word)))?.part;
}

/** "Mein Name ist …", "le atiende …": the word after it, unless it goes on with an article, which names a company. */
function afterNameLead(conversation: Conversation, finder: Finder, turnIndex: number): Range | null {
  for (const { turn, from, to } of finder.find(nameLeads, 'agent')) {
    const word = conversation.tokens[to]?.word;
    if (turn.index !== turnIndex) continue;
    if (FOLLOWING_LEADS.has(conversation.tokens[to - 1]?.word ?? ''))
      return { from: Math.max(turn.from, from - 2), to };
    if (to < turn.to && word !== undefined && !NO_NAMES_AFTER.has(word) && !COMPANY_WORDS.has(word))
      return { from, to: to + 1 };
  }
  return null;
}

/** "Anna Schmidt am Apparat". */
const FOLLOWING_LEADS = new Set(['apparat']);
const NO_NAMES_AFTER = new Set(
  `der die das dem den ein eine ihr ihre firma la el los las un una de del usted con que su le su по из от что не
  компания служба банк отдел номер ваш ваша вопрос`.split(/\s+/u),
);

/** "Thank you for calling …", "welcome to …", "… customer service". */
function afterLead(conversation: Conversation, finder: Finder, turnIndex: number): Range | null {
  const leads = finder.find(companyLeads, 'agent').filter(({ turn }) => turn.index === turnIndex);
  for (const lead of leads) {
    const range = properStretch(conversation.tokens, lead.to, turnIndex);
    if (range) return { from: lead.from, to: range.to };
  }
  return null;
}

function properStretch(tokens: readonly PlacedToken[], start: number, turnIndex: number): Range | null {
  let to = start;
  for (; to < start + 5; to += 1) {
    const token = tokens[to];
    if (!token || token.utterance.turn !== turnIndex) break;
    if (NOT_NAMES.has(token.word) && !(to === start && token.word === 'the')) break;
    if (token.pause === 'stop' || token.pause === 'comma' || token.pause === 'question') {
      to += 1;
      break;
    }
  }
  const words = tokens.slice(start, to).filter(({ word }) => word !== 'the');
  return words.length > 0 ? { from: start, to } : null;
}

/** "Billing department", "Sunrise travel, good morning": a trade's word at the very start of the first sentence. */
function departmentIn(conversation: Conversation, turnIndex: number): Range | null {
  const turn = conversation.turns[turnIndex];
  const opening = (turn?.tokens ?? []).slice(0, OPENING_WORDS);
  const trade = opening.findIndex(({ word }) => COMPANY_WORDS.has(word));
  const after = opening[trade + 1]?.word ?? '';
  if (!turn || trade < 0 || NOT_AFTER_COMPANY.has(after)) return null;
  const isPlain = opening
    .slice(0, trade)
    .every(({ word }) => ANSWERING_WORDS.has(word) || LOOSE_WORDS.has(word) || !NOT_NAMES.has(word));
  return isPlain ? { from: turn.from, to: turn.from + trade + 1 } : null;
}

const OPENING_WORDS = 10;
const NOT_AFTER_COMPANY = new Set([
  'is',
  'are',
  'was',
  'has',
  'will',
  'of',
  'account',
  'card',
  'number',
  'statement',
  'bill',
]);
/** Small words that recognisers put into a name that they do not know. */
const LOOSE_WORDS = new Set(['a', 'an', 'and', 'if', 'for', 'of', 'on', 'at', 'with', 'by', 'from']);
