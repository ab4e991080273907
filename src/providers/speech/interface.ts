import type { DecodedAudio } from '../audio/decode.ts';
import type { AudioSource } from '../audio/formats.ts';
import type { SpeakerRole } from '../../model/transcript.ts';

/** Times are milliseconds on the recording's clock. */
export type HeardWord = { text: string; startMs: number; endMs: number; confidence: number | null };

/** Speech of one voice as an engine reports it; `words` is empty if it gives no word times. */
export type HeardUtterance = {
  /** Index in the recording, from 0. */
  channel: number;
  /** Tells voices of one channel apart; null if the engine does not. */
  voice: string | null;
  startMs: number;
  endMs: number;
  text: string;
  confidence: number | null;
  words: HeardWord[];
};

export type SpeechRequest = {
  /** The original recording. */
  source: AudioSource;
  /** The same, decoded to one file for each distinct voice. */
  audio: DecodedAudio;
  /** BCP 47 tag, or null to let the engine detect it. */
  language: string | null;
  /** An empty folder that the caller deletes. */
  workDir: string;
  signal: AbortSignal;
};

export type SpeechResult = {
  /** Engine and model, e.g. `pocketsphinx/en-us`. */
  model: string;
  language: string | null;
  utterances: HeardUtterance[];
};

/** Turns sound into words. Throws `SpeechError`, or the signal's reason. */
export type SpeechEngine = {
  name: 'pocketsphinx' | 'openai' | 'deepgram' | 'local';
  transcribe: (request: SpeechRequest) => Promise<SpeechResult>;
};

/** Who of the voices is the agent, and who the customer, by their channels and words. */
export type AssignRoles = (given: {
  voices: readonly { id: string; role: SpeakerRole | null; channel: number; texts: readonly string[] }[];
  layout: 'separate' | 'mixed';
  agentName: string | null;
}) => ReadonlyMap<string, SpeakerRole>;
