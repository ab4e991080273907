import { CODE_OTHERS, CODE_SECRETS, LEADS, type Topic } from './lexicon.ts';
import { MORE_LEADS } from './more-leads.ts';
import { findNearMisses } from './near-misses.ts';
import { numberWord } from './number-words.ts';
import { plainWord, type Token, type TokenRange } from './tokens.ts';
import type { Lead } from './lead.ts';

type Part = { word: string; isPrefix: boolean; isSuffix: boolean };
type Pattern = { topic: Named; parts: Part[] };
/** Things that are locked, or that show a code, name one only next to certain words. */
type Named = Topic | 'lock' | 'shown';
type Found = Omit<Lead, 'topic'> & { topic: Named };

const KEY_LETTERS = 3;
const compiled = [LEADS, MORE_LEADS].flatMap((leads) =>
  Object.entries(leads).flatMap(([topic, phrases]) => phrases.map((phrase) => compile(topic as Named, phrase))),
);
const patterns = Map.groupBy(
  compiled.filter(({ parts }) => !parts[0]?.isSuffix),
  ({ parts }) => keyOf(parts[0]?.word ?? ''),
);
/** German puts names together: `Startpasswort`. By their last letters. */
const endings = Map.groupBy(
  compiled.filter(({ parts }) => parts[0]?.isSuffix),
  ({ parts }) => endOf(parts[0]?.word ?? ''),
);

/** All leads in the order of their ends; of several that end at one position, the longest. */
export function findLeads(tokens: readonly Token[]): Lead[] {
  const longest = new Map<number, Found>();
  for (const [from, token] of tokens.entries()) {
    for (const pattern of patternsOf(token.word)) {
      if (!matches(tokens, from, pattern)) continue;
      const to = from + pattern.parts.length;
      const known = longest.get(to);
      if (!known || known.from > from) longest.set(to, { topic: pattern.topic, from, to });
    }
  }
  for (const lead of findNearMisses(tokens)) if (!longest.has(lead.to)) longest.set(lead.to, lead);
  const leads = [...longest.values()].flatMap((lead) => decide(tokens, lead));
  return leads.sort((a, b) => a.to - b.to || a.from - b.from);
}

const codeWithinTokens = 24;
const otherWithinTokens = 10;

function decide(tokens: readonly Token[], { topic, ...place }: Found): Lead[] {
  switch (topic) {
    case 'someCode':
      return decideCode(tokens, place);
    case 'lock':
      return isBeside(tokens, place, { words: OF_LOCKS, within: 8 }) ? [{ ...place, topic: 'pin' }] : [];
    case 'shown':
      return isBeside(tokens, place, { words: SENT, within: 14 }) &&
        !isBeside(tokens, place, { words: CODE_OTHERS, within: otherWithinTokens })
        ? [{ ...place, topic: 'code' }]
        : [];
    default:
      return [{ ...place, topic }];
  }
}

const OF_LOCKS =
  /^(?:.*codes?|.*kodes?|number|numbers|combination|pin|digits?|keypad|key|zahlen.*|nummer|kombination|ziffern?|knopf|tasten?|clave|combinacion|codigo|numeros?|cifras|botones|teclas|код.*|цифр.*|кнопк.*|комбинаци.*|пароль|ключ)$/u;
/** Words for a code that somebody was sent, or is shown to prove who they are. */
const SENT =
  /^(?:sms|text|texts|texted|code|codes|push.*|otp|authenticator|verif.*|login|app|sent|dongle|phone|mobile|tan|.*tan|code|codes|handy|geschickt|bestatig.*|gesendet|mensaje.*|codigo.*|token|movil|celular|enviad.*|mandad.*|mande|envie|приложени.*|смс.*|эсэмэс.*|пуш.*|код|кода|коды|кодом|сообщени.*|телефон.*|отправил.*|выслал.*|прислал.*|подтверд.*|вход.*|банк.*)$/u;

function isBeside(
  tokens: readonly Token[],
  { from, to }: TokenRange,
  { words, within }: { words: RegExp; within: number },
): boolean {
  return [...tokens.slice(Math.max(0, from - within), from), ...tokens.slice(to, to + within)].some(({ word }) =>
    words.test(word),
  );
}

/** Whether a code proves somebody's identity, by the words around it. */
function decideCode(tokens: readonly Token[], { from, to }: TokenRange): Lead[] {
  const near = (reach: number): readonly Token[] => tokens.slice(Math.max(0, from - reach), to + reach);
  const isOther = near(otherWithinTokens).some(({ word }) => CODE_OTHERS.test(word));
  const isSecret = !isOther && near(codeWithinTokens).some(({ word }) => CODE_SECRETS.test(word));
  if (isOther) return [{ topic: 'other', from, to }];
  return isSecret || isFigureNext(tokens, to) || isAskedFor(tokens, from) ? [{ topic: 'code', from, to }] : [];
}

const ASKS =
  /^(?:what|what's|tell|give|read|say|need|confirm|welcher|wie|was|sagen|nennen|lautet|cual|digame|dime|deme|dicteme|какой|назовите|продиктуйте|скажите|подскажите)$/u;
const askedWithinTokens = 9;

/** "What did they set as the master code?" */
function isAskedFor(tokens: readonly Token[], from: number): boolean {
  return tokens.slice(Math.max(0, from - askedWithinTokens), from).some(({ word }) => ASKS.test(word));
}

const figureWithinTokens = 3;

function isFigureNext(tokens: readonly Token[], from: number): boolean {
  return tokens
    .slice(from, from + figureWithinTokens)
    .some(({ kind, word }) => kind === 'digits' || numberWord(word)?.needs === 'nothing');
}

function matches(tokens: readonly Token[], from: number, { parts }: Pattern): boolean {
  return parts.every(({ word, isPrefix, isSuffix }, index) => {
    const token = tokens[from + index];
    if (!token || token.kind === 'placeholder') return false;
    if (isSuffix) return token.word.endsWith(word);
    return isPrefix ? token.word.startsWith(word) : token.word === word || token.word === `${word}'s`;
  });
}

function compile(topic: Named, phrase: string): Pattern {
  const parts = phrase.split(' ').map((part) => ({
    word: plainWord(part.replace('*', '')),
    isPrefix: part.endsWith('*'),
    isSuffix: part.startsWith('*'),
  }));
  return { topic, parts };
}

function patternsOf(word: string): readonly Pattern[] {
  const [begun, ended] = [patterns.get(keyOf(word)), endings.get(endOf(word))];
  return ended ? [...(begun ?? []), ...ended] : (begun ?? []);
}

function endOf(word: string): string {
  return word.slice(-KEY_LETTERS);
}

function keyOf(word: string): string {
  return word.slice(0, KEY_LETTERS);
}
