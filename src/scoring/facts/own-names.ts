import type { PlacedToken } from '../conversation/conversation.ts';
import type { ReadLanguage } from '../languages/language.ts';
import { plainWord } from '../../model/text/tokens.ts';

/** A name that somebody gives as their own: its words, with what introduces it. */
export type OwnName = { from: number; to: number; at: number };
type IsName = (word: string) => boolean;

type Ways = {
  /** A name follows, with or without a word of address before it. */
  leads: readonly string[];
  /** A name follows where it is known as one, or is written like one. */
  looseLeads: readonly string[];
  /** Stands right after the name. */
  trails: readonly string[];
  /** May stand between a lead and the name. */
  articles: string;
  /** Before a name these address or mention somebody else. */
  others: string;
  /** A name never. */
  never: string;
};

/** How people give their names on the telephone. */
const WAYS: Record<ReadLanguage, Ways> = {
  en: {
    leads: ['you have got', 'you are talking to', 'my names', 'myself'],
    looseLeads: ['through to', 'it is', 'its', 'i am', 'im', 'this is'],
    trails: ['this side', 'on the line', 'at your service'],
    articles: 'just still',
    others: 'mister missus miss mrs mr ms doctor dr hello hi hey dear is that',
    never: `a an the not all from here calling about your our my his her their at in on of ok okay fine good sorry afraid just
      sure really very going looking so that this it what how who where when why and or but for with by no yes`,
  },
  de: {
    leads: [
      'mein name ist',
      'ich heiße',
      'hier spricht',
      'sie sprechen mit',
      'du sprichst mit',
      'am apparat ist',
      'am telefon ist',
      'mein name lautet',
    ],
    looseLeads: ['hier ist', 'hier', 'ich bin', 'ich bin übrigens', 'da ist', 'da isch', 'i bin'],
    trails: ['am apparat', 'am telefon', 'am start', 'ist mein name', 'mein name', 'hier', 'von der', 'vom', 'von'],
    articles: 'der die frau herr herrn dem eurer eure noch immer übrigens',
    others: 'frau herr herrn hallo grüezi mit praxis doktor dr familie für an',
    never: `der die das dem den ein eine einen ihr ihre wir sie ich noch nicht da so mal auch immer kein gerne jetzt es am im in
      von vom für zum zur bei beim und oder aber schon leider gerade einer firma team kundenservice`,
  },
  es: {
    leads: [
      'mi nombre es',
      'me llamo',
      'le atiende',
      'te atiende',
      'le habla',
      'te habla',
      'le saluda',
      'te saluda',
      'le asiste',
      'habla usted con',
      'está hablando con',
      'aquí habla',
    ],
    looseLeads: ['soy', 'yo soy', 'habla', 'con', 'aquí', 'de parte de'],
    trails: ['al habla', 'a sus órdenes', 'al aparato', 'para servirle', 'le habla', 'le atiende', 'le saluda', 'de'],
    articles: 'su tu la el señorita señora señor doña don licenciada licenciado',
    others: 'señora señor señorita sr sra doña don hola para doctor doctora santa san santo usted es de del',
    never: `el la los las un una uno de del usted que su sus le lo yo con quien quién mi me nuestro nuestra no si sí muy bien
      todo toda en al por para y o a nadie alguien ahora mismo departamento banco servicio`,
  },
  ru: {
    leads: [
      'меня зовут',
      'мое имя',
      'с вами говорит',
      'вас приветствует',
      'вас беспокоит',
      'у телефона',
      'зовут меня',
      'вы говорите с',
      'меня',
    ],
    looseLeads: ['это', 'я', 'говорит', 'на линии', 'здесь'],
    trails: [
      'на линии',
      'на проводе',
      'слушает',
      'вас беспокоит',
      'зовут',
      'у аппарата',
      'на связи',
      'меня зовут',
      'вас слушает',
    ],
    articles: 'оператор специалист консультант менеджер администратор диспетчер ваш ваша старший просто',
    others: 'здравствуйте',
    never: `это я мы вы он она они не на в из от с у по за до из компания служба банк отдел магазин клиника поддержка ваш ваша ваше
      номер вопрос вопросу что как так же ли бы все всё очень сейчас там тут здесь оператор да нет слушаю слушает`,
  },
};

