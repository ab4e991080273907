import { createContract, operationsOf, type OpenApiJson, type OperationJson } from '../api/openapi-contract.ts';
import published from '../../docs/openapi.json' with { type: 'json' };
import { createTestApp, type TestApp, type TestMember } from './app.ts';

/** The document as it is published in the repository: all that an integrator has. */
export const openApi = published as unknown as OpenApiJson;
export const contract = createContract(openApi);
export const operations: Operation[] = operationsOf(openApi);

export type Operation = { method: string; path: string; operation: OperationJson };
type Json = ReturnType<typeof JSON.parse>;
export type Answer = { status: number; headers: Record<string, string>; body: Json };
export type Ask = {
  /** Ids for the places in the path, in their order. */
  path?: string[];
  query?: string;
  json?: unknown;
  body?: RequestInit['body'];
  headers?: Record<string, string>;
};

export type Integrator = {
  app: TestApp;
  origin: string;
  /** A request by plain HTTP. */
  send(url: string, init?: RequestInit): Promise<Answer>;
  /** One operation, whose answer is held against the document: status, headers, media type, every field. */
  request(who: TestMember | null, operationId: string, ask?: Ask): Promise<Answer>;
  /** A call with a transcript of its own, which is scored when this returns. */
  scored(who: TestMember, call?: Call): Promise<{ id: string; analysisId: string }>;
  upload(who: TestMember, call?: Call): Promise<Answer>;
  close(): Promise<void>;
};

export type Call = {
  projectId?: string;
  metadata?: Record<string, unknown>;
  transcript?: string | null;
  file?: Blob;
  name?: string;
  headers?: Record<string, string>;
};

export const captions = `WEBVTT

00:00:00.200 --> 00:00:02.800
<v Agent>Good morning, thank you for calling Acme, my name is Maria. How can I help you?

00:00:03.000 --> 00:00:05.500
<v Customer>Hello, my zeppelin has not arrived and I want a refund.

00:00:05.700 --> 00:00:08.200
<v Agent>I am sorry to hear that. I will refund the order today.

00:00:08.300 --> 00:00:09.800
<v Agent>Is there anything else I can help you with? Have a nice day, goodbye.
`;

/** A quiet tone: 16 bits, 8 kHz, one channel. */
export function wave(seconds = 10, pitch = 440): Blob {
  const bytes = Buffer.alloc(44 + seconds * 16_000);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  for (let at = 44; at < bytes.length; at += 2) {
    bytes.writeInt16LE(Math.round(3000 * Math.sin(((at - 44) / 2 / 8000) * pitch * 2 * Math.PI)), at);
  }
  return new Blob([bytes], { type: 'audio/wav' });
}

export function operationOf(operationId: string): Operation {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`There is no operation ${operationId}.`);
  return found;
}

export function addressOf({ path }: Operation, ids: string[] = [], query = ''): string {
  const rest = [...ids];
  return `/api/v1${path.replaceAll(/\{\w+\}/g, (place) => rest.shift() ?? place)}${query && `?${query}`}`;
}

export async function startIntegrator(env: Record<string, string> = {}): Promise<Integrator> {
  const app = await createTestApp({ env: { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent', ...env } });
  const origin = await app.listen();

  async function send(url: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(origin + url, init);
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: isJson && text ? JSON.parse(text) : text,
    };
  }

  async function request(who: TestMember | null, operationId: string, ask: Ask = {}): Promise<Answer> {
    const operation = operationOf(operationId);
    const isJson = ask.json !== undefined;
    const answer = await send(addressOf(operation, ask.path, ask.query), {
      method: operation.method,
      headers: { ...who?.headers, ...(isJson && { 'content-type': 'application/json' }), ...ask.headers },
      body: isJson ? JSON.stringify(ask.json) : ask.body,
    });
    contract.check(operationId, answer);
    return answer;
  }

  function upload(who: TestMember, given: Call = {}): Promise<Answer> {
    const form = new FormData();
    form.set('file', given.file ?? wave(), given.name ?? 'call.wav');
    form.set('projectId', given.projectId ?? who.projectId);
    if (given.metadata) form.set('metadata', JSON.stringify(given.metadata));
    if (given.transcript !== null) form.set('transcript', given.transcript ?? captions);
    return request(who, 'uploadRecord', { body: form, headers: given.headers });
  }

  async function scored(who: TestMember, given: Call = {}): Promise<{ id: string; analysisId: string }> {
    const { status, body } = await upload(who, given);
    if (status !== 201) throw new Error(`Upload: ${status} ${JSON.stringify(body)}`);
    const done = await until(
      () => request(who, 'getRecord', { path: [body.data.id] }),
      (answer) => ['completed', 'failed'].includes(answer.body.data.status),
    );
    if (done.body.data.status !== 'completed') throw new Error(JSON.stringify(done.body.data.failure));
    return { id: body.data.id, analysisId: done.body.data.analysisId };
  }

  return { app, origin, send, request, upload, scored, close: () => app.close() };
}

/** An organization with two projects and a scored call, and somebody of another organization. */
export type IntegratorOrg = {
  s: Integrator;
  owner: TestMember;
  stranger: TestMember;
  /** The second project. */
  other: string;
  anna: { id: string; analysisId: string };
  /** A call as `GET /records/{id}` has it. */
  record(id: string): Promise<Json>;
};

export async function startWithCall(): Promise<IntegratorOrg> {
  const s = await startIntegrator();
  const owner = await s.app.createOrg();
  const stranger = await s.app.createOrg();
  const project = await s.request(owner, 'createProject', { json: { name: 'Zweites Büro 日本 😀' } });
  const anna = await s.scored(owner, {
    metadata: {
      customerPhone: '+441234567890',
      direction: 'inbound',
      queue: 'refunds',
      agentName: 'Anna Ångström',
      externalId: 'a-1',
      startedAt: '2026-03-02T10:00:00Z',
      tags: ['red', 'blue'],
    },
  });
  const record = async (id: string) => (await s.request(owner, 'getRecord', { path: [id] })).body.data;
  return { s, owner, stranger, other: project.body.data.id, anna, record };
}

const patienceMs = 60_000;

/** Asks again until the answer will do. Rather than for ever, a test waits for a minute, which no machine needs. */
export async function until<T>(ask: () => Promise<T>, isEnough: (answer: T) => boolean): Promise<T> {
  const start = performance.now();
  for (;;) {
    const answer = await ask();
    if (isEnough(answer)) return answer;
    if (performance.now() - start > patienceMs) throw new Error(`Waited in vain: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
