/** Decimal text, in the currency that the operator thinks in. */
export type Prices = {
  /** For each minute that speech recognition heard. */
  transcriptionPerMinute: string;
  /** For each analysis that is made. */
  analysisPerRecord: string;
  /** For each million tokens that a language model read or wrote. */
  inputPerMillion: string;
  outputPerMillion: string;
};

/** Tokens of a language model, as its provider counted them. */
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
