/** What can go wrong when a language model is asked about a call. */
export const analysisErrorTable = {
  ANALYSIS_ENGINE_MISSING: { isRetryable: false },
  ANALYSIS_UNAUTHORIZED: { isRetryable: false },
  ANALYSIS_REJECTED: { isRetryable: false },
  ANALYSIS_REFUSED: { isRetryable: false },
  ANALYSIS_BAD_RESPONSE: { isRetryable: false },
  ANALYSIS_CALL_TOO_LONG: { isRetryable: false },
  ANALYSIS_RATE_LIMITED: { isRetryable: true },
  ANALYSIS_UNAVAILABLE: { isRetryable: true },
  ANALYSIS_TIMEOUT: { isRetryable: true },
} as const;

export type AnalysisErrorCode = keyof typeof analysisErrorTable;

type AnalysisErrorOptions = { retryAfterMs?: number | undefined; internal?: string | undefined };

/** `message` may be shown with an analysis and never contains a key; `internal` is for the log only. */
export class AnalysisError extends Error {
  readonly code: AnalysisErrorCode;
  readonly retryable: boolean;
  /** How long the provider asks us to wait. */
  readonly retryAfterMs: number | undefined;
  readonly internal: string | undefined;

  constructor(code: AnalysisErrorCode, message: string, options: AnalysisErrorOptions = {}) {
    super(message);
    this.name = 'AnalysisError';
    this.code = code;
    this.retryable = analysisErrorTable[code].isRetryable;
    this.retryAfterMs = options.retryAfterMs;
    this.internal = options.internal;
  }
}
