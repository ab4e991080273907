import type { KeyedAnswers, ModelAnswers } from '../../model/model-answers.ts';
import type { Question, Line } from '../../model/question.ts';

export type Prompt = { system: string; user: string };

/** Tokens as counted by the provider. */
export type TokenUse = { inputTokens: number; outputTokens: number };

/** The result of one request to a model. */
export type ModelAnswer = TokenUse & { answers: ModelAnswers };

/** The same in its stored form. */
export type KeptAnswer = TokenUse & { answers: KeyedAnswers };

/** A language model that answers in the form of `answersJsonSchema`. Throws `AnalysisError`, or the signal's reason. */
export type LanguageModel = {
  /** Provider and model, e.g. `openai/gpt-5-mini`. */
  name: string;
  ask(prompt: Prompt, signal: AbortSignal): Promise<ModelAnswer>;
};

/** Stores answers until the call is scored, so that no part of a call is paid for twice. */
export type AnswerStore = {
  has(digest: string): Promise<boolean>;
  save(digest: string, answer: KeptAnswer): Promise<void>;
};

export type AskedCall = {
  questions: readonly Question[];
  lines: readonly Line[];
  /** BCP 47 tag. */
  language: string | null;
  /** In which language texts are to be written (ISO 639); English unless it says otherwise. */
  reportIn?: string | undefined;
  store: AnswerStore;
  /** Once aborted, no further request is sent. */
  leaving?: AbortSignal;
  /** Aborts running requests. */
  signal: AbortSignal;
};

/**
 * Asks a model about a call, in as many requests as needed. Returns the digests of the answers in the store, in the
 * order of the call. Throws `AnalysisError`, or a signal's reason.
 */
export type Analyst = { model: string; ask(call: AskedCall): Promise<string[]> };
