import type { Conversation } from '../conversation.ts';
import { findRequests } from '../requests.ts';
import { SMALL_TALK } from '../small-talk.ts';
import { plainWord, type Token, type TokenRange } from '../tokens.ts';
import { turnAt, type Turn } from '../turns.ts';
import { GIVEN, GIVEN_OR_WORD, SURNAME_ENDS, SURNAMES } from './given-names.ts';
import { spelledEnd } from './name-spelling.ts';
import { NO_NAME_WORDS, TITLES } from './name-words.ts';

type Reading = { conversation: Conversation; asked: ReadonlySet<number>; agents: ReadonlySet<string> };
/** How likely a word is a name: a first name, a surname, or a word that may be either next to one. */
type Part = 'given' | 'surname' | 'maybe' | null;

/**
 * Names by their words: known first names and surnames, capitalized words next to them, and answers to a request for a
 * name. The context decides whose name it is: those of agents, pets and streets stay.
 */
export function findNameRuns(conversation: Conversation, { agents }: { agents: ReadonlySet<string> }): TokenRange[] {
  const { tokens, turns } = conversation;
  const reading = { conversation, agents, asked: turnsAsked(conversation) };
  const found: TokenRange[] = [];
  for (const [index, turn] of turns.entries()) {
    for (let at = turn.from; at < turn.to; at += 1) {
      const run = runAt(reading, at, { turn, isAsked: reading.asked.has(index) });
      if (!run) continue;
      const isTaken = scoreOf(reading, run, { turn, isAsked: reading.asked.has(index) }) >= takenFrom;
      if (isTaken) found.push({ from: run.from, to: spelledEnd(tokens, run.to, turn) });
      at = Math.max(at, run.to - 1);
    }
  }
  return found;
}

/** Indices of the turns that answer who asks for a name. */
function turnsAsked(conversation: Conversation): ReadonlySet<number> {
  const requests = findRequests(conversation, ({ topic }) => topic === 'name');
  return new Set(
    requests
      .filter(({ isSure, isOfCustomer }) => isSure && !isOfCustomer)
      .flatMap(({ answers }) => answers.slice(0, answersMax).map(({ from }) => turnAt(conversation.turns, from))),
  );
}

const answersMax = 2;
const takenFrom = 2;
const partsMax = 6;
const tokensMax = 16;

type Run = TokenRange & { given: number; surnames: number; parts: number };
type Said = { turn: Turn; isAsked: boolean };

/** The longest row of words of a name that begins here. */
function runAt({ conversation }: Reading, from: number, { turn, isAsked }: Said): Run | null {
  const { tokens } = conversation;
  const run: Run = { from, to: from, given: 0, surnames: 0, parts: 0 };
  for (let at = from; at < Math.min(turn.to, from + tokensMax) && run.parts < partsMax; at += 1) {
    if (at > from && !isJoined(tokens, at)) break;
    if (run.parts > 0 && PARTICLES.has(tokens[at]?.word ?? '') && partAt(conversation, at + 1, true) !== null) continue;
    const part =
      partAt(conversation, at, isAsked || run.given > 0) ??
      (isAsked && run.given > 0 && isUnknown(conversation, at) ? 'maybe' : null);
    if (part === null) break;
    if (
      part === 'maybe' &&
      run.parts === 0 &&
      !isAsked &&
      !isNamePart(conversation, at + 1, /^\p{L}$/u.test(tokens[at]?.word ?? ''))
    )
      break;
    run.parts += part === 'maybe' && isUnknown(conversation, at) && partAt(conversation, at, true) === null ? 0 : 1;
    if (part === 'given') run.given += 1;
    if (part === 'surname') run.surnames += 1;
    run.to = at + 1;
  }
  return run.given + run.surnames === 0 ? null : run;
}

/** A word that no list has, behind a first name that was asked for. */
function isUnknown({ tokens, leads }: Conversation, at: number): boolean {
  const { kind, word = '' } = tokens[at] ?? {};
  const isOther = leads.some((lead) => lead.topic !== 'name' && lead.from <= at && at < lead.to);
  return kind === 'word' && word.length >= surnameLettersMin && !isNoName(word) && !isOther;
}

