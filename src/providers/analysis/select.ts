import { createAnalyst } from './analyst.ts';
import type { Analyst, LanguageModel } from './interface.ts';
import { createLanguageModel } from './language-model.ts';
import type { SdkSettings } from './sdk-client.ts';

/** The settings that choose a model, each from the environment variable of the same name. */
export type AnalysisSettings = {
  /** `openai:NAME`, `anthropic:NAME`, or the name of a model on the server at `openaiBaseUrl`. */
  model: string;
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
  anthropicApiKey?: string | undefined;
  anthropicBaseUrl?: string | undefined;
  timeoutMs: number;
  windowTokens: number;
};

/** The configured model, ready to be asked about calls. The SDK is loaded with the first question. */
export function selectAnalyst(settings: AnalysisSettings): Analyst {
  return createAnalyst(selectModel(providerOf(settings)), { windowTokens: settings.windowTokens });
}

export function selectModel(settings: SdkSettings): LanguageModel {
  const { provider, model } = settings;
  return createLanguageModel({
    name: provider === 'compatible' ? model : `${provider}/${model}`,
    connect: async () => (await import('./sdk-client.ts')).createSdkClient(settings),
  });
}

/** With a custom address, OpenAI models are called through chat completions, which compatible servers support. */
function providerOf(settings: AnalysisSettings): SdkSettings {
  const { model, timeoutMs, openaiApiKey, openaiBaseUrl, anthropicApiKey, anthropicBaseUrl } = settings;
  const [, prefix, name = model] = /^(openai|anthropic):(.+)$/u.exec(model) ?? [];
  if (prefix === 'anthropic') {
    return { provider: 'anthropic', model: name, apiKey: anthropicApiKey, baseUrl: anthropicBaseUrl, timeoutMs };
  }
  const provider = prefix === 'openai' && openaiBaseUrl === undefined ? 'openai' : 'compatible';
  return { provider, model: name, apiKey: openaiApiKey, baseUrl: openaiBaseUrl, timeoutMs };
}
