import { defaultRubric } from '../../src/domain/profiles/default-rubric.ts';
import type { Analyst, KeptAnswer } from '../../src/providers/analysis/interface.ts';
import { selectAnalyst } from '../../src/providers/analysis/select.ts';
import { prepareCall } from '../../src/scoring/model/call.ts';
import { scoreCall } from '../support/score-call.ts';
import { besideReader, type JudgedCall } from './judge.ts';
import { toTranscript, type LabelledCall } from './labelled.ts';

const TIMEOUT_MS = 120_000;
const WINDOW_TOKENS = 24_000;

/** The model that the environment names, as the service is told: `ANALYSIS_MODEL`, with its address and key. */
export function analystOf(env: Record<string, string | undefined>): Analyst {
  const { ANALYSIS_MODEL: model } = env;
  if (!model) throw new Error('Name the language model in ANALYSIS_MODEL, as the service is told it.');
  return selectAnalyst({
    model,
    openaiApiKey: env['OPENAI_API_KEY'],
    openaiBaseUrl: env['OPENAI_BASE_URL'],
    anthropicApiKey: env['ANTHROPIC_API_KEY'],
    anthropicBaseUrl: env['ANTHROPIC_BASE_URL'],
    timeoutMs: TIMEOUT_MS,
    windowTokens: WINDOW_TOKENS,
  });
}

/** Scores a call with what a language model answers, as the service does, and sets every answer beside the reader's. */
export async function judgeByModel(call: LabelledCall, analyst: Analyst): Promise<JudgedCall> {
  const input = { ...toTranscript(call), rubric: defaultRubric };
  const prepared = prepareCall(input);
  if (!prepared) return besideReader(call, scoreCall(input));
  const kept = new Map<string, KeptAnswer>();
  const store = {
    has: (digest: string): Promise<boolean> => Promise.resolve(kept.has(digest)),
    save: (digest: string, answer: KeptAnswer): Promise<void> => Promise.resolve(void kept.set(digest, answer)),
  };
  const signal = new AbortController().signal;
  const digests = await analyst.ask({ ...prepared, language: input.transcript.language, store, signal });
  const modelAnswers = digests.flatMap((digest) => kept.get(digest)?.answers ?? []);
  return besideReader(call, scoreCall({ ...input, modelAnswers }));
}
