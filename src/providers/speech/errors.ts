import { providerError } from '../../lib/provider-error.ts';

/** What can go wrong in speech recognition. */
export class SpeechError extends providerError({
  SPEECH_ENGINE_MISSING: false,
  SPEECH_LANGUAGE_UNSUPPORTED: false,
  SPEECH_MODEL_UNUSABLE: false,
  SPEECH_OUT_OF_MEMORY: false,
  SPEECH_UNAUTHORIZED: false,
  SPEECH_REJECTED: false,
  SPEECH_RATE_LIMITED: true,
  SPEECH_UNAVAILABLE: true,
  SPEECH_TIMEOUT: true,
  SPEECH_BAD_RESPONSE: true,
  SPEECH_FAILED: true,
}) {}

export type SpeechErrorCode = SpeechError['code'];
