import type { HeavyTasks } from '../domain/heavy-work.ts';
import { AppError, appErrorOf, type ErrorCode, type ErrorDetail } from '../lib/errors.ts';
import { TooExpensiveError, type Expense } from '../lib/too-expensive.ts';

export type TaskName = keyof HeavyTasks;
/** A task for a process, which does one at a time. */
export type Order = { task: TaskName; input: unknown };
/** How the task ended, and how much memory the process holds now. */
export type Reply = { heapBytes: number } & ({ result: unknown } | { fault: Fault });

/** A message from the process. The first is `ready`, as starting takes some processor time. */
export type Report = 'ready' | Reply;

type Fault =
  | { kind: 'expensive'; expense: Expense }
  | { kind: 'refusal'; code: ErrorCode; message: string; details: ErrorDetail[] | undefined }
  | { kind: 'error'; name: string; message: string; stack: string | undefined };

/** Errors lose their class on the way between processes. */
export function toFault(error: unknown): Fault {
  if (error instanceof TooExpensiveError) return { kind: 'expensive', expense: error.expense };
  if (error instanceof AppError) {
    const { code, message, details } = error;
    return { kind: 'refusal', code, message, details };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'error', name, message, stack };
}

export function toError(fault: Fault): Error {
  switch (fault.kind) {
    case 'expensive':
      return new TooExpensiveError(fault.expense);
    case 'refusal':
      return appErrorOf(fault);
    case 'error':
      return Object.assign(new Error(fault.message), { name: fault.name, stack: fault.stack });
    default:
      return fault satisfies never;
  }
}
