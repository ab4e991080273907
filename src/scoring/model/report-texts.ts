import type { CallFacts } from '../facts/facts.ts';
import type { KeyedAnswers, SupportedText } from '../../model/model-answers.ts';
import { verifyQuotes } from './judge.ts';
import type { TextCheck } from './text-check.ts';

export type ReportTexts = { summary: string[]; topics: string[]; actionItems: string[] };

const sentencesMax = 6;
const sentenceLengthMax = 300;
const topicsMax = 6;
const topicLengthMax = 40;
const actionItemsMax = 6;

/** The parts of a report that a model may word: only what it supports with words of the call. */
export function readTexts(windows: readonly KeyedAnswers[], facts: CallFacts, check: TextCheck): ReportTexts {
  const telling = windows.filter(({ summary }) => summary.length > 0);
  const share = Math.max(1, Math.floor(sentencesMax / Math.max(1, telling.length)));
  const supported = (texts: readonly SupportedText[], lengthMax: number): string[] =>
    texts.flatMap(({ text, quotes }) => {
      const shown = check(text, lengthMax);
      return shown !== null && verifyQuotes(quotes, facts).length > 0 ? [shown] : [];
    });
  const summary = telling.flatMap((window) => supported(window.summary, sentenceLengthMax).slice(0, share));
  const topics = windows.flatMap((window) => supported(window.topics, topicLengthMax));
  const actionItems = windows.flatMap((window) => supported(window.actionItems, sentenceLengthMax));
  return {
    summary: spread(distinct(summary), sentencesMax).map(asSentence),
    topics: distinct(topics).slice(0, topicsMax),
    actionItems: distinct(actionItems).slice(0, actionItemsMax).map(asSentence),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Map(texts.toReversed().map((text) => [text.toLowerCase(), text])).values()].toReversed();
}

/** From the whole length of a call, not from its beginning alone. */
function spread<T>(items: readonly T[], countMax: number): T[] {
  if (items.length <= countMax) return [...items];
  const step = (items.length - 1) / (countMax - 1);
  return Array.from({ length: countMax }, (_, index) => items[Math.round(index * step)]).filter(
    (item) => item !== undefined,
  );
}

function asSentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}
