import { Middleware } from 'inngest';
import { countRun, countStep } from '../lib/metrics.ts';
import { withSpan } from '../lib/tracing.ts';

/** Measures every attempt of every step, whichever engine runs it, and adds it to the trace of its event. */
export class Observer extends Middleware.BaseMiddleware {
  readonly id = 'earshot-observer';

  override async wrapStepHandler({ ctx, fn, stepInfo, next }: Middleware.WrapStepHandlerArgs): Promise<unknown> {
    const functionId = fn.id();
    const step = kindOf(stepInfo.options.id);
    const from = performance.now();
    const count = (outcome: 'ok' | 'error') =>
      countStep({ functionId, step, outcome, seconds: (performance.now() - from) / 1000 });
    const attributes = { 'earshot.function': functionId, 'earshot.step': step, 'earshot.attempt': ctx.attempt };
    const parent = traceparentOf(ctx.event.data);
    return withSpan({ name: `${functionId} ${step}`, kind: 'consumer', attributes, parent }, async () => {
      try {
        const result = await next();
        count('ok');
        return result;
      } catch (error) {
        count('error');
        throw error;
      }
    });
  }

  override onRunComplete({ fn }: Middleware.OnRunCompleteArgs): void {
    countRun({ functionId: fn.id(), outcome: 'completed' });
  }

  override onRunError({ fn, isFinalAttempt }: Middleware.OnRunErrorArgs): void {
    if (isFinalAttempt) countRun({ functionId: fn.id(), outcome: replaced.has(fn.id()) ? 'replaced' : 'failed' });
  }
}

/** Functions that their callers can do without: if no model answers, the rules do. */
const replaced = new Set(['ask-model']);

/** The kind of a step, without the part that identifies it: its number (`attempt-3`), or its recipient (`send:…`). */
function kindOf(stepId: string): string {
  return stepId.replace(/:.*$|-\d+$/, '');
}

function traceparentOf(data: unknown): string | undefined {
  const isObject = typeof data === 'object' && data !== null;
  return isObject && 'traceparent' in data && typeof data.traceparent === 'string' ? data.traceparent : undefined;
}
