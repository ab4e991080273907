import type { Conversation } from '../conversation.ts';
import type { Lead } from '../leads.ts';
import type { Finding } from '../spans.ts';
import { plainWord, type Token } from '../tokens.ts';

/** Passwords that are said next to the word, or in answer to the question for it. */
export function findPasswords(conversation: Conversation): Finding[] {
  return conversation.leads.flatMap((lead) => {
    if (lead.topic !== 'password') return [];
    const place = valueAfter(conversation.tokens, lead) ?? answerTo(conversation, lead);
    return place ? [{ kind: 'password' as const, ...place }] : [];
  });
}

type Place = { from: number; to: number };

const valueTokensMax = 8;
const LINKS = new Set(set('is was lautet ist war es era это'));
const FILLERS = new Set(set('uh um er it so äh ähm eh э эм capital lowercase uppercase all'));
const ENDS = new Set(
  set(
    'and but so please thanks thank for or because which that und aber bitte danke oder weil y pero por porque gracias o и а но или спасибо пожалуйста',
  ),
);
/** After these no password follows. */
const NOT_VALUES = new Set(
  set(
    'not wrong incorrect expired required reset going the a an too case sensitive at being invalid still no protected what something in on never only just now also very important locked blocked changed my your our their correct right fine okay ok good working set about to case-sensitive unknown there here ' +
      'nicht falsch abgelaufen gesperrt ungültig noch der die das ein eine mein ihr zu jetzt richtig korrekt sehr wichtig erforderlich nötig ' +
      'no incorrecta incorrecto caducada inválida muy la el una mi su correcta necesaria importante obligatoria ' +
      'не неверный неправильный истек устарел нужен очень мой ваш правильный верный заблокирован важен обязателен',
  ),
);

/** "My password is bluebird seven", "password: hunter2". */
function valueAfter(tokens: readonly Token[], lead: Lead): Place | null {
  let at = lead.to;
  const isLink = (token: Token | undefined): boolean => token !== undefined && LINKS.has(token.word);
  let isLinked = /[:=]/.test(tokens[at]?.gap ?? '');
  if (isLink(tokens[at]) && !isSentenceEnd(tokens[at])) {
    isLinked = true;
    at += 1;
  }
  if (isLinked) at = skipFillers(tokens, at);
  const first = tokens[at];
  if (!first || first.kind === 'placeholder') return null;
  if (!isLinked && !isMixed(tokens, at)) return null;
  if ((isSentenceEnd(first) && !isLinked) || isNoValue(first)) return null;
  const to = valueEnd(tokens, at);
  return to > at ? { from: at, to } : null;
}

function skipFillers(tokens: readonly Token[], from: number): number {
  let at = from;
  while (FILLERS.has(tokens[at]?.word ?? '') && !isSentenceEnd(tokens[at])) at += 1;
  return at;
}

/** Letters and figures without a space, or figures alone: no ordinary word. */
function isMixed(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || isSentenceEnd(token)) return false;
  return token.kind === 'digits' || (next?.kind === 'digits' && next.gap === '' && next.segment === token.segment);
}

function isNoValue({ word, kind }: Token): boolean {
  return NOT_VALUES.has(word) || (kind === 'word' && /(?:ed|ing)$/.test(word));
}

function valueEnd(tokens: readonly Token[], from: number): number {
  let to = from;
  while (to < tokens.length && to - from < valueTokensMax) {
    const token = tokens[to];
    if (!token || token.kind === 'placeholder') break;
    if (to > from && (isSentenceEnd(token) || ENDS.has(token.word) || token.segment !== tokens[from]?.segment)) break;
    to += 1;
  }
  return to;
}

/** A gap that ends a clause; inside of what is written together it is part of it ("blue.bird"). */
function isSentenceEnd(token: Token | undefined): boolean {
  return token !== undefined && /[,;.?!]\s/.test(token.gap);
}

const ASKS = new Set(
  set(
    "what what's whats tell give say confirm need wie welches lautet sagen nennen cuál dígame dime indique какой назовите скажите продиктуйте",
  ),
);
const askedWithinTokens = 7;
const answerTokensMax = 7;
const REFUSALS = new Set(
  set(
    "i no not sorry don't why can could do did well what how where have haven't never nope let hold wait nein ich kann weiß warum moment no lo sé perdón нет не я зачем почему минуту",
  ),
);
const OPENINGS = new Set(
  set(
    "uh um er yes yeah sure okay ok it's its it is the password my that's äh ja es ist das passwort eh sí es la contraseña э да это пароль мой",
  ),
);

/** The next turn of somebody else, after a question for the password. */
function answerTo({ tokens, speakers }: Conversation, lead: Lead): Place | null {
  const asked = tokens.slice(Math.max(0, lead.from - askedWithinTokens), lead.from);
  if (!asked.some(({ word }) => ASKS.has(word))) return null;
  const segment = tokens[lead.to - 1]?.segment ?? 0;
  let at = lead.to;
  while (tokens[at]?.segment === segment) at += 1;
  const answer = tokens[at]?.segment;
  if (answer === undefined || at - lead.to > askedWithinTokens || speakers[answer] === speakers[segment]) return null;
  while (tokens[at]?.segment === answer && OPENINGS.has(tokens[at]?.word ?? '')) at += 1;
  let to = at;
  while (tokens[to]?.segment === answer && tokens[to]?.kind !== 'placeholder') to += 1;
  const isValue = to > at && to - at <= answerTokensMax && !REFUSALS.has(tokens[at]?.word ?? '');
  return isValue ? { from: at, to } : null;
}

function set(list: string): string[] {
  return list.split(' ').map(plainWord);
}
