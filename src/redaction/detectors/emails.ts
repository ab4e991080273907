import type { Conversation } from '../conversation.ts';
import { lastEndingBy } from '../conversation.ts';
import { numberWord } from '../number-words.ts';
import type { Finding, Span } from '../spans.ts';
import { plainWord, type Token } from '../tokens.ts';

const WRITTEN = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,6}[\p{L}\p{N}-]{2,24}/gu;

/** Addresses as they are written. */
export function findWrittenEmails(text: string, segment: number): Span[] {
  return [...text.matchAll(WRITTEN)].map(({ 0: raw, index }) => ({
    kind: 'email' as const,
    segment,
    from: index,
    to: index + raw.length,
  }));
}

const AT = words('at @ arroba klammeraffe ät собака собачка эт');
const DOT = words('dot punkt punto точка point');
const JOINTS = words(
  'dot punkt punto точка point underscore unterstrich guion guión bajo подчеркивание нижнее hyphen dash minus bindestrich strich дефис тире plus plus',
);
const TLDS = words(
  'com net org edu gov info biz io co uk de at ch es ru su eu me us fr it nl pl mx ar cl online app dev email mail ком нет орг ру рф ю кей',
);
const PROVIDERS = words(
  'gmail googlemail hotmail outlook yahoo icloud live msn aol proton protonmail gmx web tonline freenet posteo mail yandex rambler bk list inbox comcast verizon att btinternet sky virginmedia telefonica terra jimejl гугл gmail яндекс мейл майл рамблер',
);
/** Before an `at` these are no part of an address: "you can find it at example dot com". */
const NO_NAMES = words(
  "it's that's " +
    'it us them me you him her one look find shop order online website buy visit book here available page site is are was be more email mail address at to on in and or the a that this see read go check out up anything everything prices products work works working arrive arrived started meet back home there store stored listed sold ' +
    'ist es sie uns mich dich auf bei im adresse und oder die der das finden seite ' +
    'es lo la en el y o pagina página correo direccion dirección nos encontrar ' +
    'это на и или адрес почта сайт нас найти',
);
const domainTokensMax = 8;
const nameTokensMax = 24;
const leadWithinTokens = 30;
const namedWithinTokens = 5;

/** Addresses as they are said: "john dot smith at gmail dot com". */
export function findSpokenEmails(conversation: Conversation): Finding[] {
  const { tokens } = conversation;
  return tokens.flatMap((token, at) => {
    if (!AT.has(token.word)) return [];
    const domain = readDomain(tokens, at + 1);
    if (!domain) return [];
    const lead = leadBefore(conversation, at);
    const isAnnounced = lead !== null || isNamedAfter(conversation, domain.to);
    const from = nameStart(tokens, at, { first: lead ?? 0, wordsMax: isAnnounced ? 3 : domain.isProvider ? 2 : 1 });
    const isSure = isAnnounced || domain.isProvider || token.word !== 'at' || isComposed(tokens, from, at);
    const isName = from < at && !(NO_NAMES.has(tokens[from]?.word ?? '') && from === at - 1);
    return isSure && isName ? [{ kind: 'email' as const, from, to: domain.to }] : [];
  });
}

/** "gmail dot com", "example dot co dot uk", "t minus online punkt de". */
function readDomain(tokens: readonly Token[], from: number): { to: number; isProvider: boolean } | null {
  let end: number | null = null;
  let isProvider = false;
  for (let at = from; at < tokens.length && at - from < domainTokensMax; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder' || (at > from && /[?!,;]|\.\s/.test(token.gap))) break;
    isProvider ||= PROVIDERS.has(token.word);
    const isDotted = at > from && (DOT.has(tokens[at - 1]?.word ?? '') || token.gap === '.');
    if (!isDotted || !(TLDS.has(token.word) || token.gap === '.')) continue;
    end = at + 1;
    if (!DOT.has(tokens[at + 1]?.word ?? '') && tokens[at + 1]?.gap !== '.') break;
  }
  return end === null ? null : { to: end, isProvider };
}

/** Where the words end that announce an address; null where none do. */
function leadBefore({ leads }: Conversation, at: number): number | null {
  const lead = lastEndingBy(leads, at);
  return lead?.topic === 'email' && at - lead.to <= leadWithinTokens ? lead.to : null;
}

function isNamedAfter({ tokens }: Conversation, to: number): boolean {
  return tokens.slice(to, to + namedWithinTokens).some(({ word }) => word === 'email' || word === 'mail');
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
    const isFree = (isPiece(token) || words < wordsMax) && wordsMax > 1 && !NO_NAMES.has(token.word);
    if (!isJoint && !isBesideJoint && !(isPiece(token) && isPieceOrJoint(next)) && !isFree) break;
    if (!isJoint && !isPiece(token)) words += 1;
    from -= 1;
  }
  while (from < at && (JOINTS.has(tokens[from]?.word ?? '') || isOpening(tokens, from, at))) from += 1;
  return from;
}

/** "it's", "is", "my": announce the address and are none of it. */
function isOpening(tokens: readonly Token[], from: number, at: number): boolean {
  return from < at - 1 && NO_NAMES.has(tokens[from]?.word ?? '') && !JOINTS.has(tokens[from + 1]?.word ?? '');
}

function isPieceOrJoint(token: Token | undefined): boolean {
  return token !== undefined && (isPiece(token) || JOINTS.has(token.word));
}

/** One letter, figures, or a number: what addresses are spelled with. */
function isPiece(token: Token): boolean {
  return token.kind === 'digits' || [...token.word].length === 1 || numberWord(token.word)?.needs === 'nothing';
}

function isWrittenTogether(token: Token | undefined): boolean {
  return token !== undefined && /^[._-]?$/.test(token.gap) && token.from > 0;
}

function isComposed(tokens: readonly Token[], from: number, at: number): boolean {
  const name = tokens.slice(from, at);
  return name.length > 1 && name.some((token) => JOINTS.has(token.word) || isPiece(token));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(plainWord));
}
