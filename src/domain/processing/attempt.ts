import type { AnalysisEngine } from '../../model/analysis.ts';
import type { TokenUse } from '../billing/prices.ts';
import type { RedactionDepth } from '../../model/redaction.ts';
import type { Transcript } from '../../model/transcript.ts';
import type { DrawnWaveform } from '../../model/waveform.ts';
import type { KeptTranscript } from '../transcripts/kept-transcript.ts';

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

/** Whether there are model answers to delete, including those from before the model failed. */
export function isModelAsked({ engine }: ScoredBy): boolean {
  return engine.kind === 'model' || engine.fallback !== null;
}

export type HeardTranscript = {
  transcript: Transcript;
  durationMs: number;
  channels: number;
  waveform: DrawnWaveform;
};

/** The same, ready to be stored. */
export type KeptHeard = Omit<HeardTranscript, 'transcript'> & { transcript: KeptTranscript };
