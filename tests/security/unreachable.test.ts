import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/lib/address-guard.ts';
import type { LookupAddresses } from '../../src/lib/guarded-connector.ts';
import { safeFetch } from '../../src/lib/safe-fetch.ts';
import { toFailure, toStepError } from '../../src/pipeline/base/faults.ts';
import { sendWebhook } from '../../src/pipeline/send-webhook.ts';
import { eventually } from '../pipeline/support/hosts.ts';
import { createTestApp } from '../support/app.ts';

let silent: Server;
let pages: ReturnType<typeof createHttpServer>;
const sockets = new Set<Socket>();
let silentPort: number;
let pagesPort: number;
let closedPort: number;

beforeAll(async () => {
  silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  pages = createHttpServer((req, res) => {
    const [, status = '200', to] = /^\/(\d+)(?:\?(.*))?/.exec(req.url ?? '') ?? [];
    res.writeHead(Number(status), to ? { location: decodeURIComponent(to) } : {});
    if (req.url?.endsWith('/broken')) {
      res.write('half');
      setTimeout(() => res.destroy(), 20);
    } else res.end();
  }).listen(0, '127.0.0.1');
  const closed = createServer().listen(0, '127.0.0.1');
  await Promise.all([silent, pages, closed].map((server) => once(server, 'listening')));
  [silentPort, pagesPort, closedPort] = [silent, pages, closed].map((each) => (each.address() as AddressInfo).port) as [
    number,
    number,
    number,
  ];
  closed.close();
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  pages.closeAllConnections();
  pages.close();
});

const unknownName = (code: string) => async () => {
  throw Object.assign(new Error(`getaddrinfo ${code} db.corp.internal`), { code, syscall: 'getaddrinfo' });
};
const resolvesTo = (address: string) => async () => [{ address, family: address.includes(':') ? 6 : 4 }];

/** What an outsider may try in order to learn the names, hosts and ports behind the service. */
const unreachable: Record<string, () => { url: string; lookup?: LookupAddresses }> = {
  'a name that does not exist': () => ({ url: 'https://db.corp.internal/', lookup: unknownName('ENOTFOUND') }),
  'a name whose server does not answer': () => ({ url: 'https://db.corp.internal/', lookup: unknownName('EAI_AGAIN') }),
  'a name without an address': () => ({ url: 'https://db.corp.internal/', lookup: async () => [] }),
  'a name of a private address': () => ({ url: 'https://db.corp.internal/', lookup: resolvesTo('10.20.30.40') }),
  'a name of this machine': () => ({ url: 'https://db.corp.internal/', lookup: resolvesTo('::1') }),
  'a name of the metadata service': () => ({ url: 'https://db.corp.internal/', lookup: resolvesTo('169.254.169.254') }),
  'a port that is closed': () => ({ url: `http://open.corp.internal:${closedPort}/`, lookup: resolvesTo('127.0.0.1') }),
  'a port that is silent': () => ({ url: `http://open.corp.internal:${silentPort}/`, lookup: resolvesTo('127.0.0.1') }),
};

const allow = ['open.corp.internal'];
const signal = new AbortController().signal;

