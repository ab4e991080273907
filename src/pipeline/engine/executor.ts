import { InngestCommHandler, type Inngest, type InngestFunction } from 'inngest';
import { toSafeError } from '../base/safe-errors.ts';
import { parseRetryAfterMs } from './duration.ts';
import { discoveryStepId, type Item, type Op, type Outcome } from './types.ts';

type Call = { functionId: string; stepId: string; body: unknown };
type Answer = { status: number; headers: Record<string, string>; body: unknown };

export type Executor = { execute(item: Item, attemptsMax: number): Promise<Outcome> };

/**
 * Calls functions as an Inngest server does (SDK protocol, request version 2), without a socket: requests and answers
 * are plain objects. Never rejects; errors of the SDK itself count as retriable failures.
 */
export function createExecutor(client: Inngest.Any, functions: readonly InngestFunction.Any[]): Executor {
  const handle = createHandler(client, functions);
  return {
    async execute(item, attemptsMax) {
      const { functionId, stepId } = item;
      try {
        return toOutcome(await handle({ functionId, stepId, body: toBody(item, attemptsMax) }));
      } catch (error) {
        return { kind: 'rejected', error: plainError(error), isRetriable: true, retryAfterMs: undefined };
      }
    },
  };
}

function createHandler(
  client: Inngest.Any,
  functions: readonly InngestFunction.Any[],
): (call: Call) => Promise<Answer> {
  const handler = new InngestCommHandler<[Call], Answer>({
    frameworkName: 'embedded',
    client,
    functions: [...functions],
    handler: ({ functionId, stepId, body }: Call) => ({
      // The SDK accepts parsed bodies too, though its type only allows text.
      body: () => body as string,
      headers: (name: string) => (name === 'x-inngest-req-version' ? '2' : undefined),
      method: () => 'POST',
      url: () => new URL(`http://engine.invalid/?fnId=${encodeURIComponent(functionId)}&stepId=${stepId}`),
      transformResponse: ({ status, headers, body: text }) => ({ status, headers, body: parse(text) }),
    }),
  });
  return handler.createHandler();
}

function toBody(
  { event, steps, runId, stepId, attempt, functionId, id, deliveries, hasPending }: Item,
  attemptsMax: number,
) {
  return {
    event,
    events: [event],
    steps: Object.fromEntries(steps.map((step) => [step.id, step.state])),
    ctx: {
      run_id: runId,
      attempt,
      max_attempts: attemptsMax,
      // While something of the run is pending, a discovery may only plan: otherwise two calls could run the same step.
      disable_immediate_execution: stepId === discoveryStepId && hasPending,
      use_api: false,
      stack: { stack: steps.map((step) => step.id), current: steps.length },
      // Both make the SDK save steps as it goes (checkpointing).
      fn_id: functionId,
      qi_id: `${id}:${deliveries}`,
    },
  };
}

function toOutcome({ status, headers, body }: Answer): Outcome {
  const header = lowerCaseKeys(headers);
  const retryAfter = header['retry-after'];
  const retryAfterMs = retryAfter === undefined ? undefined : parseRetryAfterMs(retryAfter);
  if (status === 206) return { kind: 'ops', ops: (Array.isArray(body) ? body : [body]) as Op[], retryAfterMs };
  if (status === 200) return { kind: 'completed', output: body };
  return { kind: 'rejected', error: body, isRetriable: header['x-inngest-no-retry'] !== 'true', retryAfterMs };
}

function lowerCaseKeys(headers: Record<string, string>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function parse(text: string): unknown {
  return text === '' ? null : JSON.parse(text);
}

/** Storable: without data that the message quotes. */
export function plainError(error: unknown): { name: string; message: string } {
  const { name, message } = toSafeError(error);
  return { name, message };
}
