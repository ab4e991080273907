import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginSpan, startTracing } from '../../src/lib/tracing.ts';
import { createTestApp, type TestApp, type TestMember } from '../support/app.ts';
import { createWebhook, deliveryThat } from '../support/webhooks.ts';
import { callVtt } from './support/calls.ts';
import { eventually } from './support/hosts.ts';
import { silentWav, startRecordingServer, type RecordingServer } from './support/recording-server.ts';

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } };
type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Attribute[] };
type Export = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[] };

const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callersSpan = '00f067aa0ba902b7';
const phone = '+4915550001234';

let receiver: Server;
const exported: Export[] = [];
let authorization: string | undefined;
let recordings: RecordingServer;
let t: TestApp;
let owner: TestMember;

beforeAll(async () => {
  receiver = createServer((req, res) => {
    authorization = req.headers['x-receiver-key'] as string | undefined;
    text(req).then(
      (body) => {
        exported.push(JSON.parse(body) as Export);
        res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      },
      () => {},
    );
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  recordings = await startRecordingServer((_req, res) => res.end(silentWav(2_000)));
  t = await createTestApp({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-receiver-key=open%20sesame',
      OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
  owner = await t.createOrg();
});

afterAll(async () => {
  await recordings.close();
  receiver.closeAllConnections();
  receiver.close();
});

function spans(): Span[] {
  return exported.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((s) => s.spans)),
  );
}

it("follows a call from the caller's trace through request, steps and providers", async () => {
  const webhook = await createWebhook(t, owner, { url: recordings.url('/hook'), events: ['record.completed'] });
  const payload = {
    externalId: 'call-1',
    projectId: owner.projectId,
    recordingUrl: recordings.url('/call.wav'),
    customerPhone: phone,
    transcript: callVtt,
  };
  const headers = { traceparent: `00-${callersTrace}-${callersSpan}-01` };
  const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', headers, payload });
  await eventually(async () => {
    const record = await t.as(owner, { url: `/api/v1/records/${body.data.id}` });
    return record.body.data.status === 'completed' || undefined;
  });
  await deliveryThat(t, { member: owner, webhookId: webhook.id }, ({ status }) => status === 'succeeded');
  const figures = (await t.app.inject('/metrics')).body;
  expect(figures).toContain('earshot_delivery_duration_seconds_count{channel="webhook",outcome="delivered"} 1');
  expect(figures).toContain('step="attempt"');
  // What is left is sent when the service stops.
  await t.close();

  const trace = spans().filter(({ traceId }) => traceId === callersTrace);
  const byId = new Map(trace.map((span) => [span.spanId, span]));
  const named = (name: string) => trace.find((span) => span.name === name);
  const request = named('POST /api/v1/records/ingest');
  expect(request?.parentSpanId).toBe(callersSpan);
  for (const step of ['begin', 'fetch', 'score', 'publish']) {
    expect(named(`process-record ${step}`)?.parentSpanId).toBe(request?.spanId);
  }
  const download = named('recording-source download');
  expect(byId.get(download?.parentSpanId ?? '')?.name).toBe('process-record fetch');
  const put = named('files put');
  expect(byId.get(put?.parentSpanId ?? '')?.name).toBe('recording-source download');

  const attempt = named('deliver-webhook attempt');
  expect(byId.get(attempt?.parentSpanId ?? '')?.name).toBe('process-record publish');
  expect(named('webhook deliver')?.parentSpanId).toBe(attempt?.spanId);

  // A request without a trace of its caller begins one of its own.
  const own = spans().find(({ name }) => name === 'GET /api/v1/records/:id');
  expect(own?.parentSpanId ?? '').toBe('');
  expect(own?.traceId).not.toBe(callersTrace);

  expect(authorization).toBe('open sesame');
  const service = exported[0]?.resourceSpans[0]?.resource.attributes.find(({ key }) => key === 'service.name');
  expect(service?.value.stringValue).toBe('earshot');
  const everything = JSON.stringify(exported);
  for (const canary of [phone, owner.token, 'Tom Keller', recordings.url('')]) expect(everything).not.toContain(canary);
});

it('says once that the receiver is away, and once that it is back', async () => {
  let isAway = true;
  const flaky = createServer((req, res) => {
    req.resume().on('end', () => res.writeHead(isAway ? 400 : 200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => flaky.listen(0, '127.0.0.1', resolve));
  const told: boolean[] = [];
  const { stop } = await startTracing({
    endpoint: `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`,
    headers: {},
    serviceName: 'earshot',
    serviceVersion: '1',
    sampleRatio: 1,
    exportEveryMs: 20,
    onReceiver: ({ isTaking }) => told.push(isTaking),
  });
  const span = () => beginSpan({ name: 'work', kind: 'client' })?.end();
  const until = async (count: number) => {
    await eventually(() => {
      span();
      return told.length >= count || undefined;
    });
  };
  try {
    await until(1);
    isAway = false;
    await until(2);
    expect(told).toEqual([false, true]);
  } finally {
    await stop();
    flaky.closeAllConnections();
    flaky.close();
  }
});
