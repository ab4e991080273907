import type { AnalysisEngine } from '../../model/analysis.ts';
import type { TokenUse } from '../billing/prices.ts';
import type { RedactionDepth } from '../../model/redaction.ts';
import type { Transcript } from '../../model/transcript.ts';

/** One attempt to process a record. A user's retry starts the next attempt, and work of earlier ones is void. */
export type ProcessingAttempt = { recordId: string; attempt: number };

export type ScoredBy = {
  profile: { id: string; version: number; name: string };
  engine: AnalysisEngine;
  /** Tokens of the model's answers that it is based on; null if only the rules answered. */
  tokens: TokenUse | null;
  transcriptVersion: number;
  /** The redaction of that transcript when it was read. */
  redaction: RedactionDepth;
  transcriptSource: Transcript['source'];
  durationMs: number;
};
