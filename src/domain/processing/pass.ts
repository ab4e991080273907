import type { AnalysisEngine } from '../../model/analysis.ts';
import type { TokenUse } from '../billing/prices.ts';
import type { RedactionDepth } from '../../model/redaction.ts';
import type { Transcript } from '../../model/transcript.ts';

/** One pass of a record through the pipeline. A retry by the user begins the next attempt; what belongs to an older one is void. */
export type Pass = { recordId: string; attempt: number };

export type ScoredBy = {
  profile: { id: string; version: number; name: string };
  engine: AnalysisEngine;
  /** What the model's answers took that it rests on; null where the rules answered alone. */
  tokens: TokenUse | null;
  transcriptVersion: number;
  /** What had been taken out of that when it was read. */
  redaction: RedactionDepth;
  transcriptSource: Transcript['source'];
  durationMs: number;
};
