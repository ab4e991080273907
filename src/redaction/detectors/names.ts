import type { Conversation } from '../conversation.ts';
import { isAsked } from '../requests.ts';
import { SMALL_TALK } from '../small-talk.ts';
import type { Finding } from '../spans.ts';
import { plainWord, type Token, type TokenRange } from '../tokens.ts';
import type { Turn } from '../turns.ts';
import { GIVEN } from './given-names.ts';
import { findNameRuns } from './name-runs.ts';
import { spelledEnd } from './name-spelling.ts';
import { FIRST_WORDS, NO_NAME_WORDS, TITLES } from './name-words.ts';

/** Names of customers: self-introductions, answers to questions, addresses with a title, and repetitions of these. */
export function findNames(conversation: Conversation): Finding[] {
  const { tokens, turns } = conversation;
  const agents = agentsOf(conversation);
  const found = turns.flatMap((turn, index) => [
    ...introduced(conversation, turn),
    ...answered(conversation, index),
    ...titled(tokens, turn),
    ...patronymics(tokens, turn),
  ]);
  found.push(...findNameRuns(conversation, { agents }));
  return [...found, ...saidAgain(tokens, found)].map((place) => ({ kind: 'name' as const, ...place }));
}

/** Names that agents call themselves: "this is Sarah", "mein Name ist …". */
function agentsOf({ tokens, turns }: Conversation): ReadonlySet<string> {
  const own = turns.filter(({ role }) => role === 'agent');
  const names = own.flatMap((turn) => introductions(tokens, turn).flatMap(({ place }) => (place ? [place] : [])));
  // Whoever takes a call begins with the company and their name: "Castlegate Homes repairs, Steve."
  const greeting = turns[0]?.role === 'agent' ? tokens.slice(turns[0].from, turns[0].to) : [];
  const greeted = greeting.map(({ word }) => word).filter((word) => GIVEN.has(word));
  return new Set([...greeted, ...names.flatMap(({ from, to }) => tokens.slice(from, to).map(({ word }) => word))]);
}

/** "Grüß Gott, Hinterseer": German callers begin with their surname. */
const WITH_GREETINGS = [
  ...FIRST_WORDS,
  ...['gruss gott', 'guten tag', 'guten morgen', 'guten abend', 'gruezi', 'moin', 'moin moin'].map((phrase) =>
    phrase.split(' '),
  ),
];
const earlyTokens = 40;

type Introduction = { phrase: readonly string[]; at: number; place: TokenRange | null };

function introductions(tokens: readonly Token[], turn: Turn): Introduction[] {
  const found: Introduction[] = [];
  for (let at = turn.from; at < turn.to; at += 1) {
    const phrases = turn.role === 'agent' || turn.from > earlyTokens ? FIRST_WORDS : WITH_GREETINGS;
    const phrase = phrases.find((words) => words.every((word, offset) => tokens[at + offset]?.word === word));
    if (phrase) found.push({ phrase, at, place: nameAt(tokens, at + phrase.length, turn) });
  }
  return found;
}

const nameWordsMax = 4;

/** "My name is Rosalind Pettifer", "soy Begoña Arizmendi": not what an agent says of themselves. */
function introduced({ tokens, leads, turns }: Conversation, turn: Turn): TokenRange[] {
  if (turn.role === 'agent') return [];
  const places: TokenRange[] = [];
  for (const introduction of introductions(tokens, turn)) {
    const { phrase, at } = introduction;
    const isShort = phrase.length === 1 && turns[0] !== turn && at > turn.from + 3;
    const place = isShort ? null : introduction.place;
    if (place && isWeak(phrase) && tokens.slice(place.from, place.to).some(({ word }) => DESCRIBES.test(word)))
      continue;
    if (place && !leads.some(({ topic, from }) => topic !== 'name' && from >= place.from && from < place.to))
      places.push(place);
  }
  return places;
}