function isNamePart(conversation: Conversation, at: number, isBeside: boolean): boolean {
  const part = partAt(conversation, at, isBeside);
  return part === 'given' || part === 'surname';
}

const PARTICLES = new Set([
  'van',
  'von',
  'de',
  'del',
  'la',
  'der',
  'den',
  'ni',
  'mac',
  'mc',
  'o',
  'al',
  'el',
  'ben',
  'da',
  'di',
  'dos',
  'das',
  'y',
  'zu',
  'los',
]);
const surnameLettersMin = 4;

function partAt({ tokens, texts, leads }: Conversation, at: number, isBeside: boolean): Part {
  const token = tokens[at];
  if (token?.kind !== 'word') return null;
  const raw = texts[token.segment]?.slice(token.from, token.to) ?? '';
  const isCapital = /^\p{Lu}/u.test(raw);
  const isCased = isCapital && !isSentenceStart(tokens, at);
  if (/^\p{L}$/u.test(token.word)) {
    const next = tokens[at + 1]?.word ?? '';
    if (isBeside && GIVEN.has(next) && next.startsWith(token.word)) return 'maybe';
    return isCapital && /^\.\s?/.test(tokens[at + 1]?.gap ?? '') ? 'maybe' : null;
  }
  const word = token.word.replace(/'s$/, '');
  if (isGiven(word)) return 'given';
  if (GIVEN_OR_WORD.has(word))
    return isCased || (isBeside && (isCapital || isGiven(tokens[at - 1]?.word ?? ''))) ? 'given' : null;
  if (isNoName(word) || leads.some((lead) => lead.topic !== 'name' && lead.from <= at && at < lead.to)) return null;
  if (SURNAMES.has(word)) return isBeside || isCased ? 'surname' : 'maybe';
  if (word.length >= surnameLettersMin && SURNAME_ENDS.test(word) && (isBeside || isCased)) return 'surname';
  const isWritten = isCapital && raw !== raw.toUpperCase() && raw.length > 2;
  return isWritten && (isBeside || isCased) ? 'maybe' : null;
}

/** Also in the cases of Russian: "на елисея", "с айгерим". */
function isGiven(word: string): boolean {
  if (GIVEN.has(word)) return true;
  if (!/^[а-я]{4,}$/u.test(word)) return false;
  const stem = word.replace(/(?:ем|ом|ой|ей|ою|[аяуюеиы])$/u, '');
  return stem !== word && [stem, `${stem}и`, `${stem}а`, `${stem}я`].some((name) => name.length > 3 && GIVEN.has(name));
}

function isNoName(word: string): boolean {
  return (
    SMALL_TALK.has(word) ||
    NO_NAME_WORDS.has(word) ||
    TITLES.has(word) ||
    /(?:ing|tion|ción|cion|ung|keit|heit|mente)$/.test(word)
  );
}

function isSentenceStart(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  return !before || before.segment !== token?.segment || /[.?!:…«"]/.test(token.gap);
}

function isJoined(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!token || before?.segment !== token.segment) return false;
  return /^[\s\p{Pd}]*$/u.test(token.gap) || (/^\.\s?$/.test(token.gap) && (before?.word.length ?? 9) <= 2);
}

function scoreOf({ conversation, agents }: Reading, run: Run, { turn, isAsked }: Said): number {
  const { tokens } = conversation;
  const before = tokens.slice(Math.max(turn.from, run.from - 4), run.from).map(({ word }) => word);
  const [last, next] = [before.at(-1) ?? '', tokens[run.to]?.word ?? ''];
  const words = tokens.slice(run.from, run.to).map(({ word }) => word);
  const near = (list: ReadonlySet<string>): boolean => before.some((word) => list.has(word));
  let score = 0;
  if (isAsked && turn.role !== 'agent') score += run.given > 0 ? 2 : 1;
  if (run.parts >= 2 && run.given > 0) score += 2;
  else if (run.parts >= 2) score += 1;
  if (run.given > 0 && (NAMES_NEXT.has(last) || (turn.role === 'agent' && INTRODUCES.has(last)))) score += 1;
  if (INTRODUCES.has(last) || INTRODUCES.has(before.at(-2) ?? '')) score += 1;
  if (near(KIN)) score += 2;
  if (TITLES.has(last)) score += turn.role === 'agent' ? 2 : 0;
  if (turn.role === 'agent' && (near(ADDRESSES) || /[,]/.test(tokens[run.from]?.gap ?? ''))) score += 2;
  if (turn.role === 'agent' && near(OWN)) score -= 6;
  if (turn.role !== 'agent' && near(GREETS)) score -= 3;
  if (words.some((word) => agents.has(word))) score -= 6;
  if (tokens.slice(Math.max(turn.from, run.from - petTokens), run.from).some(({ word }) => PETS.has(word))) score -= 4;
  if (near(NOT_PERSONS) || NOT_PERSONS.has(next)) score -= 5;
  return score;
}

const petTokens = 14;
const PETS = set(
  'dog puppy cat kitten horse pony hamster rabbit parrot hund hündin katze kater pferd welpe hase perro perra gato gata caballo loro conejo собака собаку пес пса кот кота кошка кошку лошадь попугай хомяк щенок',
);

const INTRODUCES = set(
  "is are it's i'm for name named called am to from und bin heiße heisst heißt ist both surname nachname beide apellido auf ein eintragen trage für der die das an ein soy es para con llama llamo llaman nombre de a quedó зовут это на для имя фамилия запишите запиши я меня мне",
);
/** Nothing but a name is likely behind these. */
const NAMES_NEXT = set(
  "i'm named called heiße heisse heisst heißt soy llamo llama llaman зовут запишите запиши имя фамилия",
);
const KIN = set(
  'husband wife son daughter mother mum mom father dad brother sister partner nan gran grandma grandad grandson granddaughter aunt uncle cousin fiance fiancee neighbour neighbor friend flatmate kid boy girl baby passenger guest patient tenant husbands wifes ' +
    'mann frau sohn tochter mutter vater bruder schwester oma opa mama papa enkel enkelin tante onkel nachbar nachbarin freund freundin kind kinder baby schwiegermutter lebensgefährte partnerin verlobte gast mieter mieterin ' +
    'marido esposo esposa mujer hijo hija madre padre mamá papá hermano hermana abuela abuelo nieto nieta tía tío suegra suegro pareja vecino vecina niño niña nena nene bebé cuñado cuñada novia novio huésped inquilino ' +
    'муж мужа жена жену жены сын сына дочь дочка дочку дочки мама маму мамы папа папы отец отца мать брат брата сестра сестру бабушка бабушку дедушка внук внука внучка внучку тетя дядя теща свекровь сосед соседка ребенок ребенка',
);
const ADDRESSES = set(
  'thanks thank you lovely okay right sorry hello hi good perfect great danke vielen gut hallo grüß gracias perfecto muy bien listo vale hola disculpe спасибо хорошо здравствуйте извините добрый так записала записал записываю',
);
const GREETS = set(
  'thanks thank hi hello hey cheers bye danke hallo tschüss gracias hola adiós спасибо здравствуйте привет ask asked spoke speak speaking told erzählt gesprochen sprach hablé habló dijo говорил говорила сказал сказала',
);
const OWN = set(
  'my name am speaking here mein bin heisse hier spricht kollegin kollege kollegen llamo soy habla atiende saluda compañero compañera меня мое зовут оператор слушает colleague colleagues supervisor manager team доктор doctor dr doktor chef chefin менеджер мастер специалист',
);
const NOT_PERSONS = set(
  'street road avenue lane close court park bridge station school church hospital university college bank hotel dog cat puppy horse pet rabbit hamster ship boat model brand company ltd inc plc store shop cafe pub restaurant ' +
    'strasse straße str platz allee weg gasse kirche schule klinik apotheke firma gmbh hund katze kater pferd hase modell marke bäckerei ' +
    'calle avenida plaza paseo colegio hospital perro perra gato gata caballo banco tienda clínica restaurante barrio parque edificio colonia santa san ' +
    'колонку колонка колонке станция alexa siri speaker улица улице улицы проспект переулок площадь метро станция школа больница собака собаку кот кота кошка кошку лошадь компания магазин санаторий набережная бульвар микрорайон поселок',
);

function set(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').filter(Boolean).map(plainWord));
}
