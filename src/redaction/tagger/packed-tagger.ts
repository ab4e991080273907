/** The tagger as it is kept: bytes as base64. */
export type PackedTagger = {
  /** What one step of a weight is worth, by label. */
  scales: readonly number[];
  /** Weights from label to label, in thousandths. */
  steps: readonly number[];
  /** Rows of the places that have weights: distance from the last such place, which labels have one, and these. */
  rows: string;
  /** Distance from the last word that is common, times four, and how common it is. */
  common: string;
};
