import { Middleware } from 'inngest';
import { countRun, countStep } from '../lib/metrics.ts';
import { withSpan } from '../lib/tracing.ts';

/** Times every attempt of every step, whichever engine runs it, and makes it part of the trace that its event came with. */
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

/** Functions whose callers go on without them: the rules answer where no model does. */
const replaced = new Set(['ask-model']);

/** What a step does, without what tells it from others of its kind: its turn (`attempt-3`), or whom it is for (`send:…`). */
function kindOf(stepId: string): string {
  return stepId.replace(/:.*$|-\d+$/, '');
}

function traceparentOf(data: unknown): string | undefined {
  const isObject = typeof data === 'object' && data !== null;
  return isObject && 'traceparent' in data && typeof data.traceparent === 'string' ? data.traceparent : undefined;
}
