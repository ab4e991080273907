import type { Inngest, InngestFunction } from 'inngest';
import { appId, createPipelineClient } from '../client.ts';
import { deliverToEngine, deliverToServer, outboxLock } from '../delivery.ts';
import type { FunctionDeps, PipelineDeps } from '../dependencies.ts';
import { Engine } from '../engine/engine.ts';
import { readEngineStatus, type EngineStatus } from '../engine/runs.ts';
import { createAskModel } from '../functions/ask-model.ts';
import { hasLiveInstance } from '../engine/store-claims.ts';
import { createDeleteObjects } from '../functions/delete-objects.ts';
import { createDeliverWebhook, deliverWebhookId } from '../functions/deliver-webhook.ts';
import { createDrawWaveform } from '../functions/draw-waveform.ts';
import { createEvaluateAlerts } from '../functions/evaluate-alerts.ts';
import { createFetchCrmCall } from '../functions/fetch-crm-call.ts';
import { createMuteRecording } from '../functions/mute-recording.ts';
import { createProcessRecord } from '../functions/process-record.ts';
import { createReanalyzeRecord } from '../functions/reanalyze-record.ts';
import { createRetention } from '../functions/retention.ts';
import { createSendMail } from '../functions/send-mail.ts';
import { createReconcilePortal, createReconcilePortals } from '../functions/reconcile-portals.ts';
import { createReportToCrm } from '../functions/report-to-crm.ts';
import { createSweep } from '../functions/sweep.ts';
import { createTranscribeRecording } from '../functions/transcribe-recording.ts';
import { Leader } from '../leader.ts';
import { OutboxDrainer } from '../outbox.ts';
import { Quarantine } from '../quarantine.ts';
import { createServerProbe } from '../server-probe.ts';
import { readOutboxStatus, type OutboxStatus } from '../outbox-status.ts';

export type StopOptions = { graceMs?: number; isFault?: boolean };

export type Pipeline = {
  start(): Promise<void>;
  /**
   * Ends within `graceMs` plus two seconds: running work finishes, or goes back to the queue. With `isFault` it goes
   * back as if this process had been killed, since it may be the cause.
   */
  stop(options?: StopOptions): Promise<void>;
  /** Rejects if the pipeline does not work, with a reason for the log. */
  check(): Promise<void>;
  status(): Promise<{ outbox: OutboxStatus; engine: EngineStatus }>;
  /** Served at /api/inngest; null with the embedded engine, which needs no endpoint. */
  readonly endpoint: { client: Inngest; functions: InngestFunction.Any[] } | null;
};

/** Everything that happens after a request: durable functions, and what feeds them with events. */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const { PIPELINE_ENGINE, ROLE } = deps.config;
  if (PIPELINE_ENGINE === 'inngest') return createForServer(deps);
  return ROLE === 'web' ? createForOthers(deps) : createEmbedded(deps);
}

/** Runs nothing here: events are written to the database, and workers elsewhere take them from there. */
function createForOthers(deps: PipelineDeps): Pipeline {
  return {
    async start() {},
    async stop() {},
    async check() {
      if (!(await hasLiveInstance(deps.system))) throw new Error('No worker is running.');
    },
    status: () => readStatus(deps),
    endpoint: null,
  };
}

/** Concurrent requests to endpoints in this process; they spend nearly all their time waiting. */
const deliveriesMax = 256;
const graceMsDefault = 4000;
/** Functions that cost money or notify others: running one twice pays or notifies twice. */
const outward = ['ask-model', 'deliver-webhook', 'report-to-crm', 'send-mail', 'transcribe-recording'].map(
  (id) => `${appId}-${id}`,
);

function createEmbedded(deps: PipelineDeps): Pipeline {
  const { config, log, databaseUrl, system } = deps;
  const quarantine = new Quarantine({ sql: system, log, config, databaseUrl });
  const engine: Engine = new Engine({
    sql: system,
    databaseUrl,
    log,
    concurrency: config.PIPELINE_CONCURRENCY,
    apart: { [deliverWebhookId]: deliveriesMax },
    outward,
    suspects: () => quarantine.suspects(),
    onPulse: (pulse) => {
      if (pulse.isOutboxWaiting) drainer.wake();
      quarantine.look(pulse.isSuspectDue);
    },
  });
  serveFunctions(engine, deps);
  const deliver = deliverToEngine(system, engine);
  const drainer = new OutboxDrainer({ sql: system, log, deliver, isEventFault: isDataFault });
  return {
    async start() {
      await engine.start();
      await drainer.start();
    },
    async stop(options) {
      await drainer.stop();
      const { graceMs = graceMsDefault } = options ?? {};
      await Promise.all([engine.stop({ ...options, graceMs }), quarantine.stop({ graceMs })]);
    },
    async check() {
      if (!engine.isHealthy) throw new Error('The pipeline engine is not running or its database does not answer.');
    },
    status: () => readStatus(deps),
    endpoint: null,
  };
}

