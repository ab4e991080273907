import { isDni, isNino, isSnils, isSsn, isSteuerId } from '../checksums.ts';
import { chainAt, digitsIn, type Chain } from '../chains.ts';
import { hasPlaceholder, isQuantity, topicOf, type Conversation } from '../conversation.ts';
import { COUNTED } from '../lexicon.ts';
import { findRequests } from '../requests.ts';
import type { Run } from '../runs.ts';
import type { Finding } from '../spans.ts';
import type { Token, TokenRange } from '../tokens.ts';

/** Numbers that a state gives to a person: by their form and check digits, or after words that announce one. */
export function findNationalIds(conversation: Conversation): Finding[] {
  const byRun = conversation.runs.flatMap((run) => {
    const place = withLetters(conversation.tokens, run);
    const isNamed = isAnnounced(conversation, run);
    if (!hasForm(conversation, run, place) && !isNamed) return [];
    return isNamed ? [place, ...chainOf(conversation, run)] : [place];
  });
  return [...byRun, ...letteredIds(conversation)].map((place) => ({ kind: 'national_id' as const, ...place }));
}

/** With all letters and figures that are said in one with the run. */
function chainOf({ chains }: Conversation, run: Run): TokenRange[] {
  const chain = chainAt(chains, run.from);
  if (!chain || chain.text.length > charactersMax) return [];
  return [{ from: Math.min(startOf(chain), run.from), to: Math.max(chain.to, run.to) }];
}

/** Two letters in front are letters, even where each of them may be a word: "pe a be ochenta y tres". */
function startOf({ pieces, from, wideFrom }: Chain): number {
  const isLetter = /^\p{L}/u.test(pieces.find((piece) => piece.from === from)?.text ?? '');
  const before = pieces.filter((piece) => piece.to <= from).length;
  return before >= 2 || (before === 1 && isLetter) ? wideFrom : from;
}

const charactersMin = 5;
const charactersMax = 24;
const reachTokens = 14;

/** Letters and figures after a word that announces an id, or in answer to who asks for one. */
function letteredIds(conversation: Conversation): TokenRange[] {
  const { leads, chains, tokens } = conversation;
  const isId = (chain: Chain): boolean =>
    chain.text.length >= charactersMin &&
    chain.text.length <= charactersMax &&
    digitsIn(chain.text) >= 3 &&
    /\p{L}/u.test(chain.text);
  const told = leads.flatMap((lead) => {
    if (lead.topic !== 'id') return [];
    const chain = chains.find(({ from }) => from >= lead.to);
    if (!chain || chain.from - lead.to > reachTokens || hasPlaceholder(tokens, lead.to, chain.from)) return [];
    return isId(chain) ? [{ from: Math.max(lead.to, startOf(chain)), to: chain.to }] : [];
  });
  const answered = findRequests(conversation, ({ topic }) => topic === 'id').flatMap(({ answers }) =>
    answers.flatMap((turn) => chains.filter((chain) => chain.from >= turn.from && chain.to <= turn.to && isId(chain))),
  );
  return [...told, ...answered].map(({ from, to }) => ({ from, to }));
}

const announcedDigitsMin = 4;
const announcedDigitsMax = 14;

function isAnnounced(conversation: Conversation, run: Run): boolean {
  const { length } = run.digits;
  if (length < announcedDigitsMin || length > announcedDigitsMax || topicOf(conversation, run) !== 'id') return false;
  if (isQuantity(conversation, run) || isYear(run)) return false;
  return length > 4 || !isLastPart(conversation.tokens, run);
}

/** "Your passport from 2019": a year is no number of a document. */
function isYear({ groups, digits }: Run): boolean {
  return groups.length === 1 && /^(?:19|20)\d\d$/.test(digits);
}

const LAST = new Set(
  'last ending ends end acaba acaban letzten letzte endet endziffern últimos ultimos ultimas termina последние последних заканчивается'.split(
    ' ',
  ),
);
const lastWithinTokens = 12;

