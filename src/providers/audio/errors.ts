/** What can be wrong with a recording, or with the tools that read it. */
export const audioErrorTable = {
  AUDIO_UNDECODABLE: { isRetryable: false },
  AUDIO_EMPTY: { isRetryable: false },
  AUDIO_TOO_LONG: { isRetryable: false },
  AUDIO_TRUNCATED: { isRetryable: false },
  AUDIO_DAMAGED: { isRetryable: false },
  AUDIO_TIMEOUT: { isRetryable: true },
  AUDIO_INTERRUPTED: { isRetryable: true },
  FFMPEG_MISSING: { isRetryable: true },
} as const;

export type AudioErrorCode = keyof typeof audioErrorTable;

type AudioErrorOptions = { internal?: string; cause?: unknown };

/** `message` may be shown as the record's failure; `internal` (the tool's output) is for the log only. */
export class AudioError extends Error {
  readonly code: AudioErrorCode;
  readonly retryable: boolean;
  readonly internal: string | undefined;

  constructor(code: AudioErrorCode, message: string, options: AudioErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AudioError';
    this.code = code;
    this.retryable = audioErrorTable[code].isRetryable;
    this.internal = options.internal;
  }
}
