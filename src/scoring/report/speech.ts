import type { Conversation, PlacedToken } from '../conversation/conversation.ts';
import type { CallFacts } from '../facts/facts.ts';
import { clauseStart } from '../conversation/finder.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';
import { readNumbers } from '../text/numbers.ts';

const WORDS_MAX = 18;
/** From here on a number identifies somebody or something: a report does not repeat it. */
const DIGITS_HIDDEN_MIN = 7;
const secrets = compilePhrases([
  'password is',
  'passcode is',
  'pin is',
  'security code is',
  'code is',
  'passwort/kennwort/pin/code ist/lautet',
  'contraseña/clave/pin/código es',
  'пароль/пин/код',
]);

/** What is said at these places, in the transcript's own spelling, cut to a sentence's length, without long numbers. */
export function speech(
  conversation: Conversation,
  range: { from: number; to: number },
  wordsMax = WORDS_MAX,
  kept: RegExp | null = null,
): string {
  const tokens = conversation.tokens.slice(range.from, range.to);
  const hidden = hiddenPlaces(tokens);
  const words: string[] = [];
  let last: PlacedToken | undefined;
  let isCut = false;
  for (const [index, token] of tokens.entries()) {
    if (last && last.utterance === token.utterance && last.from === token.from) {
      if (token.pause !== 'none' && index < tokens.length - 1) words.push(`${words.pop() ?? ''}${STOPS[token.pause]}`);
      continue;
    }
    const isJoined = last !== undefined && isHyphenated(last, token) && !hidden.has(index - 1) && !hidden.has(index);
    if (last && kept && last.utterance === token.utterance) words.push(...keptBetween(last, token.from, kept));
    last = token;
    const word = hidden.has(index) ? HIDDEN : token.utterance.segment.text.slice(token.from, token.to);
    if (word === HIDDEN && words.at(-1) === HIDDEN) continue;
    if (words.length === wordsMax) {
      isCut = true;
      break;
    }
    const shown = word + (token.pause === 'question' || index < tokens.length - 1 ? STOPS[token.pause] : '');
    words.push(isJoined ? `${words.pop() ?? ''}-${shown}` : shown);
  }
  if (last && kept && !isCut) words.push(...keptBetween(last, last.utterance.segment.text.length, kept));
  return words.join(' ').replace(/[,.]$/u, '') + (isCut ? ' …' : '');
}

/** Fillers in English, and words in German: "ich ziehe um", "jetzt fährt er", "das weiß ich eh". */
const GERMAN_WORDS = /(?<=^|[\s.,!?])(?:um|er|eh)(?=[\s.,!?]|$)/giu;

/** Words right after this one that are not read as words. */
function keptBetween({ to, utterance }: PlacedToken, until: number, kept: RegExp): string[] {
  return utterance.segment.text.slice(to, until).match(kept) ?? [];
}

/** Stands for what is not repeated, until the report's language is known. */
const HIDDEN = '[hidden]';

/** "e-mail", "40-18": words with nothing but a hyphen between them. */
function isHyphenated(before: PlacedToken, token: PlacedToken): boolean {
  if (before.utterance !== token.utterance) return false;
  return token.utterance.segment.text.slice(before.to, token.from) === '-';
}

const SENTENCE_LEAD_MAX = 6;
const GREETING_WORDS = new Set(
  `hi hello hey yes yeah okay good morning afternoon evening doke there so and but alright hallo guten tag moin gruss gott servus ja
  hola buenas buenos dias tardes noches алло здравствуйте добрый день вечер утро`.split(/\s+/u),
);

/** Where the sentence begins, if that is near; a greeting before it is left out. */
export function sentenceStart({ tokens }: Conversation, from: number): number {
  const start = clauseStart(tokens, from);
  if (from - start > SENTENCE_LEAD_MAX) return from;
  let at = start;
  while (at < from && GREETING_WORDS.has(tokens[at]?.word ?? '')) at += 1;
  return at;
}

/** The same in the quotes of the report's language. */
export function quoted(
  { conversation, messages }: Pick<CallFacts, 'conversation' | 'messages'>,
  range: { from: number; to: number },
  wordsMax?: number,
): string {
  const kept = messages.language === 'de' ? GERMAN_WORDS : null;
  const words = speech(conversation, range, wordsMax, kept).replaceAll(HIDDEN, messages.answers.hidden);
  return messages.answers.quote(words);
}

function hiddenPlaces(tokens: readonly PlacedToken[]): Set<number> {
  const hidden = new Set<number>();
  const hide = (from: number, to: number): void => {
    for (let at = from; at < Math.min(to, tokens.length); at += 1) hidden.add(at);
  };
  for (const { from, to, digits } of readNumbers(tokens)) if (digits.length >= DIGITS_HIDDEN_MIN) hide(from, to);
  for (const { to } of findPhrases(tokens, secrets)) hide(to, to + 8);
  return hidden;
}

const STOPS = { none: '', comma: ',', stop: '.', question: '?' } as const;

const THIRD_PERSON = new Map([
  ['i', 'they'],
  ["i'm", 'they are'],
  ["i've", 'they have'],
  ["i'd", 'they would'],
  ["i'll", 'they will'],
  ['my', 'their'],
  ['me', 'them'],
  ['mine', 'theirs'],
  ['myself', 'themselves'],
  ['am', 'are'],
  ['our', 'their'],
  ['we', 'they'],
  ['us', 'them'],
]);

/** "my password" → "their password": the customer's words in the third person; null where "you" would change its sense. */
export function thirdPerson(text: string): string | null {
  const words = text.split(' ');
  if (words.some((word) => /^you/iu.test(word))) return null;
  return words
    .map((word) => THIRD_PERSON.get(word.toLowerCase().replace(/\u2019/gu, "'")) ?? word)
    .join(' ')
    .replace(/\bthey was\b/gu, 'they were')
    .replace(/\bthey am\b/gu, 'they are');
}
