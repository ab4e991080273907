import { chainAt } from '../chains.ts';
import { isQuantity, type Conversation } from '../conversation.ts';
import { findRequests } from '../requests.ts';
import { SMALL_TALK } from '../small-talk.ts';
import { plainWord, type Token, type TokenRange } from '../tokens.ts';
import { turnAt, type Turn } from '../turns.ts';
import { PARTS, SMALL, STREET_ENDS, STREETS } from './address-words.ts';

const numbersApartMax = 6;
const wordsBeforeMax = 4;

/**
 * What is answered to who asks for an address: the words before its first number, and everything up to the last one or the
 * last word for a part of a house. No street has to be named as one, and no postcode: "olmos catorce, segundo izquierda".
 */
export function findAnsweredAddresses(conversation: Conversation): TokenRange[] {
  const { tokens, turns } = conversation;
  const requests = findRequests(conversation, ({ topic }) => topic === 'address');
  const answered = requests.flatMap(({ lead, answers, isSure }) => {
    const asking = turns[turnAt(turns, lead.from)];
    if (!isSure || asking?.role === 'customer' || isOfMachine(tokens, lead)) return [];
    for (const turn of answers.slice(0, answersMax)) {
      const places = turn.role === 'agent' ? [] : clustersIn(conversation, turn);
      if (places.length > 0) return places;
    }
    return [];
  });
  return [...answered, ...told(conversation)];
}

const LIVES =
  /^(?:live|lives|living|moved|wohne|wohnen|wohnt|umgezogen|vivo|vivimos|vive|mude|mudamos|живу|живем|проживаю|прописан|прописана|прописаны|переехал|переехала|переехали)$/u;
const toldWithinTokens = 8;

/** "Y yo ahora vivo en …": the first number after it, with the name before. */
function told(conversation: Conversation): TokenRange[] {
  const { tokens, turns } = conversation;
  return turns.flatMap((turn) => {
    if (turn.role === 'agent') return [];
    return tokens.slice(turn.from, turn.to).flatMap(({ word }, index) => {
      if (!LIVES.test(word)) return [];
      const from = turn.from + index + 1;
      const first = clustersIn(conversation, { ...turn, from })[0];
      return first && first.from - from <= toldWithinTokens && first.to - first.from >= 3 ? [first] : [];
    });
  });
}

const answersMax = 2;
const nearTokens = 5;
const MACHINES =
  /^(?:email.*|e-?mail.*|mail.*|server.*|ip|web|website|url|link|router|correo|servidor|pagina|серве.*|почт.*|сайт.*|айпи|mac|name|namen|nombre)$/u;

/** "The address of the server", "your e-mail address". */
function isOfMachine(tokens: readonly Token[], { from, to }: TokenRange): boolean {
  return tokens.slice(Math.max(0, from - nearTokens), to + nearTokens).some(({ word }) => MACHINES.test(word));
}

function clustersIn(conversation: Conversation, turn: Turn): TokenRange[] {
  const groups = conversation.runs
    .filter((run) => run.from >= turn.from && run.to <= turn.to)
    .filter((run) => !isQuantity(conversation, run) && !isOtherNumber(conversation, run))
    .filter(({ digits, groups }) => groups.length > 1 || !/^20[0-3]\d$/.test(digits))
    .filter(
      (run) =>
        !conversation.leads.some(
          (lead) => OTHER_TOPICS.has(lead.topic) && lead.to <= run.from && run.from - lead.to <= 2,
        ),
    );
  const clusters: TokenRange[] = [];
  for (const { from, to } of groups) {
    const last = clusters.at(-1);
    if (last && from - last.to <= numbersApartMax && isOneSentence(conversation.tokens, last.to, from)) last.to = to;
    else clusters.push({ from, to });
  }
  return clusters.flatMap((cluster, index) => {
    const [from, to] = [startOf(conversation, cluster, turn), endOf(conversation, cluster, turn)];
    const words = conversation.tokens.slice(from, to);
    const hasPart = words.some(({ word }) => PARTS.has(word) || isStreet(word));
    const hasName = hasPart || (index === 0 && words.some(isWord));
    const isPostcode = postcodeDigits.test(digitsIn(conversation, cluster));
    return hasName || isPostcode ? [{ from, to }] : [];
  });
}

const IN_ADDRESSES =
  /^(?:post.*|plz|zip|индекс.*|postal|codigo|room|floor|etage|zimmer|wagen|gate|puerta|parcela|участок|этаж.*|место|unit|lot|lote|building|section|block|блок)$/u;

/** "Error 403", "article number …": said right before, and no part of an address. */
export function isOtherNumber({ leads, tokens }: Conversation, run: TokenRange): boolean {
  return leads.some(
    ({ topic, from, to }) =>
      topic === 'other' &&
      to <= run.from &&
      run.from - to <= otherWithinTokens &&
      !tokens.slice(from, to).some(({ word }) => IN_ADDRESSES.test(word)),
  );
}

