/**
 * What a portal may answer instead of a result:
 *   expired      the access token has expired: renew it
 *   busy         too many requests, or too much work: try later
 *   unavailable  no answer, or no meaningful one: try later
 *   suspended    the portal answers nobody until its people act
 *   refused      the request is refused, and would be again
 */
export type CrmProblem = 'expired' | 'busy' | 'unavailable' | 'suspended' | 'refused';

type CrmErrorOptions = { cause?: unknown; retryAfterMs?: number | undefined };

/** Why a CRM returned no result. `code` is the CRM's own code, if it has one. */
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

  /** The name that errors of all providers use. */
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
