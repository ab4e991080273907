/** What can go wrong in speech recognition. */
export const speechErrorTable = {
  SPEECH_ENGINE_MISSING: { isRetryable: false },
  SPEECH_LANGUAGE_UNSUPPORTED: { isRetryable: false },
  SPEECH_MODEL_UNUSABLE: { isRetryable: false },
  SPEECH_OUT_OF_MEMORY: { isRetryable: false },
  SPEECH_UNAUTHORIZED: { isRetryable: false },
  SPEECH_REJECTED: { isRetryable: false },
  SPEECH_RATE_LIMITED: { isRetryable: true },
  SPEECH_UNAVAILABLE: { isRetryable: true },
  SPEECH_TIMEOUT: { isRetryable: true },
  SPEECH_BAD_RESPONSE: { isRetryable: true },
  SPEECH_FAILED: { isRetryable: true },
} as const;

export type SpeechErrorCode = keyof typeof speechErrorTable;

type SpeechErrorOptions = { retryAfterMs?: number | undefined; internal?: string | undefined; cause?: unknown };

/** `message` may be shown as the record's failure and never contains a key; `internal` is for the log only. */
export class SpeechError extends Error {
  readonly code: SpeechErrorCode;
  readonly retryable: boolean;
  /** How long the provider asks us to wait. */
  readonly retryAfterMs: number | undefined;
  readonly internal: string | undefined;

  constructor(code: SpeechErrorCode, message: string, options: SpeechErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'SpeechError';
    this.code = code;
    this.retryable = speechErrorTable[code].isRetryable;
    this.retryAfterMs = options.retryAfterMs;
    this.internal = options.internal;
  }
}
