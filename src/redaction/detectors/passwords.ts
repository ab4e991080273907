import { secretOf } from '../answers.ts';
import { chainAt } from '../chains.ts';
import type { Conversation } from '../conversation.ts';
import type { Lead } from '../lead.ts';
import { numberWord } from '../number-words.ts';
import { findRequests } from '../requests.ts';
import { SMALL_TALK } from '../small-talk.ts';
import type { Finding } from '../spans.ts';
import { plainWord, type Token, type TokenRange } from '../tokens.ts';
import { findTyped } from './typed-passwords.ts';
import type { Turn } from '../turns.ts';

/** Passwords that are said next to the word, or in answer to a request, and their repetitions. */
export function findPasswords(conversation: Conversation): Finding[] {
  const told = conversation.leads.flatMap((lead) => {
    const place = lead.topic === 'password' ? valueNextTo(conversation, lead) : null;
    return place ? [place] : [];
  });
  const asked = findRequests(conversation, ({ topic }) => topic === 'password').filter(
    ({ isSure, isOfCustomer }) => isSure && !isOfCustomer,
  );
  const answered = asked.flatMap(({ answers, isYesOrNo }) => {
    const places = answers
      .slice(0, answersMax)
      .flatMap((turn) => secretOf(conversation.tokens, isYesOrNo ? afterLink(conversation, turn) : turn) ?? []);
    return places.slice(0, 1);
  });
  const found = [...told, ...answered, ...findTyped(conversation)];
  return [...found, ...saidAgain(conversation, found)].map((place) => ({
    kind: 'password' as const,
    ...withCase(conversation.tokens, place),
  }));
}

/** Words are less certain than digits to be what was asked for. */
const answersMax = 2;

const CASES = set(
  'capital capitals upper lower case uppercase lowercase big small grosses großes kleines gross groß klein großer kleiner mayúscula minúscula mayúsculas minúsculas большая маленькая заглавная строчная большое большой маленькой',
);

/** "Großes k, kleines r …": with how its first letter is written. */
function withCase(tokens: readonly Token[], { from, to }: TokenRange): TokenRange {
  let start = from;
  while (CASES.has(tokens[start - 1]?.word ?? '') && tokens[start - 1]?.segment === tokens[from]?.segment) start -= 1;
  return { from: start, to };
}

/** "Yes, it's bluebell": what is said behind the yes; nothing where no "is" follows. */
function afterLink({ tokens }: Conversation, { from, to, ...turn }: Turn): Turn {
  const link = tokens.findIndex(({ word }, at) => at >= from && at < to && ANSWER_LINKS.has(word));
  return { ...turn, from: link < 0 ? to : link + 1, to };
}

const ANSWER_LINKS = set("it's is that's lautet ist es era это");

const valueTokensMax = 8;
const LINKS = set(
  "is was used nennt goes says sagt lautet ist war heisst es era это be being as being called s the's sería sea puse pone будет был было стоит",
);
const FILLERS = set(
  "to be uh um er erm it so äh ähm eh э эм capital lowercase uppercase all just maybe i think it's that's called actually probably still das halt glaub ich glaube nämlich also immer wohl einfach el la los un una creo que siempre pues ну вроде кажется такой такое просто",
);
const ENDS = set(
  'and but so please thanks thank for or because which that if i it right does is just same und aber bitte danke oder weil ja wenn das alles y pero por porque gracias o me con lo si vale todo и а но или спасибо пожалуйста я он она если это верно все с',
);
/** After these no password follows. */
const NOT_VALUES = set(
  'not wrong incorrect expired required reset going the a an too case sensitive at being invalid still no protected what something in on never only just now also very important locked blocked changed my your our their correct right fine okay ok good working set about to case-sensitive unknown there here how why when where who can could will would should must may might has have had does do did and or but if then than by for with from is was are be been same old new long short safe secure weak strong stored saved different empty missing necessary needed valid up out off until twelve eight ' +
    'nicht falsch abgelaufen gesperrt ungültig noch der die das ein eine mein ihr zu jetzt richtig korrekt sehr wichtig erforderlich nötig weg neu alt lang sicher unsicher leer zurückgesetzt geändert und oder nur in im auf mit bei für auch wieder dann schon mindestens immer falsche hinterlegt bekannt gleich nie kein keine ' +
    'no incorrecta incorrecto caducada inválida muy la el una mi su correcta necesaria importante obligatoria mal bloqueada obligatorio válida válido larga corta segura de del para por en con demasiado distinta diferente nueva antigua lo que y o ya errónea ' +
    'не неверный неправильный истек устарел нужен очень мой ваш правильный верный заблокирован важен обязателен нет надо можно должен должно действителен в на и или для от по к у был сброшен уже слишком короткий длинный старый новый простой чтобы который скажите назовите продиктуйте пожалуйста введите почты кабинета личного портала приложения сайта банка',
);
const AFTER_LEAD = set(
  'for to on of in at für vom von zum am im bei para de del en от для на в к по i you we they und',
);
const BEFORE_COLON = 6;