/** "The last four of your social": parts that are used to tell people apart stay. */
export function isLastPart(tokens: readonly Token[], { from }: { from: number }, within = lastWithinTokens): boolean {
  return tokens.slice(Math.max(0, from - within), from).some(({ word }) => LAST.has(word));
}

function hasForm(conversation: Conversation, run: Run, place: TokenRange): boolean {
  const { tokens } = conversation;
  const { digits } = run;
  if (digits.length < 6 || digits.length > 11) return false;
  if (isWrittenSsn(tokens, run)) return topicOf(conversation, run) !== 'other';
  if (
    place.to > run.to &&
    isNino(lettersOf(tokens, place.from, run.from) + digits + lettersOf(tokens, run.to, place.to))
  ) {
    return true;
  }
  if (run.groups.every(({ isWritten }) => isWritten) && isTightDni(tokens, run)) return true;
  if (digits.length !== 11) return false;
  const shape = run.groups.map((group) => group.digits.length).join();
  if (isSnils(digits)) return shape === '3,3,3,2';
  const topic = topicOf(conversation, run);
  return isSteuerId(digits) && topic !== 'other' && topic !== 'phone';
}

function lettersOf(tokens: readonly Token[], from: number, to: number): string {
  return tokens
    .slice(from, to)
    .map(({ word }) => word)
    .join('');
}

function isWrittenSsn(tokens: readonly Token[], run: Run): boolean {
  const [first, ...rest] = run.groups;
  const isShape = run.groups.map(({ digits, isWritten }) => (isWritten ? digits.length : 0)).join() === '3,2,4';
  if (!isShape || !first || !isSsn(run.digits)) return false;
  return rest.every(({ from }) => /^\s?[\p{Pd}.]\s?$/u.test(tokens[from]?.gap ?? ''));
}

function isTightDni(tokens: readonly Token[], { from, to, digits }: Run): boolean {
  const letter = tokens[to];
  if (letter?.kind !== 'word' || !/^[\s-]?$/.test(letter.gap)) return false;
  const first = digits.length === 7 ? (tokens[from - 1]?.word ?? '') : '';
  return isDni(first + digits + letter.word);
}

const SPELLED = new Set(
  'alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu letra buchstabe zeta equis anton berta caesar dora emil'.split(
    ' ',
  ),
);

/** Letters before and after the figures belong to a number, said or written. */
function withLetters(tokens: readonly Token[], run: Run): TokenRange {
  let { from, to } = run;
  while (run.from - from < 3 && isLetter(tokens[from - 1], tokens[from])) from -= 1;
  while (to - run.to < 3 && isLetter(tokens[to], tokens[to])) to += 1;
  // The last letter of a British number: an `a` is one too where two letters stand before the figures.
  const hasPrefix = lettersOf(tokens, from, run.from).length === 2 && run.digits.length === 6;
  const next = tokens[to];
  if (to === run.to && hasPrefix && next?.word === 'a' && /^[\s-]?$/.test(next.gap)) to += 1;
  return { from, to };
}

/** Stands next to its neighbour with nothing but a space or a dash between. */
function isLetter(token: Token | undefined, joint: Token | undefined): boolean {
  if (token?.kind !== 'word' || !joint || !/^[\s-]?$/.test(joint.gap)) return false;
  if (COUNTED.has(token.word)) return false;
  if (joint.gap === '-' && /^\p{L}$/u.test(token.word)) return true;
  return (/^\p{L}{1,2}$/u.test(token.word) && !SHORT_WORDS.has(token.word)) || SPELLED.has(token.word);
}

const SHORT_WORDS = new Set(
  'is it at on in to of or so no my me we he by be as am an do go if up us ja zu am im es ist in um wo da er ob an de en el la lo le es un si no ya tu su mi те то на не но он да за из их мы ну по со вы я и в с к у о а i a y ok uh oh ah mm hm er eh mr ms dr'.split(
    ' ',
  ),
);
