import type { Conversation } from './conversation.ts';
import { isDateJoint, isMonth, isOrdinal } from './date-words.ts';
import type { Run } from './runs.ts';
import type { Token } from './tokens.ts';

const jointsMax = 3;
/** More than any date has. */
const stretchTokensMax = 40;

/** The end of each number, by its start. */
export type NumberEnds = ReadonlyMap<number, number>;

/** Whether a date may begin here. */
export function mayBeginDate(token: Token, at: number, ends: NumberEnds): boolean {
  return token.kind === 'digits' || ends.has(at) || isOrdinal(token) || isMonth(token);
}

/** Consecutive numbers, months and ordinals. */
export type Stretch = { from: number; to: number; numbers: number[]; hasMonth: boolean; hasOrdinal: boolean };

export function readStretch(tokens: readonly Token[], from: number, ends: NumberEnds): Stretch {
  const stretch = emptyStretch(from);
  let joints = 0;
  for (let at = from; at < Math.min(tokens.length, from + stretchTokensMax) && joints <= jointsMax;) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder' || (at > from && /[?!;]/.test(token.gap))) break;
    if (addPart(stretch, token, { at, end: ends.get(at) })) {
      joints = 0;
      at = stretch.to;
    } else if (isDateJoint(token)) {
      joints += 1;
      at += 1;
    } else break;
  }
  return stretch;
}

/** The first `count` parts of a longer stretch. */
export function shorten(tokens: readonly Token[], whole: Stretch, ends: NumberEnds, count: number): Stretch {
  const { from, numbers } = whole;
  const stretch = emptyStretch(from);
  let parts = 0;
  for (let at = from; parts < count && at < from + stretchTokensMax;) {
    const token = tokens[at];
    if (!token) break;
    const isPart = addPart(stretch, token, { at, end: numbers.includes(at) ? ends.get(at) : undefined });
    if (isPart) parts += 1;
    at = isPart ? stretch.to : at + 1;
  }
  return stretch;
}

function emptyStretch(from: number): Stretch {
  return { from, to: from, numbers: [], hasMonth: false, hasOrdinal: false };
}

/** Adds a number (which has an end), month or ordinal. False for another word. */
function addPart(stretch: Stretch, token: Token, { at, end }: { at: number; end: number | undefined }): boolean {
  if (end !== undefined) stretch.numbers.push(at);
  else if (isMonth(token)) stretch.hasMonth = true;
  else if (isOrdinal(token)) stretch.hasOrdinal = true;
  else return false;
  stretch.to = end ?? at + 1;
  return true;
}

/** The digits of a stretch, without months and ordinals. */
export function digitsOfStretch(conversation: Conversation, { numbers }: Stretch): string {
  return numbers.map((at) => digitsAt(conversation, at)).join('');
}

function digitsAt({ runs }: Conversation, at: number): string {
  const run = runAt(runs, at);
  return run?.groups.find(({ from }) => from === at)?.digits ?? '';
}

function runAt(runs: readonly Run[], at: number): Run | undefined {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return runs[low];
}

export function numberEndsIn({ runs }: Conversation): NumberEnds {
  const ends = new Map<number, number>();
  for (const { groups } of runs) for (const { from, to } of groups) ends.set(from, to);
  return ends;
}