/** After these comes a name, or anything else: "this is ridiculous". */
function isWeak(phrase: readonly string[]): boolean {
  return ['this is', 'soy', 'hier ist', 'habla', 'i am', "i'm"].includes(phrase.join(' '));
}

const DESCRIBES =
  /(?:ous|ously|able|ible|ably|ally|tely|ful|less|ing|ed|isch|lich|ich|ado|ada|ante|mente|oso|osa|ible)$/;

const answerOffsetMax = 3;
const leadWithinTokens = 40;

/** What begins the answer to who asks for a name, or takes somebody's details down. */
function answered(conversation: Conversation, index: number): TokenRange[] {
  const { tokens, turns, leads } = conversation;
  const [asking, turn] = [turns[index - 1], turns[index]];
  if (!asking || !turn || turn.role === 'agent') return [];
  const isNamed = leads.some(
    (lead) =>
      lead.topic === 'name' &&
      lead.from >= Math.max(asking.from, asking.to - leadWithinTokens) &&
      lead.to <= asking.to &&
      isOfPerson(tokens, lead) &&
      isAsked(tokens, lead, asking),
  );
  const isRegistered = tokens.slice(asking.from, asking.to).some(({ word }) => REGISTERS.test(word));
  if (!isNamed && !isRegistered) return [];
  let at = turn.from;
  while (at < turn.to && SMALL_TALK.has(tokens[at]?.word ?? '') && at - turn.from < answerOffsetMax) {
    if (NO_OPENINGS.has(tokens[at]?.word ?? '')) return [];
    at += 1;
  }
  const place = nameAt(tokens, at, turn);
  const spelled = isNamed ? spelledIn(conversation, turn) : [];
  return place && (isNamed || place.to - place.from >= 2) ? [place, ...spelled] : spelled;
}

const lettersSpelledMin = 4;

/** "Z-U-B-I-Z-A-R-R-E-T-A". */
function spelledIn({ chains }: Conversation, turn: Turn): TokenRange[] {
  return chains
    .filter((chain) => chain.from >= turn.from && chain.to <= turn.to)
    .filter(({ text, pieces }) => pieces.length >= lettersSpelledMin && !/\d/.test(text))
    .map(({ wideFrom, to }) => ({ from: wideFrom, to }));
}

const ASKED = new Set(
  "your you who who's whom which caller's ihr ihre ihren ihrem sie wem wer wie su usted quien tu ваш ваша ваше вас вам как кем фио представьтесь full first last surname nachname nachnamen vorname vornamen apellido apellidos фамилия please bitte favor пожалуйста"
    .split(' ')
    .map(plainWord),
);
const THINGS =
  /^(?:company|business|firm|product|model|brand|bank|street|file|user|username|domain|network|shop|store|firma|firmen.*|produkt|benutzer.*|strasse|empresa|producto|calle|usuario|marca|компани.*|фирм.*|улиц.*|товар.*|пользовател.*)$/u;
const aroundTokens = 4;

/** Not "what is the company name", and not who tells their own. */
function isOfPerson(tokens: readonly Token[], { from, to }: TokenRange): boolean {
  const words = tokens.slice(Math.max(0, from - aroundTokens), to + aroundTokens).map(({ word }) => word);
  const isOwn = tokens.slice(from, to).some(({ word }) => OWN_NAME.has(word));
  return !isOwn && words.some((word) => ASKED.has(word)) && !words.some((word) => THINGS.test(word));
}

const OWN_NAME = new Set(['my', 'mein', 'ich', 'llamo', 'mi', 'меня', 'мое', 'моя']);
/** An answer that begins so is a sentence, and no name. */
const NO_OPENINGS = new Set(
  "i i'm i'd i'll i've you we the a my your ich der die das ein eine mein yo el la un una mi mis я мы мне у"
    .split(' ')
    .map(plainWord),
);

