import type { Cron } from 'croner';

export type EngineEvent = {
  id: string;
  name: string;
  data: Record<string, unknown>;
  /** Milliseconds since 1970. */
  ts: number;
};

/** `failureOf`: the function whose failures a handler is for. */
export type EventTrigger = { event: string; failureOf: string | null };
export type CronTrigger = { pattern: string; schedule: Cron };

/** What the engine knows about a function; `<id>-failure` handlers are separate functions. */
export type FunctionSpec = {
  id: string;
  /** The first attempt and its retries. */
  attemptsMax: number;
  events: EventTrigger[];
  crons: CronTrigger[];
  /** Concurrent items of the function, and of each lane. */
  limit: number | null;
  laneLimit: number | null;
  laneOf(event: EngineEvent): string;
};

/** An operation that the SDK reports. Field names are those of the protocol. */
export type Op = {
  id: string;
  op: string;
  name?: string | null | undefined;
  displayName?: string | null | undefined;
  data?: unknown;
  error?: unknown;
  opts?: Record<string, unknown> | null | undefined;
};

export type StepState = { type: 'data'; data: unknown } | { type: 'error'; error: unknown };

/** A leased queue item with everything needed to call the function. */
export type Item = {
  id: number;
  runId: string;
  stepId: string;
  functionId: string;
  lane: string;
  attempt: number;
  deliveries: number;
  /** Leases that ended with the death of their holder, whatever the cause. */
  losses: number;
  /** Deaths of a process that worked on this item alone. */
  crashes: number;
  event: EngineEvent;
  /** The step of another run that waits for this one. */
  parent: { runId: string; stepId: string } | null;
  steps: { id: string; state: StepState }[];
  /** Whether other steps of the run are running or awaited. */
  hasPending: boolean;
};

/** The outcome of a call of the SDK. */
export type Outcome =
  | { kind: 'ops'; ops: Op[]; retryAfterMs: number | undefined }
  | { kind: 'completed'; output: unknown }
  | { kind: 'rejected'; error: unknown; isRetriable: boolean; retryAfterMs: number | undefined };

export type NewWait = {
  stepId: string;
  kind: 'sleep' | 'invoke';
  delayMs: number;
};

export type ChildRun = { stepId: string; functionId: string; event: EngineEvent };

export type SavedStep = { stepId: string; name: string | null; state: StepState };

/** The change that an outcome makes to a run. */
export type Transition =
  | { kind: 'complete'; output: unknown }
  | { kind: 'fail'; error: unknown; steps: SavedStep[] }
  | { kind: 'retry'; delayMs: number; steps: SavedStep[] }
  | {
      kind: 'advance';
      steps: SavedStep[];
      /** Steps to be called one by one, beside each other. */
      planned: string[];
      waits: NewWait[];
      children: ChildRun[];
      /** Whether the function must be called again once nothing is pending. */
      isDiscoveryDue: boolean;
    };

export const discoveryStepId = 'step';

export const failedEventName = 'inngest/function.failed';
