import { ProviderError, type ProviderErrorOptions } from '../../lib/provider-error.ts';

/** What can go wrong in speech recognition. */
const isRetryable = {
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
};

export type SpeechErrorCode = keyof typeof isRetryable;

export class SpeechError extends ProviderError<SpeechErrorCode> {
  constructor(code: SpeechErrorCode, message: string, options?: ProviderErrorOptions) {
    super(isRetryable, code, message, options);
  }
}
