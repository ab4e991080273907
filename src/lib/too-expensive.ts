/** The resource that a task used too much of. */
export type Expense = 'words' | 'steps' | 'time' | 'memory';

/** A call exceeded what one call may use. Retrying does not help: the call or the profile is too large. */
export class TooExpensiveError extends Error {
  readonly expense: Expense;

  constructor(expense: Expense) {
    super(`It takes more ${expense} than one call may.`);
    this.name = 'TooExpensiveError';
    this.expense = expense;
  }
}
