import type { Conversation, PlacedToken } from '../conversation/conversation.ts';
import { clauseStart } from '../conversation/finder.ts';
import { compilePhrases } from '../../model/text/compile-phrases.ts';
import { findPhrases } from '../text/phrases.ts';
import { readNumbers } from '../text/numbers.ts';

const WORDS_MAX = 18;
/** From here on a number identifies somebody or something: a report does not repeat it. */
const DIGITS_HIDDEN_MIN = 7;
const secrets = compilePhrases(['password is', 'passcode is', 'pin is', 'security code is', 'code is']);

/** What is said at these places, in the transcript's own spelling, cut to a sentence's length, without long numbers. */
export function speech(conversation: Conversation, range: { from: number; to: number }, wordsMax = WORDS_MAX): string {
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
    last = token;
    const word = hidden.has(index) ? '[hidden]' : token.utterance.segment.text.slice(token.from, token.to);
    if (word === '[hidden]' && words.at(-1) === '[hidden]') continue;
    if (words.length === wordsMax) {
      isCut = true;
      break;
    }
    words.push(word + (token.pause === 'question' || index < tokens.length - 1 ? STOPS[token.pause] : ''));
  }
  return words.join(' ').replace(/[,.]$/u, '') + (isCut ? ' …' : '');
}

const SENTENCE_LEAD_MAX = 6;
const GREETING_WORDS = new Set(
  'hi hello hey yes yeah okay good morning afternoon evening doke so and but alright'.split(' '),
);

/** Where the sentence begins, if that is near; a greeting before it is left out. */
export function sentenceStart({ tokens }: Conversation, from: number): number {
  const start = clauseStart(tokens, from);
  if (from - start > SENTENCE_LEAD_MAX) return from;
  let at = start;
  while (at < from && GREETING_WORDS.has(tokens[at]?.word ?? '')) at += 1;
  return at;
}

/** The same in typographic quotes. */
export function quoted(conversation: Conversation, range: { from: number; to: number }, wordsMax?: number): string {
  return `“${speech(conversation, range, wordsMax)}”`;
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
