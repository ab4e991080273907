import { chainAt } from '../chains.ts';
import { lastEndingBy, type Conversation } from '../conversation.ts';
import { letterOf } from '../letters.ts';
import { numberWord } from '../number-words.ts';
import { findRequests } from '../requests.ts';
import type { Finding, Span } from '../spans.ts';
import { plainWord, type Token, type TokenRange } from '../tokens.ts';
import { turnAt } from '../turns.ts';
import {
  AT,
  DOT,
  EMAIL_SENDING,
  JOINTS,
  NO_NAMES,
  PROVIDERS,
  REMARKS,
  ROLE_MAILBOXES,
  TLDS,
  US,
} from './email-words.ts';

/** "Yusuf(at)boats(dot)example". */
const DISGUISED =
  /[\p{L}\p{N}._%+'-]{1,64}\s?[([{](?:at|ät|arroba|собака)[)\]}]\s?[\p{L}\p{N}-]{1,63}(?:\s?[([{](?:dot|punkt|punto|точка)[)\]}]\s?[\p{L}\p{N}-]{2,63}|\.[\p{L}\p{N}-]{2,24}){1,4}/giu;
const WRITTEN = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,6}[\p{L}\p{N}-]{2,24}/gu;

/** Addresses as they are written; not the mailbox of a company that its agent names. */
export function findWrittenEmails(text: string, { segment, isAgent }: { segment: number; isAgent: boolean }): Span[] {
  return [...text.matchAll(WRITTEN), ...text.matchAll(DISGUISED)].flatMap(({ 0: raw, index }) => {
    if (isAgent && isRoleMailbox(raw.split(/[@([{]/)[0] ?? '')) return [];
    return [{ kind: 'email' as const, segment, from: index, to: index + raw.length }];
  });
}

function isRoleMailbox(name: string): boolean {
  const words = plainWord(name).split(/[._+-]/);
  return words.length <= 2 && words.some((word) => ROLE_MAILBOXES.has(word));
}

const domainTokensMax = 14;
const nameTokensMax = 40;
const leadWithinTokens = 30;
const namedWithinTokens = 5;

/** Addresses as they are said: "john dot smith at gmail dot com", also letter by letter. */
export function findSpokenEmails(conversation: Conversation): Finding[] {
  const { tokens } = conversation;
  const places = tokens.flatMap((token, at) => {
    if (!AT.has(token.word) && !isAtSign(tokens, at)) return [];
    const domain = readDomain(tokens, at + 1);
    if (!domain) return [];
    const lead = leadBefore(conversation, at);
    const isAsked = isAskedFor(conversation, at);
    const isAnnounced = lead !== null || isAsked || isNamedAfter(conversation, domain.to);
    const { from: turnFrom = 0 } = conversation.turns[turnAt(conversation.turns, at)] ?? {};
    const wordsMax = isAnnounced ? nameTokensMax : domain.isProvider ? 2 : 1;
    const first = Math.max(lead ?? 0, isAnnounced ? turnFrom : 0);
    const from = nameStart(tokens, nameEnd(tokens, at), { first, wordsMax });
    const isSure = isAnnounced || domain.isProvider || token.word !== 'at' || isComposed(tokens, from, at);
    const isName = from < at && !(NO_NAMES.has(tokens[from]?.word ?? '') && from === at - 1);
    // What stands before the sign may have been said in the turn before.
    const isRest = !isName && (isAnnounced || domain.isProvider) && (from === at || token.word === 'at');
    if (!isSure || !(isName || isRest) || isOfCompany(conversation, from, at)) return [];
    return [{ from: isName ? from : at, to: spellingEnd(tokens, domain.to) }];
  });
  return [...places, ...halves(conversation)].map((place) => ({ kind: 'email' as const, ...place }));
}

/** "At sign". */
function isAtSign(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.word === 'sign' && tokens[at - 1]?.word === 'at';
}

/** "Write to us at info at example dot com": the mailbox of a company, named by its agent. */
function isOfCompany({ tokens, turns }: Conversation, from: number, at: number): boolean {
  const turn = turns[turnAt(turns, at)];
  if (turn?.role !== 'agent') return false;
  const isWritten = tokens[at]?.kind === 'at';
  const isOurs =
    isWritten || tokens.slice(Math.max(turn.from, from - leadWithinTokens), from).some(({ word }) => US.has(word));
  return isOurs && tokens.slice(from, at).some(({ word }) => ROLE_MAILBOXES.has(word));
}

/** "gmail dot com", "example dot co dot uk", "t minus online punkt de", "g m x punkt de". */
function readDomain(tokens: readonly Token[], from: number): { to: number; isProvider: boolean } | null {
  let end: number | null = null;
  let isProvider = false;
  let joined = '';
  for (let at = from; at < tokens.length && at - from < domainTokensMax; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder' || (at > from && /[?!,;]|\.\s/.test(token.gap))) break;
    joined += JOINTS.has(token.word) ? '' : token.word;
    isProvider ||= PROVIDERS.has(token.word) || PROVIDERS.has(joined);
    const isDotted = at > from && (DOT.has(tokens[at - 1]?.word ?? '') || token.gap === '.');
    if (!isDotted) continue;
    const tld = tldEnd(tokens, at);
    if (tld === null) continue;
    end = tld;
    if (!DOT.has(tokens[end]?.word ?? '') && tokens[end]?.gap !== '.') break;
  }
  return end === null ? null : { to: end, isProvider };
}

/** "com", "c o m", "дэ е". */
function tldEnd(tokens: readonly Token[], at: number): number | null {
  const token = tokens[at];
  if (!token) return null;
  if (TLDS.has(token.word) || token.gap === '.') return at + 1;
  let spelled = '';
  for (let end = at; end < at + 3; end += 1) {
    spelled += letterOf(tokens[end]?.word ?? '')?.letter ?? ' ';
    if (TLDS.has(spelled) && spelled.length > 1 && !letterOf(tokens[end + 1]?.word ?? '')) return end + 1;
  }
  return null;
}

/** Where the words end that announce an address; null where none do. */
function leadBefore({ leads }: Conversation, at: number): number | null {
  const lead = lastEndingBy(leads, at);
  return lead?.topic === 'email' && at - lead.to <= leadWithinTokens ? lead.to : null;
}

const askedTurns = 3;

/** Somebody else has just asked for an address, or where to send something. */
function isAskedFor({ tokens, turns, leads }: Conversation, at: number): boolean {
  const index = turnAt(turns, at);
  const speaker = turns[index]?.speaker;
  return turns.slice(Math.max(0, index - askedTurns), index).some((turn) => {
    if (turn.speaker === speaker) return false;
    const isNamed = leads.some(({ topic, from, to }) => topic === 'email' && from >= turn.from && to <= turn.to);
    return isNamed || tokens.slice(turn.from, turn.to).some(({ word }) => EMAIL_SENDING.test(word));
  });
}

function isNamedAfter({ tokens }: Conversation, to: number): boolean {
  return tokens.slice(to, to + namedWithinTokens).some(({ word }) => word === 'email' || word === 'mail');
}

/** Before remarks on how the name is written. */
function nameEnd(tokens: readonly Token[], at: number): number {
  let end = at;
  while (REMARKS.has(tokens[end - 1]?.word ?? '')) end -= 1;
  return end;
}

type NameLimits = { first: number; wordsMax: number };

/** Where the part before the `at` begins: words that are joined ("dot"), spelled out, or written together. */
function nameStart(tokens: readonly Token[], at: number, { first, wordsMax }: NameLimits): number {
  let from = at;
  let words = 0;
  while (from > first && at - from < nameTokensMax) {
    const token = tokens[from - 1];
    const next = tokens[from];
    if (!token || token.kind === 'placeholder' || (next && /[?!;]|[.,:]\s/.test(next.gap))) break;
    const isJoint = JOINTS.has(token.word);
    const isBesideJoint = from === at || JOINTS.has(next?.word ?? '') || isWrittenTogether(next);
    const isFree = (isPiece(token) || words < wordsMax) && wordsMax > 1 && (wordsMax > 2 || !NO_NAMES.has(token.word));
    if (!isJoint && !isBesideJoint && !(isPiece(token) && isPieceOrJoint(next)) && !isFree) break;
    if (!isJoint && !isPiece(token)) words += 1;
    from -= 1;
  }
  if (wordsMax > 2) from = afterOpening(tokens, from, at);
  while (from < at && (JOINTS.has(tokens[from]?.word ?? '') || isOpening(tokens, from, at))) from += 1;
  return from;
}

/** Behind the last words of the sentence that announce the address: "if you could send it to my email, that's". */
function afterOpening(tokens: readonly Token[], from: number, at: number): number {
  let start = from;
  for (let place = from; place < at; place += 1) {
    const next = tokens[place + 1]?.word ?? '';
    if (!NO_NAMES.has(tokens[place]?.word ?? '') || JOINTS.has(next) || place === at - 1) continue;
    const before = tokens[place - 1]?.word ?? '';
    const isLetter = letterOf(tokens[place]?.word ?? '') !== null;
    const isSpelling = isLetter && [before, next].some((word) => letterOf(word) !== null || JOINTS.has(word));
    if (!isSpelling && !isExample(tokens, place) && !JOINTS.has(before)) start = place + 1;
  }
  return start;
}

/** "S as in sugar", "jon without an h". */
function isExample(tokens: readonly Token[], at: number): boolean {
  const words = tokens.slice(Math.max(0, at - 2), at + 1).map(({ word }) => word);
  return words.some((word) => EXAMPLES.has(word));
}

const EXAMPLES = new Set('as wie como как without ohne sin без with mit con'.split(' '));

/** "it's", "is", "my": announce the address and are none of it. */
function isOpening(tokens: readonly Token[], from: number, at: number): boolean {
  const [word, next] = [tokens[from]?.word ?? '', tokens[from + 1]?.word ?? ''];
  const isSpelled = letterOf(word) !== null && letterOf(next) !== null;
  return from < at - 1 && NO_NAMES.has(word) && !JOINTS.has(next) && !isSpelled;
}

function isPieceOrJoint(token: Token | undefined): boolean {
  return token !== undefined && (isPiece(token) || JOINTS.has(token.word));
}

/** One letter, figures, or a number: what addresses are spelled with. */
function isPiece(token: Token): boolean {
  const letter = letterOf(token.word);
  const isSpelled = [...token.word].length === 1 || (letter !== null && !letter.isWeak);
  return token.kind === 'digits' || isSpelled || numberWord(token.word)?.needs === 'nothing';
}

function isWrittenTogether(token: Token | undefined): boolean {
  return token !== undefined && /^[._-]?$/.test(token.gap) && token.from > 0;
}

function isComposed(tokens: readonly Token[], from: number, at: number): boolean {
  const name = tokens.slice(from, at);
  return name.length > 1 && name.some((token) => JOINTS.has(token.word) || isPiece(token));
}

const remarkLettersMax = 4;

/** "… punkt de, mit o e": letters that are explained afterwards. */
function spellingEnd(tokens: readonly Token[], to: number): number {
  const token = tokens[to];
  if (!token || !EXAMPLES.has(token.word) || token.segment !== tokens[to - 1]?.segment) return to;
  let end = to + 1;
  while (end <= to + remarkLettersMax && /^\p{L}$/u.test(tokens[end]?.word ?? '')) end += 1;
  return end > to + 1 ? end : to;
}

const halfTokensMax = 40;
const halfLettersMin = 4;

/** "Tamsin dot greer", when an address was asked for: the rest may come later, or is cut off. */
function halves(conversation: Conversation): TokenRange[] {
  const { tokens, chains } = conversation;
  return findRequests(conversation, ({ topic }) => topic === 'email').flatMap(({ answers }) =>
    answers.flatMap(({ from, to }) => {
      const said = tokens.slice(from, to);
      if (said.length > halfTokensMax || said.some(({ word, kind }) => AT.has(word) || kind === 'placeholder'))
        return [];
      const chain = chainAt(chains, from) ?? chains.find((each) => each.from >= from && each.to <= to);
      if (chain && chain.pieces.length >= halfLettersMin && /\p{L}{2}/u.test(chain.text))
        return [{ from: chain.from, to: chain.to }];
      const joint = said.findIndex(
        ({ word }, at) => at > 0 && at < said.length - 1 && JOINTS.has(word) && word !== 'point',
      );
      if (joint < 0) return [];
      const start = said.findIndex(({ word }) => !NO_NAMES.has(word));
      return start >= 0 && start < joint ? [{ from: from + start, to }] : [];
    }),
  );
}
