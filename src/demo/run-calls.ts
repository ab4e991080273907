import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnalysisDetail } from '../domain/analyses/schemas.ts';
import type { RecordDetail } from '../domain/records/schemas.ts';
import type { DemoCall } from './calls/demo-call.ts';
import type { DemoClient, Wire } from './client.ts';
import { speakCall } from './speak.ts';
import { together } from './together.ts';

export type CallState = 'waiting' | 'speaking' | 'uploading' | 'pending' | 'processing' | 'completed' | 'failed';

export type CallResult = {
  call: DemoCall;
  record: Wire<RecordDetail>;
  /** Undefined if the record failed. */
  analysis: Wire<AnalysisDetail> | undefined;
};

export type RunCallsOptions = {
  calls: DemoCall[];
  client: DemoClient;
  /** Agents who upload their own calls, by name; `client` uploads the others. */
  agents?: Record<string, DemoClient>;
  /** Cache of the spoken files, for the next start. */
  folder: string;
  onState: (call: DemoCall, state: CallState) => void;
  signal: AbortSignal;
};

const pollIntervalMs = 1_000;
const customerChannel = 0;
const agentChannel = 1;

/** Speaks and uploads the calls that do not exist yet, waits until all are processed, and fetches the results. */
export async function runCalls(options: RunCallsOptions): Promise<CallResult[]> {
  const { calls, client } = options;
  const recordIds = await findEarlierRecords({ calls, client });
  const upload = (signal: AbortSignal): Promise<void> => uploadCalls({ ...options, signal, recordIds });
  const follow = (signal: AbortSignal): Promise<void> => followCalls({ ...options, signal, recordIds });
  await together([upload, follow], options.signal);
  return Promise.all(calls.map((call) => fetchResult({ call, client, id: recordIds.get(call.externalId) ?? '' })));
}

/** Records of an earlier run, by their external ids. */
async function findEarlierRecords({
  calls,
  client,
}: Pick<RunCallsOptions, 'calls' | 'client'>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { id } of await client.listRecords()) {
    if (calls.every((call) => found.has(call.externalId))) break;
    const { externalId, status } = await client.getRecord(id);
    if (!externalId) continue;
    found.set(externalId, id);
    // What was missing then, such as a speech engine, may be installed now.
    if (status === 'failed') await client.retryRecord(id);
  }
  return found;
}

type WorkOptions = RunCallsOptions & { recordIds: Map<string, string> };

async function uploadCalls(options: WorkOptions): Promise<void> {
  const { calls, client, agents = {}, folder, onState, signal, recordIds } = options;
  for (const call of calls) {
    if (recordIds.has(call.externalId)) continue;
    onState(call, 'speaking');
    const file = await speakOnce({ call, folder, signal });
    onState(call, 'uploading');
    const { externalId, agentName, customerPhone, format } = call;
    const metadata = { externalId, agentName, customerPhone, direction: 'inbound', language: 'en', title: call.title };
    const { id } = await (agents[agentName] ?? client).upload({ file, format, metadata });
    recordIds.set(externalId, id);
    onState(call, 'pending');
  }
}

/** One list request a second for all of them, far below the rate limit. */
async function followCalls({ calls, client, onState, signal, recordIds }: WorkOptions): Promise<void> {
  for (;;) {
    const records = new Map((await client.listRecords()).map((record) => [record.id, record]));
    const states = calls.map((call) => {
      const state = records.get(recordIds.get(call.externalId) ?? '')?.status;
      if (state) onState(call, state);
      return state;
    });
    if (states.every((state) => state === 'completed' || state === 'failed')) return;
    await sleep(pollIntervalMs, undefined, { signal });
  }
}

type SpeakOptions = { call: DemoCall; folder: string; signal: AbortSignal };

async function speakOnce({ call, folder, signal }: SpeakOptions): Promise<string> {
  const file = path.join(folder, `${call.externalId}.${call.format}`);
  if (existsSync(file)) return file;
  const lines = call.lines.map(({ by, text, pauseMs }) => ({
    channel: by === 'customer' ? customerChannel : agentChannel,
    voice: call.voices[by],
    text,
    pauseMs,
  }));
  // An aborted start must not leave half a recording under the final name.
  const draft = `${file}.part`;
  await speakCall({ lines, path: draft, format: call.format, sampleRate: call.sampleRate, signal });
  await rename(draft, file);
  return file;
}

type FetchOptions = { call: DemoCall; client: DemoClient; id: string };

async function fetchResult({ call, client, id }: FetchOptions): Promise<CallResult> {
  const record = await client.getRecord(id);
  const analysis = record.analysisId ? await client.getAnalysis(record.analysisId) : undefined;
  return { call, record, analysis };
}
