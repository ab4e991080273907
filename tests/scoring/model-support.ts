import type { ModelAnswers, ModelVerdict } from '../../src/model/model-answers.ts';

export type Quoted = [segment: number, text: string];

type Said = {
  answers?: Record<string, [ModelVerdict, ...Quoted[]]>;
  summary?: [string, ...Quoted[]][];
  improvements?: Record<string, string>;
  topics?: [string, ...Quoted[]][];
  actionItems?: [string, ...Quoted[]][];
};

/** What a model says of one window, in few words. */
export function said({
  answers = {},
  summary = [],
  improvements = {},
  topics = [],
  actionItems = [],
}: Said): ModelAnswers {
  return {
    answers: Object.entries(answers).map(([id, [answer, ...quotes]]) => {
      return { id, answer, rationale: '', quotes: quotesOf(quotes) };
    }),
    summary: summary.map(supported),
    improvements: Object.entries(improvements).map(([id, text]) => ({ id, text })),
    topics: topics.map(supported),
    actionItems: actionItems.map(supported),
  };
}

function supported([text, ...quotes]: [string, ...Quoted[]]) {
  return { text, quotes: quotesOf(quotes) };
}

function quotesOf(quotes: Quoted[]) {
  return quotes.map(([segment, text]) => ({ segment, text }));
}
