import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from '@prometheus-io/client';

/** The metrics of this process. */
export const registry = register;

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const workBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];
const waitBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5];

const requests = new Counter({
  name: 'earshot_http_requests_total',
  help: 'Requests that were answered.',
  labelNames: ['method', 'route', 'status'],
});
const requestSeconds = new Histogram({
  name: 'earshot_http_request_duration_seconds',
  help: 'From the first byte of a request to the last byte of its answer.',
  labelNames: ['method', 'route'],
  buckets: requestBuckets,
});
const toolCalls = new Histogram({
  name: 'earshot_mcp_tool_duration_seconds',
  help: 'Calls of tools by assistants. The outcome is "ok" or the code of the error.',
  labelNames: ['tool', 'outcome'],
  buckets: requestBuckets,
});
const steps = new Histogram({
  name: 'earshot_pipeline_step_duration_seconds',
  help: 'Attempts of pipeline steps. An outcome of "error" is tried again, or ends the run.',
  labelNames: ['function', 'step', 'outcome'],
  buckets: workBuckets,
});
const runs = new Counter({
  name: 'earshot_pipeline_runs_total',
  help: 'Runs of pipeline functions that have ended here. What was "replaced" failed, and the call goes on without it.',
  labelNames: ['function', 'outcome'],
});
const providerCalls = new Histogram({
  name: 'earshot_provider_duration_seconds',
  help: 'Calls to what the service depends on: speech engines, language models, storage, CRM, sources of recordings.',
  labelNames: ['provider', 'operation', 'outcome'],
  buckets: workBuckets,
});
const providerErrors = new Counter({
  name: 'earshot_provider_errors_total',
  help: 'Calls that failed, by the code of the failure.',
  labelNames: ['provider', 'operation', 'code'],
});
const deliveries = new Histogram({
  name: 'earshot_delivery_duration_seconds',
  help: 'Attempts to deliver webhooks and mails. "failed" is tried again, "given_up" is not.',
  labelNames: ['channel', 'outcome'],
  buckets: requestBuckets,
});
const announcedAgain = new Counter({
  name: 'earshot_orders_announced_again_total',
  help: 'Orders that the pipeline had taken and not done in their time, by the event that ordered them.',
  labelNames: ['type'],
});
const budgetRefusals = new Counter({
  name: 'earshot_budget_refusals_total',
  help: 'Work that was refused since the budget left no room for it.',
});
const shareRefusals = new Counter({
  name: 'earshot_db_share_refusals_total',
  help: 'Requests and steps that were refused since their organization held its share of the connections.',
});
const connectionWaits = new Histogram({
  name: 'earshot_db_connection_wait_seconds',
  help: 'How long transactions of requests and steps waited for a connection to the database, its first answer included.',
  buckets: waitBuckets,
});
const transactions = new Gauge({
  name: 'earshot_db_transactions',
  help: 'Transactions under way or waiting for a connection.',
});

/** HTTP methods that become labels; anything else counts as `OTHER`. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export type CountedRequest = { method: string; route: string | undefined; status: number; seconds: number };

/** `route` is the pattern that the address matched, never the address itself. */
export function countRequest({ method: given, route = 'none', status, seconds }: CountedRequest): void {
  const method = methods.has(given) ? given : 'OTHER';
  requests.inc({ method, route, status });
  requestSeconds.observe({ method, route }, seconds);
}

export type CountedToolCall = { tool: string; outcome: string; seconds: number };

/** `tool` is one of ours, never what a client asked for; `outcome` is `ok` or a code of ours. */
export function countToolCall({ tool, outcome, seconds }: CountedToolCall): void {
  toolCalls.observe({ tool, outcome }, seconds);
}

const boundStep = bound(200);

export type CountedStep = { functionId: string; step: string; outcome: 'ok' | 'error'; seconds: number };

export function countStep({ functionId, step, outcome, seconds }: CountedStep): void {
  steps.observe({ function: functionId, step: boundStep(step), outcome }, seconds);
}

export function countRun({
  functionId,
  outcome,
}: {
  functionId: string;
  outcome: 'completed' | 'failed' | 'replaced';
}): void {
  runs.inc({ function: functionId, outcome });
}

const boundCode = bound(100);

export type CountedCall = { provider: string; operation: string; error: unknown; seconds: number };

/** `error` is undefined if the call succeeded. Provider and operation are fixed names, never user input. */
export function countProviderCall({ provider, operation, error, seconds }: CountedCall): void {
  providerCalls.observe({ provider, operation, outcome: error === undefined ? 'ok' : 'error' }, seconds);
  if (error !== undefined) providerErrors.inc({ provider, operation, code: boundCode(codeOf(error)) });
}

export type CountedDelivery = {
  channel: 'webhook' | 'mail';
  outcome: 'delivered' | 'failed' | 'given_up';
  seconds: number;
};

export function countDelivery({ channel, outcome, seconds }: CountedDelivery): void {
  deliveries.observe({ channel, outcome }, seconds);
}

/** `type` is one of our own event types. */
export function countAnnouncedAgain(type: string): void {
  announcedAgain.inc({ type });
}

export function countBudgetRefusal(): void {
  budgetRefusals.inc();
}

export function countShareRefusal(): void {
  shareRefusals.inc();
}

/** Starts measuring a transaction. Call `started` once it has a connection, and `ended` in any case. */
export function countTransaction(): { started(): void; ended(): void } {
  const from = performance.now();
  transactions.inc();
  return {
    started: () => connectionWaits.observe((performance.now() - from) / 1000),
    ended: () => transactions.dec(),
  };
}

let isProcessCounted = false;

/** Memory, garbage collection, event loop and file descriptors of this process. */
export function countProcess(): void {
  if (isProcessCounted) return;
  isProcessCounted = true;
  collectDefaultMetrics();
}

const codePattern = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;

/** Our own errors and Node's have a code; of other errors only the class is used, since messages may hold anything. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? error.code : 'reason' in error ? error.reason : error.name;
  return typeof code === 'string' && codePattern.test(code) ? code : 'unknown';
}

/**
 * Limits the distinct values of a label; further ones become `other`. Each value costs memory here and in the
 * monitoring system.
 */
function bound(countMax: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= countMax) return 'other';
    known.add(value);
    return value;
  };
}
