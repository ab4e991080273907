import type { Conversation } from './conversation.ts';
import { isDateJoint, isMonth, isOrdinal } from './date-words.ts';
import type { Run } from './runs.ts';
import type { Token } from './tokens.ts';

const jointsMax = 3;
/** More than any date has. */
const stretchTokensMax = 40;

/** The end of each number, by its start. */
export type Numbers = ReadonlyMap<number, number>;

/** Whether a date may begin here. */
export function isAtom(token: Token, at: number, numbers: Numbers): boolean {
  return token.kind === 'digits' || numbers.has(at) || isOrdinal(token) || isMonth(token);
}

/** Consecutive numbers, months and ordinals. */
export type Stretch = { from: number; to: number; numbers: number[]; hasMonth: boolean; hasOrdinal: boolean };

export function readStretch(tokens: readonly Token[], from: number, numbers: Numbers): Stretch {
  const stretch: Stretch = { from, to: from, numbers: [], hasMonth: false, hasOrdinal: false };
  let joints = 0;
  for (let at = from; at < Math.min(tokens.length, from + stretchTokensMax) && joints <= jointsMax;) {
    const token = tokens[at];
    if (!token || token.kind === 'placeholder' || (at > from && /[?!;]/.test(token.gap))) break;
    const end = numbers.get(at);
    if (end !== undefined) stretch.numbers.push(at);
    else if (isMonth(token)) stretch.hasMonth = true;
    else if (isOrdinal(token)) stretch.hasOrdinal = true;
    else if (isDateJoint(token)) {
      joints += 1;
      at += 1;
      continue;
    } else break;
    joints = 0;
    at = end ?? at + 1;
    stretch.to = at;
  }
  return stretch;
}

/** The first `count` parts of a longer stretch. */
export function shorten(tokens: readonly Token[], { from, numbers }: Stretch, places: Numbers, count: number): Stretch {
  const stretch: Stretch = { from, to: from, numbers: [], hasMonth: false, hasOrdinal: false };
  for (let [at, parts] = [from, 0]; parts < count && at < from + stretchTokensMax;) {
    const token = tokens[at];
    if (!token) break;
    const end = places.get(at);
    if (end !== undefined && numbers.includes(at)) stretch.numbers.push(at);
    else if (isMonth(token)) stretch.hasMonth = true;
    else if (isOrdinal(token)) stretch.hasOrdinal = true;
    else {
      at += 1;
      continue;
    }
    parts += 1;
    at = end ?? at + 1;
    stretch.to = at;
  }
  return stretch;
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

export function numberPlaces({ runs }: Conversation): Numbers {
  const places = new Map<number, number>();
  for (const { groups } of runs) for (const { from, to } of groups) places.set(from, to);
  return places;
}
