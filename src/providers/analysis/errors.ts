import { providerError } from '../../lib/provider-error.ts';

/** What can go wrong when a language model is asked about a call. */
export class AnalysisError extends providerError({
  ANALYSIS_ENGINE_MISSING: false,
  ANALYSIS_UNAUTHORIZED: false,
  ANALYSIS_REJECTED: false,
  ANALYSIS_REFUSED: false,
  ANALYSIS_BAD_RESPONSE: false,
  ANALYSIS_CALL_TOO_LONG: false,
  ANALYSIS_RATE_LIMITED: true,
  ANALYSIS_UNAVAILABLE: true,
  ANALYSIS_TIMEOUT: true,
}) {}

export type AnalysisErrorCode = AnalysisError['code'];
