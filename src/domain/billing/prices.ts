/** Decimals as text, in the operator's currency. */
export type Prices = {
  /** Per minute of speech recognition. */
  transcriptionPerMinute: string;
  /** Per analysis. */
  analysisPerRecord: string;
  /** Per million tokens that a language model read or wrote. */
  inputPerMillion: string;
  outputPerMillion: string;
};

/** A language model's tokens, as counted by its provider. */
export type TokenUse = { inputTokens: number; outputTokens: number };

type Settings = {
  PRICE_TRANSCRIPTION_PER_MINUTE: string;
  PRICE_ANALYSIS_PER_RECORD: string;
  ANALYSIS_PRICE_INPUT_PER_MILLION: string;
  ANALYSIS_PRICE_OUTPUT_PER_MILLION: string;
};

export function pricesOf(settings: Settings): Prices {
  return {
    transcriptionPerMinute: settings.PRICE_TRANSCRIPTION_PER_MINUTE,
    analysisPerRecord: settings.PRICE_ANALYSIS_PER_RECORD,
    inputPerMillion: settings.ANALYSIS_PRICE_INPUT_PER_MILLION,
    outputPerMillion: settings.ANALYSIS_PRICE_OUTPUT_PER_MILLION,
  };
}
