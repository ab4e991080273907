import type { Conversation, PlacedToken } from '../conversation/conversation.ts';
import { clauseEnd, clauseStart, wordsOf } from '../conversation/finder.ts';
import type { SaidKind } from '../lexicon/accusations/accusation-book.ts';
import type { ReadBook } from './books.ts';
import { excuseOf } from './excuses.ts';
import type { Reading } from './reading.ts';
import type { Sign, Strength } from './sign.ts';

/** Every sign of hostility in what the agent says, with what takes it back already counted. */
export function findSigns(reading: Reading): Sign[] {
  const found = [...phraseSigns(reading), ...commandSigns(reading), ...frameSigns(reading), ...wordSigns(reading)];
  return found.flatMap((sign) => {
    const excuse = excuseOf(reading, sign);
    if (excuse === 'whole') return [];
    return [excuse === 'partial' ? { ...sign, strength: weaker(sign.strength) } : sign];
  });
}

function weaker(strength: Strength): Strength {
  return strength === 'clear' ? 'possible' : 'faint';
}

function phraseSigns({ finder, book: { phrases, faint } }: Reading): Sign[] {
  const said = phrases.flatMap(({ kind, strength, set }) =>
    finder.find(set, 'agent').map(({ from, to }): Sign => ({ kind, strength, from, to })),
  );
  const faintly = finder.find(faint, 'agent').map(({ from, to }): Sign => ({
    kind: 'contempt',
    strength: 'faint',
    from,
    to,
  }));
  return [...said, ...faintly];
}

/** "Shut up." is rude; "we shut up shop at six" is not. */
function commandSigns({ conversation, finder, book: { commands } }: Reading): Sign[] {
  return finder.find(commands, 'agent').map(({ from, to }): Sign => {
    const { tokens } = conversation;
    const before = wordsOf(tokens, Math.max(clauseStart(tokens, from), from - 3), from);
    const after = wordsOf(tokens, to, Math.min(clauseEnd(tokens, from), to + 3));
    const isEnd = STARTING.has(after[0] ?? '') || after.every((word) => ADDRESSING.has(word));
    const isAlone = before.every((word) => LEADING.has(word)) && isEnd;
    return { kind: 'insult', strength: isAlone ? 'clear' : 'faint', from, to };
  });
}

const LEADING = new Set(
  'oh just please well now then and so okay look listen you dann also jetzt pues ну так вот'.split(' '),
);
/** With these the next clause begins, where nobody writes stops. */
const STARTING = new Set('and i we you it will or then und ich wir sie y yo и я мы вы'.split(' '));
const ADDRESSING = new Set(
  'now sir madam man already please jetzt endlich mal bitte ya señor señora senor senora наконец уже пожалуйста'.split(
    ' ',
  ),
);

/** A target within reach of words that are hostile where one is: "it would be a pity … your little girl". */
function frameSigns({ conversation, finder, book: { frames, targets, you } }: Reading): Sign[] {
  const { tokens } = conversation;
  return finder.find(frames, 'agent').flatMap(({ from, to, turn }): Sign[] => {
    const near = tokens.slice(Math.max(turn.from, from - FRAME_REACH), Math.min(turn.to, to + FRAME_REACH));
    const hasTarget = near.some(({ word, at }) => targets.has(word) && at !== from);
    if (!hasTarget || !near.some(({ word }) => you.has(word))) return [];
    return [{ kind: 'threat', strength: 'possible', from, to }];
  });
}

const FRAME_REACH = 14;

function wordSigns({ conversation, book }: Reading): Sign[] {
  return conversation.agentTurns.flatMap(({ tokens }) =>
    tokens.flatMap((token) => wordSign(conversation, book, token)),
  );
}

function wordSign({ tokens }: Conversation, book: ReadBook, { word, at }: PlacedToken): Sign[] {
  const sign = (kind: SaidKind, strength: Strength): Sign[] => [{ kind, strength, from: at, to: at + 1 }];
  if (book.foul.has(word)) return sign('profanity', 'clear');
  if (book.mixed.has(word)) return sign('profanity', 'possible');
  const isName = book.names.has(word);
  if (!isName && !book.rude.has(word)) return [];
  const before = wordsOf(tokens, Math.max(clauseStart(tokens, at), at - 4), at);
  const after = wordsOf(tokens, at + 1, Math.min(clauseEnd(tokens, at), at + 3));
  if (before.slice(-3).some((each) => book.own.has(each))) return [];
  if (after.some((each) => book.things.has(each))) return [];
  const isAimed = before.some((each) => book.you.has(each)) || after.some((each) => book.you.has(each));
  if (isName) return sign('insult', isAimed || isAlone(tokens, book, at) ? 'clear' : 'possible');
  const isCalled = ADDRESSED.has(before.at(-1) ?? '') && isAlone(tokens, book, at);
  return isAimed ? sign('insult', isCalled ? 'clear' : 'possible') : [];
}

/** "Idiot." and "oh, you fool": a clause of nothing but the name, and words of address. */
function isAlone(tokens: readonly PlacedToken[], book: ReadBook, at: number): boolean {
  const start = clauseStart(tokens, at);
  const end = clauseEnd(tokens, at);
  if (end - start > ALONE_WORDS_MAX) return false;
  const isAddress = (word: string): boolean => book.you.has(word) || LEADING.has(word) || ADDRESSING.has(word);
  return wordsOf(tokens, start, at).every(isAddress) && wordsOf(tokens, at + 1, end).every(isAddress);
}

const ALONE_WORDS_MAX = 4;
/** Right before a rude word they make a name of it: "you fool". */
const ADDRESSED = new Set('you du sie usted tú tu vos ты вы'.split(' '));
