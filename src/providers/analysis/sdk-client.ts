import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, jsonSchema, NoObjectGeneratedError, Output, type LanguageModel } from 'ai';
import { observed } from '../../lib/observe.ts';
import { AnalysisError } from './errors.ts';
import { toAnalysisError } from './call-errors.ts';
import { providerFetch } from './provider-fetch.ts';

export type SdkSettings = {
  /** `compatible` is any server with OpenAI's chat completions. */
  provider: 'openai' | 'anthropic' | 'compatible';
  model: string;
  apiKey?: string | undefined;
  /** With the version, as in `https://api.openai.com/v1`. */
  baseUrl?: string | undefined;
  /** From the first byte sent to the last byte received. */
  timeoutMs: number;
};

export type Turn = { role: 'user' | 'assistant'; content: string };
export type Written = { text: string; finish: string; inputTokens: number; outputTokens: number };
type Request = { system: string; turns: Turn[]; schema: object; signal: AbortSignal };

export type SdkClient = { write(request: Request): Promise<Written> };

const outputTokensMax = 16_000;
/** Errors of servers that support structured answers only without a schema. The prompt describes the form too. */
const schemaRefusal = /response_format|json_schema|json_object|structured|guided/iu;

/**
 * A client for models of the AI SDK. Retries and repairs are up to the caller. Throws `AnalysisError`, or the signal's
 * reason.
 */
export function createSdkClient(settings: SdkSettings): SdkClient {
  let hasSchema = true;
  return {
    write: (request) => observed({ provider: settings.provider, operation: 'judge' }, () => write(request)),
  };

  async function write(request: Request): Promise<Written> {
    try {
      return await generate(settings, request, hasSchema).catch((error: unknown) => {
        if (!hasSchema || settings.provider !== 'compatible' || !isSchemaRefusal(error)) throw error;
        hasSchema = false;
        return generate(settings, request, hasSchema);
      });
    } catch (error) {
      request.signal.throwIfAborted();
      throw toError(error);
    }
  }
}

async function generate(settings: SdkSettings, request: Request, hasSchema: boolean): Promise<Written> {
  const { system, turns, schema, signal } = request;
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  try {
    const result = await generateText({
      model: modelOf(settings, hasSchema),
      instructions: system,
      messages: turns,
      output: Output.object({ schema: jsonSchema(schema), name: 'answers' }),
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, timeout]),
      ...(settings.provider === 'anthropic' && { maxOutputTokens: outputTokensMax }),
      ...(settings.provider === 'compatible' && { temperature: 0 }),
    });
    return toWritten(result.text, result.finishReason, result.usage);
  } catch (error) {
    if (timeout.aborted && !signal.aborted)
      throw new AnalysisError('ANALYSIS_TIMEOUT', 'The language model did not answer in time.');
    // What the SDK cannot parse gets a second, more lenient try.
    if (!NoObjectGeneratedError.isInstance(error)) throw error;
    return toWritten(error.text ?? '', error.finishReason ?? 'other', error.usage);
  }
}

type Usage = { inputTokens: number | undefined; outputTokens: number | undefined };

function toWritten(text: string, finish: string, usage: Usage | undefined): Written {
  return { text, finish, inputTokens: count(usage?.inputTokens), outputTokens: count(usage?.outputTokens) };
}

/** A server's token counts are only used if they can be stored. */
function count(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) ? Math.min(Math.max(0, Math.round(tokens)), 1_000_000_000) : 0;
}

function modelOf({ provider, model, apiKey, baseUrl }: SdkSettings, hasSchema: boolean): LanguageModel {
  const shared = { ...(apiKey && { apiKey }), ...(baseUrl && { baseURL: baseUrl }), fetch: providerFetch };
  switch (provider) {
    case 'openai':
      return createOpenAI(shared).responses(model);
    case 'anthropic':
      return createAnthropic(shared)(model);
    case 'compatible':
      return createOpenAICompatible({
        ...shared,
        name: 'compatible',
        baseURL: baseUrl ?? '',
        supportsStructuredOutputs: hasSchema,
      })(model);
    default:
      return provider satisfies never;
  }
}

function isSchemaRefusal(error: unknown): boolean {
  return APICallError.isInstance(error) && error.statusCode === 400 && schemaRefusal.test(error.responseBody ?? '');
}

/** The SDK's errors contain the request, which is the call: nothing of them is passed on. */
function toError(error: unknown): AnalysisError {
  if (error instanceof AnalysisError) return error;
  if (!APICallError.isInstance(error)) return unavailable('not an answer of a model');
  const { statusCode, responseHeaders = {}, responseBody = '' } = error;
  if (statusCode === undefined) return unavailable('no connection');
  if (statusCode >= 200 && statusCode < 300) return unavailable('not an answer of a model');
  return toAnalysisError({ status: statusCode, headers: responseHeaders, body: responseBody });
}

function unavailable(internal: string): AnalysisError {
  return new AnalysisError(
    'ANALYSIS_UNAVAILABLE',
    'The language model cannot be reached, or the connection broke off.',
    { internal },
  );
}

globalThis.AI_SDK_LOG_WARNINGS = false;