async function failureOf(request: { url: string; lookup?: LookupAddresses }) {
  const limits = { sizeBytesMax: 1_000, idleTimeoutMs: 300, totalTimeoutMs: 2_000 };
  const thrown = await safeFetch({ ...request, ...limits, allow }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return toFailure(toStepError(thrown));
}

async function attemptAt(request: { url: string; lookup?: LookupAddresses }) {
  const letter = { url: request.url.replace(/^http:/, 'http:'), body: '{}', eventId: 'evt_1', secrets: [] };
  const guard = createAddressGuard(allow);
  return sendWebhook(letter, { guard, timeoutMs: 300, lookup: request.lookup, signal, onUnreachable: () => {} });
}

describe('what a recording that cannot be fetched says', () => {
  it('is the same for whatever cannot be reached, and names no host, address or port', async () => {
    const cases = Object.entries(unreachable);
    const failures = await Promise.all(
      cases.map(async ([name, request]) => [name, await failureOf(request())] as const),
    );
    const [, first] = failures[0] ?? [];
    expect(Object.fromEntries(failures)).toEqual(Object.fromEntries(cases.map(([name]) => [name, first])));
    expect(first).toMatchObject({ code: 'FETCH_UNREACHABLE', retryable: true });
    expect(first?.message).not.toMatch(/corp|internal|\d|E[A-Z]{4}/);
    expect(first?.message).toContain('OUTBOUND_ALLOW');
  });

  it('is the same where a redirect of a public host leads there', async () => {
    const expected = await failureOf({ url: 'https://db.corp.internal/', lookup: unknownName('ENOTFOUND') });
    for (const to of ['http://db.corp.internal/', `http://open.corp.internal:${closedPort}/`]) {
      const lookup: LookupAddresses = async (hostname) =>
        hostname.startsWith('open') ? [{ address: '127.0.0.1', family: 4 }] : unknownName('ENOTFOUND')();
      const url = `http://open.corp.internal:${pagesPort}/302?${encodeURIComponent(to)}`;
      expect(await failureOf({ url, lookup })).toEqual(expected);
    }
  });

  it('is not tried again for an address that the client wrote down itself, in the same words', async () => {
    const byName = await failureOf({ url: 'https://db.corp.internal/', lookup: resolvesTo('10.20.30.40') });
    expect(await failureOf({ url: 'http://10.20.30.40/' })).toEqual({ ...byName, retryable: false });
  });

  it.each([
    [404, false],
    [403, false],
    [503, true],
  ])('tells the status of a host that answers %i', async (status, retryable) => {
    const failure = await failureOf({
      url: `http://open.corp.internal:${pagesPort}/${status}`,
      lookup: resolvesTo('127.0.0.1'),
    });
    expect(failure).toMatchObject({ code: 'FETCH_HTTP_STATUS', retryable });
    expect(failure.message).toContain(`answered ${status}`);
  });

  it('tells that an answer broke off', async () => {
    const url = `http://open.corp.internal:${pagesPort}/200/broken`;
    const failure = await failureOf({ url, lookup: resolvesTo('127.0.0.1') });
    expect(failure).toMatchObject({ code: 'FETCH_NETWORK', retryable: true });
    expect(failure.message).toContain('broke off');
    expect(failure.message).not.toMatch(/corp|127|UND_ERR/);
  });
});

describe('the log', () => {
  it('alone says why a recording was not fetched', async () => {
    let logged = '';
    const log = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });
    const t = await createTestApp({ log });
    try {
      const owner = await t.createOrg();
      const { projectId } = owner;
      const payload = { externalId: 'call-1', projectId, recordingUrl: 'http://10.20.30.40/call.wav' };
      const { body } = await t.as(owner, { method: 'POST', url: '/api/v1/records/ingest', payload });
      const record = await eventually(async () => {
        const { body: read } = await t.as(owner, { url: `/api/v1/records/${body.data.id}` });
        return read.data.status === 'failed' ? read.data : undefined;
      });
      expect(record.failure).toMatchObject({ code: 'FETCH_UNREACHABLE', retryable: false });
      expect(JSON.stringify(record.failure)).not.toContain('10.20.30.40');
      expect(logged).toContain('10.20.30.40 is not a public address (private)');
    } finally {
      await t.close();
    }
  });
});

describe('what an attempt to deliver says', () => {
  it('is the same for whatever cannot be reached, and how long it took tells nothing of names', async () => {
    const cases = Object.entries(unreachable);
    const attempts = await Promise.all(
      cases.map(async ([name, request]) => [name, await attemptAt(request())] as const),
    );
    const seen = attempts.map(([name, { responseStatus, responseBody, error, durationMs }]) => [
      name,
      { responseStatus, responseBody, error, durationMs: name === 'a port that is silent' ? 0 : durationMs },
    ]);
    const error = attempts[0]?.[1].error ?? '';
    const same = { responseStatus: null, responseBody: null, error, durationMs: 0 };
    // A silent port is one that the operator has opened, or a public one: how long it was waited for helps its owner.
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(cases.map(([name]) => [name, same])));
    expect(error).not.toMatch(/corp|internal|\d|E[A-Z]{4}/);
    expect(error).toContain('OUTBOUND_ALLOW');
  });

  it('is whole in the log alone', async () => {
    const logged: unknown[] = [];
    const guard = createAddressGuard(allow);
    const letter = { url: 'https://db.corp.internal/', body: '{}', eventId: 'evt_1', secrets: [] };
    const onUnreachable = (error: Error) => void logged.push(error.message);
    await sendWebhook(letter, { guard, lookup: resolvesTo('10.20.30.40'), signal, onUnreachable });
    expect(logged).toEqual([expect.stringMatching(/db\.corp\.internal .*10\.20\.30\.40/)]);
  });
});
