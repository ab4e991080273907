import { createHash } from 'node:crypto';
import { keyAnswers } from '../../model/model-answers.ts';
import { estimateTokens, planWindows } from './windows.ts';
import { type Line } from '../../model/question.ts';
import { AnalysisError } from './errors.ts';
import type { Analyst, AskedCall, LanguageModel } from './interface.ts';
import { writePrompt } from './prompt.ts';

/** Few enough for their answers to fit into a model's output limit. */
const questionsMax = 40;
const windowTokensMin = 200;

type Options = {
  /** Estimated tokens of transcript per request. If the server finds a window too long, it is halved. */
  windowTokens: number;
};

/** Asks a model the questions of a rubric, window by window. Windows that are too long are split. */
export function createAnalyst(model: LanguageModel, { windowTokens }: Options): Analyst {
  return {
    model: model.name,
    async ask(call) {
      const digests: string[] = [];
      const groups = groupsOf(call.questions, questionsMax);
      for (const [index, questions] of groups.entries()) {
        const asked = { ...call, questions, wantsReport: index === 0 };
        for (const lines of planWindows(call.lines, windowTokens))
          digests.push(...(await askWindow(model, asked, lines)));
      }
      return [...new Set(digests)];
    },
  };
}

type WindowRequest = AskedCall & { wantsReport: boolean };

async function askWindow(model: LanguageModel, asked: WindowRequest, lines: readonly Line[]): Promise<string[]> {
  const { questions, language, reportIn, wantsReport, store, leaving, signal } = asked;
  const lastNumber = asked.lines.at(-1)?.number ?? 0;
  const prompt = writePrompt({ questions, lines, lastNumber, language, reportIn, wantsReport });
  const digest = createHash('sha256').update(`${model.name}\n${prompt.system}\n${prompt.user}`).digest('hex');
  if (await store.has(digest)) return [digest];
  leaving?.throwIfAborted();
  try {
    const answer = await model.ask(prompt, signal);
    await store.save(digest, { ...answer, answers: keyAnswers(answer.answers, questions) });
    return [digest];
  } catch (error) {
    const smaller = isTooLong(error) ? halve(lines) : null;
    if (!smaller) throw error;
    const digests: string[] = [];
    for (const window of smaller) digests.push(...(await askWindow(model, asked, window)));
    return digests;
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof AnalysisError && error.code === 'ANALYSIS_CALL_TOO_LONG';
}

/** Null if the rest is so short that the call cannot be what is too long. */
function halve(lines: readonly Line[]): Line[][] | null {
  const tokens = estimateTokens(lines.map(({ text }) => text).join(' ')) + 16 * lines.length;
  const half = Math.ceil(tokens / 2);
  return half < windowTokensMin ? null : planWindows(lines, half);
}

/** At least one group, since a rubric without such questions still needs a report. */
function groupsOf<T>(items: readonly T[], countMax: number): T[][] {
  const count = Math.max(1, Math.ceil(items.length / countMax));
  return Array.from({ length: count }, (_, index) => items.slice(index * countMax, (index + 1) * countMax));
}