const otherWithinTokens = 3;
const OTHER_TOPICS: ReadonlySet<string> = new Set([
  'phone',
  'card',
  'code',
  'pin',
  'account',
  'iban',
  'id',
  'birth',
  'expiry',
  'password',
]);
const postcodeDigits = /^\d{4,6}$/;

function digitsIn({ runs }: Conversation, { from, to }: TokenRange): string {
  return runs
    .filter((run) => run.from >= from && run.to <= to)
    .map(({ digits }) => digits)
    .join('');
}

/** Up to four words of the name before the first number, and what is joined to them. */
function startOf({ tokens, chains }: Conversation, { from }: TokenRange, turn: Turn): number {
  let start = Math.max(turn.from, chainAt(chains, from)?.from ?? from);
  let words = 0;
  for (let at = start - 1; at >= turn.from && words <= wordsBeforeMax; at -= 1) {
    const [token, next] = [tokens[at], tokens[at + 1]];
    if (!token || token.kind === 'placeholder' || /[?!;:]|\.\s/.test(next?.gap ?? '')) break;
    const isNamed = isWord(token) || isStreet(token.word) || PARTS.has(token.word);
    if (!isNamed && !SMALL.has(token.word)) break;
    words += 1;
    if (isNamed && words <= wordsBeforeMax) start = at;
  }
  return start;
}

/** Behind the words for parts of a house that follow the last number, and a town with a comma or "in". */
function endOf(conversation: Conversation, { to }: TokenRange, turn: Turn): number {
  const { tokens, chains } = conversation;
  let end = Math.min(turn.to, Math.max(to, chainAt(chains, to - 1)?.to ?? to));
  for (let at = end; at < Math.min(turn.to, end + 3); at += 1) {
    const token = tokens[at];
    if (!token || /[?!;:]|\.\s/.test(token.gap)) break;
    const isPart =
      PARTS.has(token.word) || isStreet(token.word) || /^\p{L}$/u.test(token.word) || isOrdinalPart(token.word);
    const isName = isWord(token) && isStreet(tokens[at + 1]?.word ?? '');
    if (isPart || isName) end = at + 1;
    else if (!SMALL.has(token.word)) break;
  }
  end = writtenTownEnd(conversation, end, turn);
  const town = tokens[end];
  const isTown =
    town?.segment === tokens[end - 1]?.segment && town !== undefined && isWord(town) && /^,?\s$/.test(town.gap);
  return isTown && isPostcodeBefore(tokens, end) ? end + 1 : end;
}

const townWordsMax = 2;

/** "…, apto 602, Bogotá": a town behind a comma, where the sentence ends with it. */
function writtenTownEnd({ tokens, texts }: Conversation, from: number, turn: Turn): number {
  for (let end = from + 1; end <= Math.min(turn.to, from + townWordsMax); end += 1) {
    const words = tokens.slice(from, end);
    const isNamed = words.every(
      ({ segment, from: start, kind }) => kind === 'word' && /^\p{Lu}/u.test(texts[segment]?.slice(start) ?? ''),
    );
    const last = tokens[end - 1];
    const isLast = end === turn.to || tokens[end]?.segment !== last?.segment || /[.,;—–]/.test(tokens[end]?.gap ?? '');
    if (isNamed && isLast && /^,\s$/.test(tokens[from]?.gap ?? '')) return end;
  }
  return from;
}

function isPostcodeBefore(tokens: readonly Token[], end: number): boolean {
  return /^\d{4,6}$/.test(tokens[end - 1]?.word ?? '');
}

function isOrdinalPart(word: string): boolean {
  return /^(?:izquierda|derecha|izda|dcha|centro|bajo|atico|links|rechts|mitte|floor|flat|upstairs|downstairs)$/.test(
    word,
  );
}

function isStreet(word: string): boolean {
  return STREETS.has(word) || STREET_ENDS.test(word);
}

function isWord({ kind, word }: Token): boolean {
  return kind === 'word' && word.length > 1 && !SMALL_TALK.has(word) && !SMALL.has(word) && !NO_PLACES.has(word);
}

const NO_PLACES: ReadonlySet<string> = new Set(
  "it's its we're i'm live house address vivo wohne wohnen bring come deliver send please thanks minutes entre sobre vivimos queda quedamos живу живем адрес номер сам сама привезите приезжайте mi my meine unser unsere nuestra pero but aber oder old new neu neue nueva новый старый"
    .split(' ')
    .map(plainWord),
);

function isOneSentence(tokens: readonly Token[], from: number, to: number): boolean {
  return tokens.slice(from, to + 1).every(({ gap, kind }) => kind !== 'placeholder' && !/[?!;]|\.\s\p{Lu}/u.test(gap));
}