/** "My password is bluebird seven", "password: hunter2", "the code word for the pickup is pineapple". */
function valueNextTo(conversation: Conversation, lead: Lead): TokenRange | null {
  const { tokens } = conversation;
  const written = writtenAt(tokens, lead.to);
  if (written) return written;
  const linked = linkedFrom(tokens, lead);
  const at = linked ?? lead.to;
  const first = tokens[at];
  if (!first || first.kind === 'placeholder' || (linked === null && first.segment !== tokens[lead.to - 1]?.segment))
    return null;
  if (linked === null) {
    const place = codeAt(conversation, skipFillers(tokens, at));
    return place ? { from: at, to: place.to } : russianValue(tokens, lead);
  }
  if (isNoValue(first)) return null;
  const to = Math.max(valueEnd(tokens, at), codeAt(conversation, at)?.to ?? 0);
  return to > at ? { from: at, to } : null;
}

/** "Passwort Riesling_trocken_09", "pw = Tr0ub4dor!": letters, figures and signs in one, right behind the name. */
function writtenAt(tokens: readonly Token[], at: number): TokenRange | null {
  const first = tokens[at];
  if (!first || first.kind === 'placeholder' || !/^\s?[:=]?\s?["'«„“]?$/.test(first.gap)) return null;
  const to = valueEndTight(tokens, at);
  const isComposed = to > at + 1 && tokens.slice(at, to).some(({ kind }) => kind === 'digits');
  return isComposed && first.segment === tokens[at - 1]?.segment && first.kind === 'word' ? { from: at, to } : null;
}

/** Where the value begins after "is", or after a colon; null where neither follows. */
function linkedFrom(tokens: readonly Token[], lead: Lead): number | null {
  const { segment } = tokens[lead.to - 1] ?? {};
  for (let at = lead.to; at < lead.to + BEFORE_COLON; at += 1) {
    const token = tokens[at];
    if (!token || token.segment !== segment || token.kind === 'placeholder') return null;
    if (/[:=]|\s[\u2013\u2014]\s/.test(token.gap)) return skipFillers(tokens, at);
    if (isSentenceEnd(token)) return commaLinked(tokens, lead, at);
    if (LINKS.has(token.word)) {
      const isPhrase = at === lead.to || AFTER_LEAD.has(tokens[lead.to]?.word ?? '');
      return isPhrase && !isSentenceEnd(tokens[at + 1]) ? skipFillers(tokens, at + 1) : null;
    }
  }
  return null;
}

/** "Ein Einmalpasswort, nämlich: …" goes on to its colon; anything else ends with the clause. */
function commaLinked(tokens: readonly Token[], lead: Lead, from: number): number | null {
  for (let at = from; at < lead.to + BEFORE_COLON; at += 1) if (/:\s/.test(tokens[at]?.gap ?? '')) return at;
  return null;
}

function skipFillers(tokens: readonly Token[], from: number): number {
  let at = from;
  while (FILLERS.has(tokens[at]?.word ?? '') && tokens[at + 1]?.segment === tokens[at]?.segment) at += 1;
  return at;
}

const RUSSIAN_VERBS =
  /(?:ся|сь|ыла?|ыли|ть|ти|ет|ат|ят|ют|ут|ал|ал[аио]|ил|ил[аио]|ел|ел[аио]|ен|ен[аоы]|ем|им|ишь|ешь|ое|ого|ому|ой|ые|ыи|ии|ая)$/u;
const valueWordsMax = 3;

/** Russian has no "is": "пароль спартак чемпион". Not "пароль подходит", "пароль от почты". */
function russianValue(tokens: readonly Token[], lead: Lead): TokenRange | null {
  const name = tokens[lead.to - 1];
  if (!/^(?:пароль|слово|фраза|кличка)$/u.test(name?.word ?? '')) return null;
  // "Пароль от вайфая снежинка".
  const from = /^(?:от|для|к)$/u.test(tokens[lead.to]?.word ?? '') ? lead.to + 2 : lead.to;
  let to = from;
  while (to - from < valueWordsMax && isRussianValue(tokens[to], name)) to += 1;
  return to > from ? { from, to } : null;
}

function isRussianValue(token: Token | undefined, name: Token | undefined): boolean {
  if (token?.kind !== 'word' || token.segment !== name?.segment || isSentenceEnd(token)) return false;
  const isWord = token.word.length > 2 && !NOT_VALUES.has(token.word) && !SMALL_TALK.has(token.word);
  return isWord && !ENDS.has(token.word) && !RUSSIAN_VERBS.test(token.word);
}

/** Letters and figures in one, or figures alone: no ordinary word. */
function codeAt({ tokens, chains }: Conversation, at: number): TokenRange | null {
  const token = tokens[at];
  if (!token || isSentenceEnd(token)) return null;
  const chain = chainAt(chains, at);
  if (chain && chain.from === at && (/\d/.test(chain.text) || chain.pieces.length >= lettersMin)) {
    return { from: at, to: Math.max(chain.to, valueEndTight(tokens, at)) };
  }
  const to = valueEndTight(tokens, at);
  return to > at + 1 && tokens.slice(at, to).some(({ kind }) => kind === 'digits') ? { from: at, to } : null;
}

const lettersMin = 4;

/** What is written together, whatever signs stand in it. */
function valueEndTight(tokens: readonly Token[], from: number): number {
  let to = from + 1;
  while (tokens[to]?.segment === tokens[from]?.segment && /^[^\s,;]?$/u.test(tokens[to]?.gap ?? ' ')) to += 1;
  return to;
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
  return token !== undefined && /[,;.?!]["'»“”]?\s/.test(token.gap);
}

const againWithinTokens = 60;
const lettersOfWordMin = 5;
const secretsMax = 20;

/** "Pineapple, is that right?": the words of a password that are said again by whoever hears it. */
function saidAgain({ tokens, turns }: Conversation, found: readonly TokenRange[]): TokenRange[] {
  return found.slice(0, secretsMax).flatMap(({ from, to }) => {
    const secret = new Set(
      tokens
        .slice(from, to)
        .filter(
          ({ kind, word }) =>
            kind === 'word' && word.length >= lettersOfWordMin && !SMALL_TALK.has(word) && !numberWord(word),
        )
        .map(({ word }) => word),
    );
    const turn = turns.find((each) => each.from <= from && from < each.to);
    const places: TokenRange[] = [];
    for (
      let at = Math.max(0, from - againWithinTokens);
      at < Math.min(tokens.length, to + againWithinTokens);
      at += 1
    ) {
      if (at >= (turn?.from ?? 0) && at < (turn?.to ?? 0)) continue;
      if (secret.has(tokens[at]?.word ?? '')) places.push({ from: at, to: at + 1 });
    }
    return places;
  });
}

function set(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(plainWord));
}
