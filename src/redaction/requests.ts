import type { Lead } from './lead.ts';
import { plainWord, type Token } from './tokens.ts';
import { turnAt, type Turn } from './turns.ts';

/** A request for what a lead names, with the answers: tokens `[from, to)` of each turn. */
export type Request = {
  lead: Lead;
  answers: readonly Turn[];
  /** "Have you set a password?" is answered by yes or no, and perhaps more. */
  isYesOrNo: boolean;
  /** Whether the words really ask. What an agent names last is usually asked for too, however it is worded. */
  isSure: boolean;
  /** Whether a customer asks: agents usually answer how something is done. */
  isOfCustomer: boolean;
};

const ASKS = new Set(
  set(
    "what what's whats which whose when how tell give say says confirm need who where could can may read provide spell enter verify remind quote got get take ready asks ask pop key type put hear see shoot fire let's " +
      'welches welche welcher welchem welchen wie was wo wohin wann wem wer auf nennen sagen sagst fragt frage gibst gib sag geben gebens sagens bräucht brauch bekomme krieg kriege noch wäre dazu lautet verraten brauche bräuchte benötige durchgeben buchstabieren haben mitteilen hinterlegt lesen ' +
      'cuál cual cuáles qué quién dónde cuándo pone sale falta pide pedirá pregunta regálame regáleme colabóreme permítame permite pásame páseme deletree deletréeme díctela dictar dígamela dígamelo dígamelas dígamelos leer léame léamelo confírmame apunto anoto tomo dígame dime dame deme dé diga dice indique indíqueme facilíteme facilite confirme confírmeme recuérdeme repita introduzca lee necesito dicta dícteme ' +
      'кто кого кому когда куда где чей чья спросит спрашивает слушаю записываю диктуйте говорите давайте можно повторите уточните что сколько какого какой какое какая какую какие назовите скажите продиктуйте сообщите подскажите напомните назови нужен нужно нужна проговорите укажите озвучьте прочитайте введите',
  ),
);
/** Statements about a secret, as opposed to requests: rules, warnings, what happened to it. */
const STATES = new Set(
  set(
    "must should shouldn't never don't cannot can't reset changed change forgot forgotten contain contains long expired link sent text " +
      'muss müssen darf dürfen sollte nie niemals nicht geändert ändern vergessen zurückgesetzt zurücksetzen enthalten abgelaufen ' +
      'debe deben nunca jamás cambiado cambiar olvidado restablecido restablecer contener caducado compartas comparta ' +
      'должен должна должно никогда нельзя изменили меняли забыли сбросил сбросила сбросили содержать истек сообщайте говорите',
  ),
);
const STARTS = new Set(
  set(
    'and und y и а your ihr ihre ihren su tu ваш ваше вашу ваши also then now so okay jetzt noch dann ahora entonces теперь the der die das den la el',
  ),
);
const PLEASE = new Set(set('please bitte favor пожалуйста'));

const shortTokensMax = 8;
const beforeTokens = 14;
const afterTokens = 9;
const answersMax = 5;
const interjectionTokensMax = 12;
const lastTokens = 16;

/** Whether the words around a lead ask for what it names. */
export function isAsked(tokens: readonly Token[], lead: Lead, turn: Turn): boolean {
  const from = sentenceStart(tokens, Math.max(turn.from, lead.from - beforeTokens), lead.from);
  const to = sentenceEnd(tokens, lead.to, Math.min(turn.to, lead.to + afterTokens));
  const words = tokens.slice(from, to).map(({ word }) => word);
  if (words.some((word) => STATES.has(word))) return false;
  if (words.some((word) => ASKS.has(word) || PLEASE.has(word))) return true;
  const last = tokens[to - 1];
  if (/\?/.test(last?.tail ?? '') || (to < turn.to && /\?/.test(tokens[to]?.gap ?? ''))) return true;
  const isShort = turn.to - turn.from <= shortTokensMax;
  return isShort && (turn.role !== 'customer' || STARTS.has(words[0] ?? '') || lead.from === from);
}

type Said = { tokens: readonly Token[]; turns: readonly Turn[]; leads: readonly Lead[] };

/**
 * The answers to a request: the next turns of the other person, until something else is asked. "Go on", "the one on the
 * back" and the like continue the same request.
 */
function answersTo({ tokens, turns, leads }: Said, lead: Lead): Turn[] {
  const index = turnAt(turns, lead.from);
  const asking = turns[index];
  const answers: Turn[] = [];
  for (let at = index + 1; at < turns.length && answers.length < answersMax; at += 1) {
    const turn = turns[at];
    if (!asking || !turn) break;
    if (turn.speaker !== asking.speaker) answers.push(turn);
    else if (turn.to - turn.from > interjectionTokensMax || asksOther({ tokens, turns, leads }, turn, lead)) break;
  }
  return answers;
}

function asksOther({ tokens, leads }: Said, turn: Turn, { topic }: Lead): boolean {
  return leads.some(
    (lead) => lead.from >= turn.from && lead.to <= turn.to && lead.topic !== topic && isAsked(tokens, lead, turn),
  );
}

/** All requests for one of these topics. */
export function findRequests(said: Said, isMeant: (lead: Lead) => boolean): Request[] {
  const { tokens, turns, leads } = said;
  return leads.flatMap((lead) => {
    const turn = turns[turnAt(turns, lead.from)];
    if (!turn || !isMeant(lead)) return [];
    const isSure = isAsked(tokens, lead, turn);
    const isLast = turn.role !== 'customer' && turn.to - lead.to <= lastTokens;
    const answers = isSure || isLast ? answersTo(said, lead) : [];
    return answers.length === 0
      ? []
      : [{ lead, answers, isYesOrNo: isYesOrNo(tokens, lead, turn), isSure, isOfCustomer: turn.role === 'customer' }];
  });
}

const YES_OR_NO = [
  'have you',
  'did you',
  'has anyone',
  'has the',
  'is the',
  'is your',
  'was the',
  'are you',
  'can you remember',
  'do you know',
  'do you remember',
  'haben sie ihr',
  'haben sie das',
  'haben sie den',
  'haben sie schon',
  'ist das',
  'ist ihr',
  'ha cambiado',
  'ha recibido',
  'es la',
  'вы меняли',
  'вы помните',
].map((phrase) => phrase.split(' '));

function isYesOrNo(tokens: readonly Token[], lead: Lead, turn: Turn): boolean {
  const from = sentenceStart(tokens, Math.max(turn.from, lead.from - beforeTokens), lead.from);
  const words = tokens.slice(from, lead.from).map(({ word }) => word);
  return YES_OR_NO.some((phrase) => [0, 1].some((at) => phrase.every((word, index) => words[at + index] === word)));
}

function sentenceStart(tokens: readonly Token[], from: number, at: number): number {
  for (let start = at; start > from; start -= 1) {
    if (isSentenceEnd(tokens[start], tokens[start - 1])) return start;
  }
  return from;
}

function sentenceEnd(tokens: readonly Token[], at: number, to: number): number {
  for (let end = at; end < to; end += 1) if (isSentenceEnd(tokens[end], tokens[end - 1])) return end;
  return to;
}

function isSentenceEnd(token: Token | undefined, before: Token | undefined): boolean {
  if (!token || !before) return false;
  return token.segment === before.segment ? /[.?!]\s/.test(token.gap) : false;
}

function set(list: string): string[] {
  return list.split(' ').map(plainWord);
}
