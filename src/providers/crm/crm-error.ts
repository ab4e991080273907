/**
 * What a portal may answer instead of a result:
 *   expired      the access token; a new one is asked for
 *   busy         too many requests, or too much work: later
 *   unavailable  no answer, or none that makes sense: later
 *   suspended    nobody gets anything from this portal until its people have done something about it
 *   refused      this request, and it would be refused again
 */
export type CrmProblem = 'expired' | 'busy' | 'unavailable' | 'suspended' | 'refused';

type CrmErrorOptions = { cause?: unknown; retryAfterMs?: number | undefined };

/** Why a CRM gave no result. `code` is the CRM's own word where it has one. */
export class CrmError extends Error {
  readonly problem: CrmProblem;
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(problem: CrmProblem, code: string, options: CrmErrorOptions = {}) {
    super(`Bitrix24 ${words[problem]} (${code}).`, { cause: options.cause });
    this.name = 'CrmError';
    this.problem = problem;
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** As errors of all providers say it. */
  get retryable(): boolean {
    return this.problem === 'busy' || this.problem === 'unavailable' || this.problem === 'expired';
  }
}

const words: Record<CrmProblem, string> = {
  expired: 'does not take the access token any more',
  busy: 'asks for a pause',
  unavailable: 'does not answer',
  suspended: 'has closed the portal to the application',
  refused: 'refuses the request',
};
