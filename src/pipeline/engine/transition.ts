import { createHash } from 'node:crypto';
import { parseDelayMs } from './duration.ts';
import { type ChildRun, type Item, type Op, type Outcome, type SavedStep, type Transition } from './types.ts';

export type TransitionContext = {
  attemptsMax: number;
  /** Delay before the attempt after `attempt` (0 is the first). */
  backoffMs(attempt: number): number;
  hasFunction(functionId: string): boolean;
};

type Advance = Extract<Transition, { kind: 'advance' }>;

const invokeTimeoutDefault = '365d';
/** The step id under which the SDK reports the end of a run. */
const completeId = createHash('sha1').update('complete').digest('hex');

/** What an outcome changes in its run. Pure: the store carries it out. */
export function toTransition(outcome: Outcome, item: Item, context: TransitionContext): Transition {
  if (outcome.kind === 'completed') return { kind: 'complete', output: outcome.output };
  if (outcome.kind === 'rejected') {
    const isOver = !outcome.isRetriable || item.attempt + 1 >= context.attemptsMax;
    if (isOver) return { kind: 'fail', error: outcome.error, steps: [] };
    return { kind: 'retry', delayMs: outcome.retryAfterMs ?? context.backoffMs(item.attempt), steps: [] };
  }
  try {
    return fromOps(outcome, item, context);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'fail', error: { name: 'NonRetriableError', message }, steps: [] };
  }
}

function fromOps(
  { ops, retryAfterMs }: Extract<Outcome, { kind: 'ops' }>,
  item: Item,
  context: TransitionContext,
): Transition {
  const advance: Advance = { kind: 'advance', steps: [], planned: [], waits: [], children: [], isDiscoveryDue: false };
  for (const op of ops) {
    if (op.op === 'RunComplete') return { kind: 'complete', output: op.data ?? null };
    if (op.op === 'StepError' || (op.op === 'StepFailed' && op.id === completeId)) {
      const { steps } = advance;
      const isOver = op.op === 'StepFailed' || item.attempt + 1 >= context.attemptsMax;
      if (isOver) return { kind: 'fail', error: op.error, steps };
      return { kind: 'retry', delayMs: retryAfterMs ?? context.backoffMs(item.attempt), steps };
    }
    addOp(advance, op, context);
  }
  return advance;
}

function addOp(advance: Advance, op: Op, context: TransitionContext): void {
  if (op.opts?.['parallelMode'] === 'race') {
    throw new Error('A race of steps is not supported by the embedded pipeline engine.');
  }
  switch (op.op) {
    case 'StepRun':
    case 'Step':
    case 'StepFailed':
      advance.steps.push(toSavedStep(op));
      advance.isDiscoveryDue = true;
      return;
    case 'DiscoveryRequest':
      advance.isDiscoveryDue = true;
      return;
    case 'StepPlanned':
      advance.planned.push(op.id);
      return;
    case 'Sleep':
      advance.waits.push({ stepId: op.id, kind: 'sleep', delayMs: parseDelayMs(durationOf(op)) });
      return;
    case 'InvokeFunction':
      addInvocation(advance, op, context);
      return;
    default:
      throw new Error(`The step operation "${op.op}" is not supported by the embedded pipeline engine.`);
  }
}

export function toSavedStep(op: Op): SavedStep {
  const name = op.displayName ?? op.name ?? null;
  if (op.op === 'StepFailed') return { stepId: op.id, name, state: { type: 'error', error: op.error ?? op.data } };
  return { stepId: op.id, name, state: { type: 'data', data: op.data ?? null } };
}

function addInvocation(advance: Advance, op: Op, context: TransitionContext): void {
  const functionId = String(op.opts?.['function_id']);
  if (!context.hasFunction(functionId)) {
    const error = { name: 'Error', message: `There is no function "${functionId}" to invoke.` };
    advance.steps.push({ stepId: op.id, name: op.displayName ?? null, state: { type: 'error', error } });
    advance.isDiscoveryDue = true;
    return;
  }
  const payload = op.opts?.['payload'] as { data?: Record<string, unknown> } | undefined;
  const timeout = op.opts?.['timeout'];
  const delayMs = parseDelayMs(typeof timeout === 'string' ? timeout : invokeTimeoutDefault);
  const child: ChildRun = {
    stepId: op.id,
    functionId,
    event: { id: '', name: 'inngest/function.invoked', data: payload?.data ?? {}, ts: Date.now() },
  };
  advance.waits.push({ stepId: op.id, kind: 'invoke', delayMs });
  advance.children.push(child);
}

function durationOf(op: Op): string {
  const text = op.name ?? op.opts?.['duration'];
  if (typeof text !== 'string') throw new Error(`The step operation "${op.op}" names no duration.`);
  return text;
}
