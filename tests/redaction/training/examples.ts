import { readConversation } from '../../../src/redaction/conversation.ts';
import { findByRules, hear } from '../../../src/redaction/detect.ts';
import { numberWord } from '../../../src/redaction/number-words.ts';
import { readCall, take } from '../../../src/redaction/tagger/call.ts';
import type { CommonWords } from '../../../src/redaction/tagger/common-words.ts';
import type { Features } from '../../../src/redaction/tagger/feature-list.ts';
import { featuresOf } from '../../../src/redaction/tagger/features.ts';
import { ENDING, LABELS, NONE } from '../../../src/redaction/tagger/labels.ts';
import { readTokens } from '../../../src/redaction/tokens.ts';
import { viewOf } from '../../../src/redaction/tagger/turn-view.ts';
import { toSegments, unmark, type Mark, type Marked } from '../measuring.ts';
import { createChance, seedOf } from './chance.ts';

/** A turn as it is learned from: its features and what each token is. */
export type Example = Features & { labels: Uint8Array };

/** The label of what nobody has marked. */
export const UNKNOWN = 255;

/** What the rules tell of a call: all, all but names, or nothing, so that nothing rests on them alone. */
export type Told = 'all' | 'no names' | 'nothing';

const figuresMax = 4;
const ENDS =
  /\b(?:last|ending|ends?|letzten?|endet|endung|endziffern?|endend|ultim[oa]s?|termina\p{L}*|acaba\p{L}*)(?!\p{L})|последн|заканчива|оканчива|конч/u;

/** The last figures of a card or an id, said to be these; people are told apart by them, so that they stay. */
export function isEnding({ kind, from, to }: Mark, text: string, before: string): boolean {
  if (kind !== 'card' && kind !== 'national_id') return false;
  const tokens = readTokens(text.slice(from, to), 0);
  const counts = tokens.map(({ kind: token, word }) => (token === 'digits' ? word.length : figuresOf(word)));
  const figures = counts.reduce((sum, count) => sum + count, 0);
  const others = counts.filter((count) => count === 0).length;
  if (figures < 2 || figures > figuresMax || others > 1) return false;
  const plain = (said: string): string =>
    readTokens(said, 0)
      .map(({ word }) => word)
      .join(' ');
  return ENDS.test(plain(text.slice(Math.max(0, from - 60), from))) || (from < 30 && ENDS.test(plain(before)));
}

function figuresOf(word: string): number {
  const number = numberWord(word);
  if (!number) return 0;
  return number.role === 'unit' || number.role === 'repeat' ? 1 : number.value >= 100 ? 3 : 2;
}

/** What each token of each marked turn is; null for turns that are not marked. */
export function labelsOf(marked: Marked): (Uint8Array | null)[] {
  return marked.turns.map((turn, index) => {
    const { text, marks } = unmark(turn.text);
    if (!turn.isMarked) return null;
    const before = unmark(marked.turns[index - 1]?.text ?? '').text;
    const known = marks.map((mark) => ({
      ...mark,
      label: isEnding(mark, text, before) ? ENDING : labelOf(mark.kind),
    }));
    return Uint8Array.from(readTokens(text, 0), (token) => {
      const mark = known.find(({ from, to }) => from < token.to && token.from < to);
      return token.kind === 'placeholder' ? NONE : (mark?.label ?? NONE);
    });
  });
}

function labelOf(kind: string): number {
  const found = LABELS.findIndex((label) => label === (kind === 'pin' ? 'password' : kind));
  if (found < 0) throw new Error(`${kind} is no kind that is learned.`);
  return found;
}

/** One example for each turn of which something is marked. */
export function toExamples(marked: Marked, { common, told }: { common: CommonWords; told: Told }): Example[] {
  const segments = toSegments(marked.turns);
  const conversation = readConversation(segments);
  const spans = told === 'nothing' ? [] : findByRules(conversation, segments, { names: told === 'all' });
  const call = readCall(hear(conversation, segments, spans), common);
  const labels = labelsOf(marked);
  const firsts = new Map<number, number>();
  for (const [at, { segment }] of call.tokens.entries()) if (!firsts.has(segment)) firsts.set(segment, at);
  const known = call.tokens.map(({ segment }, at) => labels[segment]?.[at - (firsts.get(segment) ?? 0)] ?? UNKNOWN);
  const chance = createChance(seedOf(`${marked.id} ${told}`));
  const examples: Example[] = [];
  for (const [turn, { from, to }] of call.turns.entries()) {
    const own = Uint8Array.from(known.slice(from, to));
    if (own.some((label) => label !== UNKNOWN)) examples.push({ ...featuresOf(call, viewOf(call, turn)), labels: own });
    const isMissed = chance.next() < missedShare;
    take(call, turn, (at) => {
      const label = known[at] ?? UNKNOWN;
      if (label === UNKNOWN) return call.byRules[at] ?? NONE;
      return isMissed ? NONE : label;
    });
  }
  return examples;
}

/** What was taken out before helps with what follows; now and then it was missed. */
const missedShare = 0.2;