type Read = {
  leads: string[][];
  looseLeads: string[][];
  trails: string[][];
  articles: Set<string>;
  others: Set<string>;
  never: Set<string>;
};

const ways = new Map<string, Read>(
  Object.entries(WAYS).map(([language, each]) => {
    const words = (text: string): string[] => text.split(/\s+/u).map(plainWord);
    const read: Read = {
      leads: each.leads.map(words),
      looseLeads: each.looseLeads.map(words),
      trails: each.trails.map(words),
      articles: new Set(words(each.articles)),
      others: new Set(words(each.others)),
      never: new Set(words(each.never)),
    };
    return [language, read];
  }),
);

/** Titles and such before the name, at most. */
const BETWEEN_MAX = 2;
/** Where the telephone is answered, a bare name stands among the first words. */
const ANSWERING_WORDS_MAX = 16;

/**
 * The name that somebody gives as their own in a turn, in the ways of this language: after "mein Name ist", before "на
 * линии", or bare where they answer the telephone ("Möbel Hauser, Petra."). Null where none is sure.
 */
export function readOwnName(
  tokens: readonly PlacedToken[],
  { language, isName, isAnswering }: { language: string; isName: IsName; isAnswering: boolean },
): OwnName | null {
  const read = ways.get(language);
  if (!read) return null;
  const isWritten = tokens.some(({ pause }) => pause !== 'none');
  const looksNamed = (at: number): boolean => {
    const token = tokens[at];
    if (!token || read.never.has(token.word) || !/^\p{L}{2,}$/u.test(token.word)) return false;
    return isName(token.word) || (isWritten && isCapital(token) && tokens[at - 1]?.pause === 'none');
  };
  for (const [at] of tokens.entries()) {
    const found = afterLead(tokens, at, { read, isName, looksNamed }) ?? beforeTrail(tokens, at, { read, isName });
    if (found && !isAskedFor(tokens, found)) return found;
  }
  const bare = isAnswering ? bareName(tokens, { read, isName }) : null;
  return bare && isAskedFor(tokens, bare) ? null : bare;
}

/** "¿Hablo con Nicolás?", "am I speaking to Ann?": whom somebody asks for gives no name of theirs. */
export function isAskedFor(tokens: readonly PlacedToken[], { at }: { at: number | null }): boolean {
  const index = tokens.findIndex((token) => token.at === at);
  if (index < 0) return false;
  const before = tokens.slice(Math.max(0, index - ASKED_WITHIN), index).map(({ word }) => word);
  return ASKED.test(before.join(' '));
}

const ASKED_WITHIN = 6;
const ASKED =
  /(?:^| )(?:hablo con|estoy hablando con|gusto con|spreche ich mit|(?:am i|i am) (?:speaking|talking) (?:to|with)|говорю с)(?: \S+){0,2}$/u;

type Looking = { read: Read; isName: IsName; looksNamed: (at: number) => boolean };

