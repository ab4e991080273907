import type { Sql } from 'postgres';
import type { Logger } from '../../lib/logger.ts';
import { withRetries } from '../base/with-retries.ts';
import { plainError, type Executor } from './executor.ts';
import { applyTransition } from './store-transitions.ts';
import { StoppingError } from './stopping-error.ts';
import { toTransition } from './transition.ts';
import type { FunctionSpec, Item, Outcome, Transition } from './types.ts';

export type WorkerOptions = {
  sql: Sql;
  log: Logger;
  owner: number;
  executor: Executor;
  specs: ReadonlyMap<string, FunctionSpec>;
  backoffMs(attempt: number): number;
  /** Aborted when the engine stops and has waited long enough. */
  abandoned: AbortSignal;
};

export type Worker = { work(item: Item): Promise<Transition | 'lost' | 'abandoned'> };

/** How often a process must die alone with an item before the item counts as the cause. */
const crashesMax = 3;
/**
 * Total number of deaths, for the case that no process could be alone with it: nobody tolerates so many restarts, and
 * it is no coincidence.
 */
const lossesMax = 50;

/** Completes one leased item: calls the function, then commits the outcome. Never rejects. */
export function createWorker(options: WorkerOptions): Worker {
  const { sql, log, owner, executor, specs, backoffMs, abandoned } = options;

  async function decide(item: Item): Promise<Transition | 'abandoned'> {
    const spec = specs.get(item.functionId);
    if (!spec) return failure('NonRetriableError', `There is no function "${item.functionId}".`);
    if (item.crashes >= crashesMax || item.losses >= lossesMax) {
      const alone = item.crashes > 0 ? `, ${item.crashes} times with nothing else to do` : '';
      return failure('WorkerLostError', `The process ended ${item.losses} times during this step${alone}.`);
    }
    const outcome = await executor.execute(item, spec.attemptsMax);
    if (isNotBegun(outcome)) return 'abandoned';
    const context = { attemptsMax: spec.attemptsMax, backoffMs, hasFunction: (id: string) => specs.has(id) };
    const transition = toTransition(outcome, item, context);
    // Failures caused by the stop itself are not the step's fault: the item goes back unchanged.
    const isUnfinished = transition.kind === 'retry' || transition.kind === 'fail';
    return abandoned.aborted && isUnfinished ? 'abandoned' : transition;
  }

  async function save(item: Item, transition: Transition): Promise<boolean> {
    const save = () => applyTransition(sql, { owner, item }, { transition, specs });
    return withRetries(save, { stopping: abandoned, isFinal: isRefused });
  }

  async function saveOrFail(item: Item, transition: Transition): Promise<Transition | 'lost'> {
    try {
      return (await save(item, transition)) ? transition : 'lost';
    } catch (error) {
      if (!isRefused(error)) throw error;
      log.error({ runId: item.runId, functionId: item.functionId, err: error }, 'pipeline: a result was refused');
      // The same result would be refused for ever.
      const failed = failure('NonRetriableError', `The result could not be stored: ${plainError(error).message}`);
      return (await save(item, failed)) ? failed : 'lost';
    }
  }

  return {
    async work(item) {
      const context = { functionId: item.functionId, runId: item.runId, stepId: item.stepId, attempt: item.attempt };
      try {
        const decided = await decide(item);
        if (decided === 'abandoned') return decided;
        const saved = await saveOrFail(item, decided);
        if (saved === 'lost') log.warn(context, 'pipeline: the lease has passed to another instance; result dropped');
        else logTransition(log, saved, context);
        return saved;
      } catch (error) {
        log.error({ ...context, err: error }, 'pipeline: a result could not be saved; the step will run again');
        return 'lost';
      }
    },
  };
}

/** The step noticed that its process is about to end, and goes back unchanged. */
function isNotBegun(outcome: Outcome): boolean {
  if (outcome.kind === 'ops') return outcome.ops.some(({ error }) => isStopping(error));
  return outcome.kind === 'rejected' && isStopping(outcome.error);
}

/** By name, as the SDK keeps nothing else of an error. */
function isStopping(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === StoppingError.name;
}

function failure(name: string, message: string): Transition {
  return { kind: 'fail', error: { name, message }, steps: [] };
}

/** Data errors and violated constraints are permanent; other errors may be temporary (connections, locks, restarts). */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('22') || code.startsWith('23') || code.startsWith('54');
}

function logTransition(log: Logger, transition: Transition, context: Record<string, unknown>): void {
  if (transition.kind === 'fail') log.warn({ ...context, error: messageOf(transition.error) }, 'pipeline: run failed');
  if (transition.kind === 'retry')
    log.info({ ...context, delayMs: transition.delayMs }, 'pipeline: step will be retried');
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