function serveFunctions(engine: Engine, deps: PipelineDeps): void {
  const { config, log } = deps;
  const client = createPipelineClient({ config, log, engineFetch: engine.fetch });
  engine.serve(client, createFunctions(client, { ...deps, leaving: engine.leaving, stopping: engine.stopping }));
}

/** The pipeline of a quarantine process: one suspect item at a time, and nothing else. */
export function createQuarantined(
  deps: PipelineDeps,
  onWork: (itemId: number | null) => Promise<void>,
): Pick<Pipeline, 'start' | 'stop'> {
  const { log, databaseUrl, system: sql } = deps;
  const suspects = () => 'only' as const;
  const engine = new Engine({ sql, databaseUrl, log, concurrency: 1, outward, suspects, isHelper: true, onWork });
  serveFunctions(engine, deps);
  return engine;
}

const pollMs = 1000;

/** An Inngest server calls the functions over HTTP, on workers. Only the drainer runs everywhere. */
function createForServer(deps: PipelineDeps): Pipeline {
  const { config, log, databaseUrl, system } = deps;
  const stopping = new AbortController();
  const client = createPipelineClient({ config, log });
  const functions = createFunctions(client, { ...deps, leaving: stopping.signal, stopping: stopping.signal });
  const leader = new Leader(databaseUrl, outboxLock);
  const askServer = createServerProbe(config);
  const deliver = deliverToServer({ sql: system, client, leader });
  const drainer = new OutboxDrainer({ sql: system, log, deliver, isEventFault: isRefusedByServer });
  let polling: NodeJS.Timeout | undefined;
  return {
    async start() {
      await drainer.start();
      polling = setInterval(() => drainer.wake(), pollMs);
    },
    async stop() {
      clearInterval(polling);
      stopping.abort(new Error('The service is stopping.'));
      await drainer.stop();
      await leader.close();
    },
    async check() {
      await Promise.all([askServer(), drainer.check()]);
    },
    status: () => readStatus(deps),
    endpoint: config.ROLE === 'web' ? null : { client, functions },
  };
}

function createFunctions(client: Inngest, deps: FunctionDeps): InngestFunction.Any[] {
  const { analyst } = deps;
  const transcribeRecording = createTranscribeRecording(client, deps);
  const askModel = analyst ? createAskModel(client, { ...deps, analyst }) : null;
  const invoked = { transcribeRecording, askModel };
  return [
    transcribeRecording,
    ...(askModel ? [askModel] : []),
    createProcessRecord(client, { deps, ...invoked }),
    createReanalyzeRecord(client, { deps, ...invoked }),
    createEvaluateAlerts(client, deps),
    createDeleteObjects(client, deps),
    createSendMail(client, deps),
    createRetention(client, deps),
    createDeliverWebhook(client, deps),
    createFetchCrmCall(client, deps),
    createReconcilePortals(client, deps),
    createReconcilePortal(client, deps),
    createReportToCrm(client, deps),
    createMuteRecording(client, deps),
    createDrawWaveform(client, deps),
    createSweep(client, deps),
  ];
}

async function readStatus({ system }: PipelineDeps): Promise<{ outbox: OutboxStatus; engine: EngineStatus }> {
  const [outbox, engine] = await Promise.all([readOutboxStatus(system), readEngineStatus(system)]);
  return { outbox, engine };
}

/** Postgres rejects the data, as opposed to being down. */
function isDataFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('22') || code.startsWith('23') || code.startsWith('54');
}

/** The server rejects one event; wrong keys and addresses would affect all of them. */
function isRefusedByServer(error: unknown): boolean {
  return error instanceof Error && /Inngest API Error: (400|406|409|412|413|422)\b/.test(error.message);
}
