import { ProviderError, type ProviderErrorOptions } from '../../lib/provider-error.ts';

/** What can be wrong with a recording, or with the tools that read it. */
const isRetryable = {
  AUDIO_UNDECODABLE: false,
  AUDIO_EMPTY: false,
  AUDIO_TOO_LONG: false,
  AUDIO_TRUNCATED: false,
  AUDIO_DAMAGED: false,
  AUDIO_TIMEOUT: true,
  AUDIO_INTERRUPTED: true,
  FFMPEG_MISSING: true,
};

export type AudioErrorCode = keyof typeof isRetryable;

export class AudioError extends ProviderError<AudioErrorCode> {
  constructor(code: AudioErrorCode, message: string, options?: ProviderErrorOptions) {
    super(isRetryable, code, message, options);
  }
}
