import { Cron } from 'croner';
import type { InngestFunction } from 'inngest';
import { failedEventName, type CronTrigger, type EngineEvent, type EventTrigger, type FunctionSpec } from './types.ts';

type Config = {
  id: string;
  triggers: readonly { event?: string; expression?: string; cron?: string; jitter?: string }[];
  concurrency?: unknown;
  steps: Record<string, { retries?: { attempts?: number } | undefined }>;
};

const supportedOptions = new Set([
  'id',
  'name',
  'description',
  'triggers',
  'retries',
  'concurrency',
  'onFailure',
  'checkpointing',
  'middleware',
]);
const retriesDefault = 3;

/** As the SDK writes the trigger of a failure handler. */
const failureCondition = /^event\.data\.function_id == '([^'\\]+)'$/;

/** What a function may do with `step`. Servers offer more, and would run what this engine rejects. */
const supportedTools = new Set(['run', 'sleep', 'sleepUntil', 'invoke']);

/**
 * Reads the functions' configuration. Throws one error that lists every unsupported option, trigger, expression and
 * kind of step: ignoring them would change what a function does.
 */
export function readFunctionSpecs(functions: readonly InngestFunction.Any[], appId: string): FunctionSpec[] {
  const mistakes: string[] = [];
  const specs = functions.flatMap((fn) => {
    const options: Record<string, unknown> = { ...fn.opts };
    const unsupported = Object.keys(options).filter((key) => options[key] !== undefined && !supportedOptions.has(key));
    for (const option of unsupported) mistakes.push(`function "${fn.id()}": the option "${option}" is not supported`);
    for (const tool of unsupportedToolsOf(fn)) mistakes.push(`function "${fn.id()}": ${tool} is not supported`);
    return configsOf(fn, appId).flatMap((config, index) => {
      try {
        // The second one is the failure handler, whose trigger the SDK sets.
        if (index === 0) requireOwnEvents(config);
        return [toSpec(config)];
      } catch (error) {
        mistakes.push(`function "${fn.id()}": ${error instanceof Error ? error.message : String(error)}`);
        return [];
      }
    });
  });
  const ids = specs.map((spec) => spec.id);
  for (const id of ids.filter((id, index) => ids.indexOf(id) !== index)) mistakes.push(`function "${id}" exists twice`);
  if (mistakes.length > 0)
    throw new Error(`The embedded pipeline engine cannot run these functions:\n  ${mistakes.join('\n  ')}`);
  return specs;
}

/** By the source of the function. A `step` that is passed on is not seen here, and fails the run with its name. */
function unsupportedToolsOf(fn: InngestFunction.Any): Set<string> {
  const text = String(fn['fn']);
  const tools = [...text.matchAll(/\bstep\??\.(\w+)/g)].map(([, tool = '']) => tool);
  const unsupported = tools.filter((tool) => !supportedTools.has(tool)).map((tool) => `"step.${tool}"`);
  return new Set(/\bmode:\s*["'`]race["'`]/.test(text) ? [...unsupported, 'a race of steps'] : unsupported);
}

function configsOf(fn: InngestFunction.Any, appId: string): Config[] {
  // What the SDK would register with a server: the function, and its failure handler as a second one.
  return fn['getConfig']({ baseUrl: new URL('http://engine.invalid/'), appPrefix: appId }) as unknown as Config[];
}

function toSpec(config: Config): FunctionSpec {
  const { limit, laneLimit, key } = readConcurrency(config.concurrency);
  return {
    id: config.id,
    attemptsMax: (config.steps['step']?.retries?.attempts ?? retriesDefault) + 1,
    events: config.triggers.flatMap(toEventTrigger),
    crons: config.triggers.flatMap(toCronTrigger),
    limit,
    laneLimit,
    laneOf: (event) => `${config.id}:${key ? key(event) : organizationOf(event)}`,
  };
}

/** Servers send events about every run's end and call; this engine only sends those for failure handlers. */
function requireOwnEvents({ triggers }: Config): void {
  for (const { event } of triggers) {
    if (event?.startsWith('inngest/')) throw new Error(`the trigger "${event}" is not supported`);
  }
}

function toEventTrigger({ event, expression }: Config['triggers'][number]): EventTrigger[] {
  if (event === undefined) return [];
  if (event.includes('*')) throw new Error(`the wildcard trigger "${event}" is not supported`);
  if (expression === undefined) return [{ event, failureOf: null }];
  const [, failureOf] = failureCondition.exec(expression) ?? [];
  if (event !== failedEventName || failureOf === undefined) throw unsupported(expression);
  return [{ event, failureOf }];
}

function toCronTrigger({ cron, jitter }: Config['triggers'][number]): CronTrigger[] {
  if (cron === undefined) return [];
  if (jitter !== undefined) throw new Error('"jitter" of a cron trigger is not supported');
  const [, timezone = 'UTC', pattern = cron] = /^TZ=(\S+)\s+(.*)$/.exec(cron) ?? [];
  return [{ pattern: cron, schedule: new Cron(pattern, { timezone, paused: true }) }];
}

/** Reads what is at a path such as `event.data.orgId` as text; what is missing reads as empty. */
function readKey(expression: string): Key {
  if (!/^event(\.[A-Za-z_]\w*)+$/.test(expression)) throw unsupported(expression);
  const [, ...path] = expression.split('.');
  return (event) => {
    const value = path.reduce<unknown>((from, name) => ownProperty(from, name), event) ?? '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
}

function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function unsupported(expression: string): Error {
  return new Error(`the expression "${expression}" is not supported`);
}

type Key = (event: EngineEvent) => string;
type Concurrency = { limit: number | null; laneLimit: number | null; key: Key | undefined };
type ConcurrencyOption = { limit?: unknown; key?: unknown; scope?: unknown };

function readConcurrency(given: unknown): Concurrency {
  const options = (Array.isArray(given) ? given : [given ?? []].flat()) as (number | ConcurrencyOption)[];
  const result: Concurrency = { limit: null, laneLimit: null, key: undefined };
  for (const option of options) {
    const { limit, key, scope, ...rest } = typeof option === 'number' ? { limit: option } : option;
    const unknown = Object.keys(rest);
    if (unknown.length > 0) throw new Error(`"concurrency.${unknown.join('", "concurrency.')}" is not supported`);
    if (scope !== undefined && scope !== 'fn')
      throw new Error(`the concurrency scope "${String(scope)}" is not supported`);
    if (typeof limit !== 'number' || limit < 0) throw new Error('"concurrency" needs a limit');
    const bound = limit === 0 ? null : limit;
    if (typeof key === 'string') {
      if (result.key) throw new Error('two concurrency keys are not supported');
      Object.assign(result, { laneLimit: bound, key: readKey(key) });
    } else {
      if (result.limit !== null) throw new Error('two concurrency limits without a key are not supported');
      result.limit = bound;
    }
  }
  return result;
}

/** Without a concurrency key, organizations still take turns. A failure handler belongs to its run's organization. */
function organizationOf({ data }: EngineEvent): string {
  if (typeof data['orgId'] === 'string') return data['orgId'];
  const cause = data['event'] as EngineEvent | undefined;
  const orgId = cause?.data?.['orgId'];
  return typeof orgId === 'string' ? orgId : '';
}
