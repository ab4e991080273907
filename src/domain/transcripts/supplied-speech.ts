import type { SpeakerRole, Word } from '../../model/transcript.ts';

/** A speaker as the source describes it; `role` is null if unknown. */
export type SuppliedVoice = { id: string | null; role: SpeakerRole | null; name: string | null };

/** Speech of one speaker, in whatever format it came. `voice` is the key of its speaker. */
export type SuppliedSegment = {
  voice: string;
  startMs: number;
  endMs: number;
  text: string;
  channel: number;
  confidence: number | null;
  words: Word[];
};

export type SuppliedSpeech = {
  language: string | null;
  channels: number;
  voices: Map<string, SuppliedVoice>;
  segments: SuppliedSegment[];
};
