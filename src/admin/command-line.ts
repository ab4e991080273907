import { CommanderError } from 'commander';
import { z } from 'zod';
import { buildProgram } from './program.ts';
import { openSession } from './session.ts';
import { findMisspelt } from '../config/config.ts';
import { AppError } from '../lib/errors.ts';

const failed = 1;
const misused = 2;
const interrupted = 130;

/** Runs the command in this process's arguments, and sets its exit code. */
export async function runCommandLine({ end }: { end: (exitCode: number) => void }): Promise<void> {
  const session = openSession({ isVerbose: () => program.opts().verbose === true });
  const program = buildProgram({ session });
  program.hook('preAction', (_program, command) => {
    // The doctor prints its own line for each.
    if (command.name() === 'doctor') return;
    for (const message of findMisspelt()) process.stderr.write(`warning: ${message}\n`);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void session.close().finally(() => end(interrupted)));
  }
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = report(error, program.opts().verbose === true);
  } finally {
    await session.close();
  }
}

/** Prints the error to stderr, and returns the exit code. Commander has printed its own errors already. */
function report(error: unknown, isVerbose: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
  if (error instanceof z.ZodError) {
    process.stderr.write(
      `error: ${error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')}\n`,
    );
    return misused;
  }
  process.stderr.write(`error: ${explain(error)}\n`);
  if (isVerbose && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return failed;
}

/** Our own message if there is one, else that of the first cause: wrappers name statements, not reasons. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof AppError || error.cause === undefined ? error.message : explain(error.cause);
}
