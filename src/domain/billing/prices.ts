/** Decimal text, in the currency that the operator thinks in. */
export type Prices = {
  /** For each minute that speech recognition heard. */
  transcriptionPerMinute: string;
  /** For each analysis that is made. */
  analysisPerRecord: string;
};

type Settings = { PRICE_TRANSCRIPTION_PER_MINUTE: string; PRICE_ANALYSIS_PER_RECORD: string };

export function pricesOf({ PRICE_TRANSCRIPTION_PER_MINUTE, PRICE_ANALYSIS_PER_RECORD }: Settings): Prices {
  return { transcriptionPerMinute: PRICE_TRANSCRIPTION_PER_MINUTE, analysisPerRecord: PRICE_ANALYSIS_PER_RECORD };
}
