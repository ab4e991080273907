/** What a piece of work has more of than it may take. */
export type Expense = 'words' | 'steps' | 'time' | 'memory';

/** Work on a call that takes more than one call may. Trying again changes nothing: the call or the profile is too large. */
export class TooExpensiveError extends Error {
  readonly expense: Expense;

  constructor(expense: Expense) {
    super(`It takes more ${expense} than one call may.`);
    this.name = 'TooExpensiveError';
    this.expense = expense;
  }
}