const REGISTERS =
  /^(?:register|sign|signing|leg|lege|anlegen|anmelden|anmeldung|alta|registro|inscribo|заведу|оформлю|оформляю|зарегистр.*|запишу|записываю|запишем)$/u;

/** "Herr Yıldırım", "missus Abernathy": how an agent addresses or speaks of a customer. */
function titled(tokens: readonly Token[], turn: Turn): TokenRange[] {
  if (turn.role !== 'agent') return [];
  const places: TokenRange[] = [];
  for (let at = turn.from; at < turn.to; at += 1) {
    if (!TITLES.has(tokens[at]?.word ?? '')) continue;
    const isOwn = tokens.slice(Math.max(turn.from, at - 4), at).some(({ word }) => OWN.has(word));
    const place = isOwn ? null : nameAt(tokens, at + 1, turn);
    if (place) places.push({ from: place.from, to: Math.min(place.to, place.from + 2) });
  }
  return places;
}

const PATRONYMIC = /^\p{L}{3,}(?:ович|евич|ьич|овна|евна|ична|инична)$/u;

/** "Рустам Ильдарович": a first name before the father's, where it is not the agent's own. */
function patronymics(tokens: readonly Token[], turn: Turn): TokenRange[] {
  const places: TokenRange[] = [];
  for (let at = turn.from + 1; at < turn.to; at += 1) {
    if (!PATRONYMIC.test(tokens[at]?.word ?? '')) continue;
    const isOwn = tokens.slice(Math.max(turn.from, at - 5), at).some(({ word }) => OWN.has(word));
    const isName = isNameWord(tokens, at - 1, at - 1);
    if (!isName || (turn.role === 'agent' && isOwn)) continue;
    const isSurname = at - 2 >= turn.from && /(?:ов|ев|ин|ова|ева|ина|ская|скии|ко)$/u.test(tokens[at - 2]?.word ?? '');
    places.push({ from: isSurname ? at - 2 : at - 1, to: at + 1 });
  }
  return places;
}

const OWN = new Set(
  'hier here name my mein ich meine kollegin kollege kollegen me llamo soy мое зовут меня colleague compañero companera'
    .split(' ')
    .map(plainWord),
);

/** Words of a name from here on, with the letters that it is spelled by. */
function nameAt(tokens: readonly Token[], from: number, turn: Turn): TokenRange | null {
  let start = from;
  while (TITLES.has(tokens[start]?.word ?? '')) start += 1;
  let to = start;
  while (to < turn.to && to - start < nameWordsMax && isNameWord(tokens, to, start)) to += 1;
  if (to === start) return null;
  return { from: start, to: spelledEnd(tokens, to, turn) };
}

function isNameWord(tokens: readonly Token[], at: number, start: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token?.kind !== 'word' || token.word.length < 2) return false;
  if (at > start && (token.segment !== before?.segment || /[.,;:?!]/.test(token.gap))) return false;
  if (at > start && PARTICLES.has(token.word)) return isNameWord(tokens, at + 1, start);
  return !SMALL_TALK.has(token.word) && !NO_NAME_WORDS.has(token.word) && !/(?:ing|tion|ción|ung)$/.test(token.word);
}

const PARTICLES = new Set(['van', 'von', 'de', 'del', 'la', 'di', 'da', 'zu', 'el', 'al', 'mac', 'mc', 'y']);
const lettersMin = 4;
const namesMax = 40;

/** The words of a name wherever they are said; capitalised where they were. */
function saidAgain(tokens: readonly Token[], found: readonly TokenRange[]): TokenRange[] {
  const words = new Set(
    found
      .slice(0, namesMax)
      .flatMap(({ from, to }) => tokens.slice(from, to).map(({ word }) => word))
      .filter((word) => word.length >= lettersMin && !SMALL_TALK.has(word)),
  );
  if (words.size === 0) return [];
  return tokens.flatMap(({ word }, at) => (words.has(word.replace(/'s$/, '')) ? [{ from: at, to: at + 1 }] : []));
}