/** The lead ends at this place. */
function afterLead(tokens: readonly PlacedToken[], end: number, { read, isName, looksNamed }: Looking): OwnName | null {
  const isFirm = read.leads.some((lead) => endsWith(tokens, end, lead));
  const isLoose = !isFirm && read.looseLeads.some((lead) => endsWith(tokens, end, lead));
  if (!isFirm && !isLoose) return null;
  if (tokens[end]?.pause === 'stop' || tokens[end]?.pause === 'question') return null;
  let at = end + 1;
  while (at - end <= BETWEEN_MAX && read.articles.has(tokens[at]?.word ?? '')) at += 1;
  const token = tokens[at];
  if (!token || read.never.has(token.word) || !/^\p{L}{2,}$/u.test(token.word)) return null;
  const isAddressed = tokens[at - 1] !== undefined && at - 1 > end && ADDRESSES.has(tokens[at - 1]?.word ?? '');
  const isFrom = AFFILIATING.has(tokens[at + 1]?.word ?? '') && token.pause === 'none';
  const isKnown = isName(token.word) || isAddressed || (isFrom && looksNamed(at));
  const isSure = isFirm ? looksNamed(at) || !hasCapitals(tokens) : isKnown;
  return isSure ? placed(tokens, Math.max(0, end - 1), at) : null;
}

/** "Ich bin die Frau Scholz": whoever says so of themselves gives their name. */
const ADDRESSES = new Set(['frau', 'herr', 'herrn']);

/** "It's Olly calling from …", "soy Rocío, de …": with a capital, whoever goes on so has given a name. */
const AFFILIATING = new Set(['from', 'calling', 'over', 'at', 'von', 'vom', 'из', 'de']);

function beforeTrail(
  tokens: readonly PlacedToken[],
  at: number,
  { read, isName }: Pick<Looking, 'read' | 'isName'>,
): OwnName | null {
  const token = tokens[at];
  if (!token || !isName(token.word) || read.others.has(tokens[at - 1]?.word ?? '')) return null;
  const trail = read.trails.find((words) => words.every((word, offset) => tokens[at + 1 + offset]?.word === word));
  if (!trail || token.pause === 'question' || token.pause === 'stop') return null;
  const isShort = trail.length === 1;
  return isShort && !isOpening(tokens, at) ? null : placed(tokens, at, at);
}

/** A short trail tells nothing in the middle of what somebody goes on about. */
function isOpening(tokens: readonly PlacedToken[], at: number): boolean {
  return at < ANSWERING_WORDS_MAX && tokens[0]?.utterance.turn !== undefined && tokens[0].utterance.turn <= 1;
}

/** A given name among the first words that addresses nobody: the last such word before the first question. */
function bareName(tokens: readonly PlacedToken[], { read, isName }: Pick<Looking, 'read' | 'isName'>): OwnName | null {
  const near = tokens.slice(0, ANSWERING_WORDS_MAX);
  const isWritten = hasCapitals(tokens);
  const asked = near.findIndex(({ pause }) => pause === 'question');
  const until = asked < 0 ? near.length : asked + 1;
  const at = near.slice(0, until).findLastIndex((token, index) => {
    if (!isName(token.word) || token.pause === 'question') return false;
    const before = tokens[index - 1];
    const isBegun =
      !isWritten || !before || before.pause !== 'none' || isName(before.word) || read.articles.has(before.word);
    return isBegun && !read.others.has(before?.word ?? '') && !isPatronymic(tokens[index + 1]?.word ?? '');
  });
  return at < 0 ? null : placed(tokens, at, at);
}

/** "Галина Степановна" is whom somebody speaks to. */
function isPatronymic(word: string): boolean {
  return /(?:вич|вна|чна)$/u.test(word);
}

function endsWith(tokens: readonly PlacedToken[], end: number, words: readonly string[]): boolean {
  return words.every((word, index) => tokens[end - words.length + 1 + index]?.word === word);
}

function placed(tokens: readonly PlacedToken[], from: number, at: number): OwnName | null {
  const [first, name] = [tokens[from], tokens[at]];
  return first && name ? { from: first.at, to: name.at + 1, at: name.at } : null;
}

function hasCapitals(tokens: readonly PlacedToken[]): boolean {
  return tokens.slice(0, ANSWERING_WORDS_MAX).some(isCapital);
}

function isCapital({ from, utterance }: PlacedToken): boolean {
  return /^\p{Lu}/u.test(utterance.segment.text.slice(from, from + 1));
}
