import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { safeDownload, safeFetch, type SafeFetchInput } from '../../src/lib/safe-fetch.ts';
import { SafeFetchError } from '../../src/lib/safe-fetch-error.ts';
import { brokenUrls, loopbackUrls, otherSchemes, privateAddresses, privateUrls } from './ssrf-corpus.ts';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

let server: Server;
let origin: string;
let port: number;
let handler: Handler;
let connections: number;
let directory: string;

beforeEach(async () => {
  connections = 0;
  handler = (_req, res) => void res.end('ok');
  server = createServer((req, res) => handler(req, res));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  port = portOf(server);
  origin = `http://127.0.0.1:${port}`;
  directory = await mkdtemp(join(tmpdir(), 'safe-fetch-'));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
  await rm(directory, { recursive: true });
});

function portOf(target: { address: () => AddressInfo | string | null }): number {
  const address = target.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address.port;
}

function get(path: string, more: Partial<SafeFetchInput> = {}) {
  return safeFetch({ url: origin + path, allow: ['127.0.0.1'], sizeBytesMax: 1_000_000, ...more });
}

function download(path: string, toFile: string, more = {}) {
  return safeDownload({ url: origin + path, allow: ['127.0.0.1'], sizeBytesMax: 10_000_000, toFile, ...more });
}

async function lookupMixed() {
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ];
}

function lookupNever() {
  return new Promise<never>(() => {});
}

async function failureOf(promise: Promise<unknown>): Promise<SafeFetchError> {
  const err = await promise.then(
    () => undefined,
    (err: unknown) => err,
  );
  if (err instanceof SafeFetchError) return err;
  throw new Error('expected a SafeFetchError', { cause: err });
}

describe('where a connection goes', () => {
  it.each(loopbackUrls)('%s is refused before a single packet is sent', async (url) => {
    const err = await failureOf(safeFetch({ url: url.replace('PORT', String(port)), sizeBytesMax: 100 }));
    expect(err.failure).toBe('blocked_address');
    expect(err.isRetryable).toBe(false);
    expect(connections).toBe(0);
  });

  it.each(privateAddresses)('a name that resolves to %s is refused', async (address) => {
    const lookup = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
    for (const scheme of ['http', 'https']) {
      const err = await failureOf(safeFetch({ url: `${scheme}://name.example/`, sizeBytesMax: 100, lookup }));
      expect(err.failure).toBe('blocked_address');
    }
  });

  it('a name with one good and one forbidden address is refused as a whole', async () => {
    const err = await failureOf(get('/', { url: `http://name.example:${port}/`, lookup: lookupMixed }));
    expect(err.failure).toBe('blocked_address');
    expect(connections).toBe(0);
  });

  it('a resolver that changes its answer cannot win: the address that was judged is the one connected to', async () => {
    const answers = ['127.0.0.1', '169.254.169.254', '127.0.0.1'];
    let asked = 0;
    const lookup = async () => [{ address: answers[asked++] ?? '10.0.0.1', family: 4 }];
    const url = `http://flip.example:${port}/`;
    const { body } = await get('/', { url, lookup });
    expect(body.toString()).toBe('ok');
    expect(asked).toBe(1);
    expect((await failureOf(get('/', { url, lookup }))).failure).toBe('blocked_address');
    expect(asked).toBe(2);
  });

  it('every redirect to a name is resolved and judged anew', async () => {
    const addresses: Record<string, string> = { 'one.example': '127.0.0.1', 'two.example': '10.0.0.1' };
    const asked: string[] = [];
    const lookup = async (hostname: string) => {
      asked.push(hostname);
      return [{ address: addresses[hostname] ?? '', family: 4 }];
    };
    handler = (req, res) => {
      const next = req.headers.host?.startsWith('one.') ? 'two.example' : 'one.example';
      res.writeHead(302, { location: `http://${next}:${port}/` }).end();
    };
    expect((await failureOf(get('/', { lookup }))).failure).toBe('blocked_address');
    expect(asked).toEqual(['one.example', 'two.example']);
    expect(connections).toBe(2);
  });

  it.each(privateUrls)('a redirect to %s is refused', async (location) => {
    handler = (_req, res) => void res.writeHead(302, { location }).end();
    expect((await failureOf(get('/'))).failure).toBe('blocked_address');
    expect(connections).toBe(1);
  });

  it.each(otherSchemes)('the scheme of %s is refused, first and as a redirect', async (url) => {
    expect((await failureOf(get('/', { url }))).failure).toBe('invalid_url');
    handler = (_req, res) => void res.writeHead(301, { location: url }).end();
    expect((await failureOf(get('/'))).failure).toBe('invalid_url');
  });

  it.each(brokenUrls)('the address %j is refused', async (url) => {
    const err = await failureOf(get('/', { url }));
    expect(err.failure).toBe('invalid_url');
    expect(err.message).not.toContain('secret');
  });

  it('proxies named in the environment are not used', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    // Port 9 on this machine: a connection to it would fail.
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:9';
    try {
      expect((await get('/')).status).toBe(200);
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});

describe('redirects', () => {
  it('are followed three times, not four', async () => {
    handler = (req, res) => {
      const left = Number(req.url?.slice(1));
      if (left > 0) res.writeHead(302, { location: `/${left - 1}` }).end();
      else res.end('arrived');
    };
    const { body, url } = await get('/3');
    expect(body.toString()).toBe('arrived');
    expect(url).toBe(`${origin}/0`);
    const err = await failureOf(get('/4'));
    expect(err.failure).toBe('redirect');
    expect(err.isRetryable).toBe(false);
  });

  it('are not followed where none are wanted, or where the request has a body', async () => {
    handler = (_req, res) => void res.writeHead(302, { location: '/elsewhere' }).end();
    expect((await failureOf(get('/', { redirectsMax: 0 }))).status).toBe(302);
    expect((await failureOf(get('/', { method: 'POST', body: '{}' }))).status).toBe(302);
  });

  it('do not carry credentials to another origin', async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((req, res) => {
      seen.push(req.headers.authorization, req.headers.cookie);
      res.end();
    });
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    handler = (req, res) => {
      seen.push(req.headers.authorization, req.headers.cookie);
      if (req.url === '/') res.writeHead(302, { location: '/same' }).end();
      else res.writeHead(302, { location: `http://127.0.0.1:${portOf(other)}/` }).end();
    };
    try {
      await get('/', { headers: { Authorization: 'Bearer x', Cookie: 'a=b' } });
    } finally {
      other.closeAllConnections();
      other.close();
    }
    expect(seen).toEqual(['Bearer x', 'a=b', 'Bearer x', 'a=b', undefined, undefined]);
  });
});

describe('answers', () => {
  it('are returned with status, headers and body', async () => {
    handler = (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => res.writeHead(201, { 'x-echo': req.method ?? '' }).end(Buffer.concat(chunks)));
    };
    const response = await get('/', { method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain' } });
    expect(response).toMatchObject({ status: 201, headers: { 'x-echo': 'POST' } });
    expect(response.body.toString()).toBe('hello');
  });

  it.each([
    [400, false],
    [401, false],
    [404, false],
    [408, true],
    [410, false],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
  ])('with status %i are errors, worth a retry: %s', async (status, isRetryable) => {
    handler = (_req, res) => void res.writeHead(status).end('no');
    const err = await failureOf(get('/'));
    expect(err).toMatchObject({ failure: 'http_status', status, isRetryable, retryAfterMs: undefined });
  });

  it('tell when to come back, in seconds or as a date', async () => {
    handler = (_req, res) => void res.writeHead(503, { 'retry-after': '120' }).end();
    expect((await failureOf(get('/'))).retryAfterMs).toBe(120_000);
    const date = new Date(Date.now() + 60_000).toUTCString();
    handler = (_req, res) => void res.writeHead(429, { 'retry-after': date }).end();
    const { retryAfterMs } = await failureOf(get('/'));
    expect(retryAfterMs).toBeGreaterThan(57_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    handler = (_req, res) => void res.writeHead(429, { 'retry-after': 'soon' }).end();
    expect((await failureOf(get('/'))).retryAfterMs).toBeUndefined();
  });

  it.each(['4000', '999999999', '99999999999999999999', 'Fri, 31 Dec 2058 23:59:59 GMT'])(
    'that ask to come back after %s are asked again in an hour',
    async (value) => {
      handler = (_req, res) => void res.writeHead(503, { 'retry-after': value }).end();
      expect((await failureOf(get('/'))).retryAfterMs).toBe(3_600_000);
    },
  );

  it('that say they are too large are refused by their header alone', async () => {
    handler = (_req, res) => void res.writeHead(200, { 'content-length': '2000000' }).write('x');
    expect(await failureOf(get('/'))).toMatchObject({ failure: 'too_large', isRetryable: false });
  });

  it('that never end are cut at the cap', async () => {
    let sent = 0;
    handler = (_req, res) => {
      const chunk = Buffer.alloc(65_536);
      const push = () => {
        while (!res.destroyed && res.write(chunk)) sent += chunk.length;
      };
      res.on('drain', push);
      push();
    };
    expect((await failureOf(get('/'))).failure).toBe('too_large');
    expect(sent).toBeLessThan(30_000_000);
  });

  it('that unpack to more than the cap are cut at the cap', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    handler = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect((await failureOf(get('/'))).failure).toBe('too_large');
  });

  it('are decoded, and refused where the encoding is unknown or broken', async () => {
    handler = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
    expect((await get('/')).body.toString()).toBe('packed');
    handler = (_req, res) => void res.writeHead(200, { 'content-encoding': 'rot13' }).end('cnpxrq');
    expect((await failureOf(get('/'))).failure).toBe('network');
    handler = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all');
    expect((await failureOf(get('/'))).failure).toBe('network');
    const half = gzipSync(Buffer.from('packed'.repeat(100))).subarray(0, 20);
    handler = (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(half);
    expect((await failureOf(get('/'))).failure).toBe('network');
  });

  it('that are shorter than promised are failures', async () => {
    handler = (_req, res) => {
      res.writeHead(200, { 'content-length': '1000' });
      res.write('only this', () => res.destroy());
    };
    expect(await failureOf(get('/'))).toMatchObject({ failure: 'network', isRetryable: true });
  });

  it('of something that does not speak HTTP, or of nothing at all, are failures', async () => {
    const garbage = createTcpServer((socket) => void socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((resolve) => void garbage.listen(0, '127.0.0.1', resolve));
    const closedPort = portOf(garbage);
    expect((await failureOf(get('/', { url: `http://127.0.0.1:${closedPort}/` }))).failure).toBe('network');
    await new Promise((resolve) => void garbage.close(resolve));
    expect((await failureOf(get('/', { url: `http://127.0.0.1:${closedPort}/` }))).failure).toBe('network');
  });
});

describe('time', () => {
  it('ends a server that says nothing', async () => {
    handler = () => {};
    const err = await failureOf(get('/', { idleTimeoutMs: 100 }));
    expect(err).toMatchObject({ failure: 'timeout', isRetryable: true });
  });

  it('ends a server that stops in the middle', async () => {
    handler = (_req, res) => void res.writeHead(200).write('some');
    expect((await failureOf(get('/', { idleTimeoutMs: 100 }))).failure).toBe('timeout');
  });

  it('ends a server that drips for ever, in total', async () => {
    handler = (_req, res) => {
      res.writeHead(200);
      const timer = setInterval(() => res.write('x'), 20);
      res.on('close', () => clearInterval(timer));
    };
    const err = await failureOf(get('/', { idleTimeoutMs: 1000, totalTimeoutMs: 250 }));
    expect(err.failure).toBe('timeout');
    expect(err.message).toContain('250 ms');
  });

  it('does not end a server that is slow but goes on', async () => {
    handler = (_req, res) => {
      let left = 8;
      res.writeHead(200);
      const timer = setInterval(() => {
        if (left-- > 0) return void res.write('x');
        clearInterval(timer);
        return void res.end();
      }, 300);
    };
    expect((await get('/', { idleTimeoutMs: 1_500 })).body.toString()).toBe('xxxxxxxx');
  });

  it('stands while what arrived is being stored, however slow the store', async () => {
    handler = (_req, res) => void res.writeHead(200).end(randomBytes(1_000_000));
    const sizes: number[] = [];
    const save = async (body: AsyncIterable<Buffer>): Promise<void> => {
      for await (const { length } of body) {
        // Longer than the source may be silent and, taken together, than all of it may take.
        if (sizes.push(length) % 6 === 1) await sleep(400);
      }
      await sleep(400);
    };
    const patience = { sizeBytesMax: 10_000_000, idleTimeoutMs: 300, totalTimeoutMs: 700 };
    const { sizeBytes } = await safeDownload({ url: origin, allow: ['127.0.0.1'], ...patience, save });
    expect(sizeBytes).toBe(1_000_000);
    const full = new Error('The disk is full.');
    const fail = () => sleep(400).then(() => Promise.reject(full));
    for (const save of [fail, (body: Readable) => text(body).then(fail)]) {
      await expect(safeDownload({ url: origin, allow: ['127.0.0.1'], ...patience, save })).rejects.toBe(full);
    }
  });

  it('goes on when the store asks for more', async () => {
    handler = (_req, res) => void res.writeHead(200).write('some');
    const save = async (body: AsyncIterable<Buffer>): Promise<void> => {
      for await (const _ of body) await sleep(200);
    };
    const patience = { sizeBytesMax: 10_000_000, idleTimeoutMs: 300 };
    const error = await failureOf(safeDownload({ url: origin, allow: ['127.0.0.1'], ...patience, save }));
    expect(error).toMatchObject({ failure: 'timeout', message: 'Nothing arrived for 300 ms.' });
  });

  it('ends a resolver that never answers', async () => {
    const err = await failureOf(get('/', { url: 'http://name.example/', lookup: lookupNever, idleTimeoutMs: 100 }));
    expect(err.failure).toBe('timeout');
  });

  it('is in the hands of the caller: a signal ends the request at once', async () => {
    handler = (_req, res) => void res.writeHead(200).write('some');
    const controller = new AbortController();
    const pending = failureOf(get('/', { signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    expect((await pending).failure).toBe('aborted');
    expect((await failureOf(get('/', { signal: AbortSignal.abort() }))).failure).toBe('aborted');
  });
});

describe('safeDownload', () => {
  const body = Buffer.from('RIFF and so on'.repeat(50_000));
  const sha256 = createHash('sha256').update(body).digest('hex');

  it('writes the file and tells its size, hash, type and name', async () => {
    handler = (_req, res) => {
      const disposition = `attachment; filename="x.wav"; filename*=UTF-8''..%2F%D0%B7%D0%B2%D0%BE%D0%BD%D0%BE%D0%BA.wav`;
      res.writeHead(200, { 'content-type': 'audio/wav', 'content-disposition': disposition }).end(body);
    };
    const file = join(directory, 'a');
    const result = await download('/', file);
    expect(result).toEqual({
      url: `${origin}/`,
      sizeBytes: body.length,
      sha256,
      contentType: 'audio/wav',
      fileName: 'звонок.wav',
    });
    expect((await readFile(file)).equals(body)).toBe(true);
  });

  it.each([
    ['/calls/2024%20spring.mp3?sig=abc', '2024 spring.mp3'],
    ['/calls/..%2F..%2Fetc%2Fpasswd', 'passwd'],
    ['/calls/%ff', '%ff'],
    ['/', null],
  ])('takes the name from the path %s where the server gives none', async (path, fileName) => {
    const result = await download(path, join(directory, 'a'));
    expect(result.fileName).toBe(fileName);
  });

  it('leaves no file where it fails, and never touches one that exists', async () => {
    handler = (_req, res) => {
      res.writeHead(200, { 'content-length': '1000000' });
      res.write(body, () => res.destroy());
    };
    const file = join(directory, 'a');
    expect((await failureOf(download('/', file))).failure).toBe('network');
    expect((await failureOf(download('/', file, { sizeBytesMax: 10 }))).failure).toBe('too_large');
    expect(await readdir(directory)).toEqual([]);
    await writeFile(file, 'precious');
    handler = (_req, res) => void res.end(body);
    await expect(download('/', file)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('precious');
  });

  it('hands the body to a function, with backpressure', async () => {
    let sent = 0;
    handler = (_req, res) => {
      const chunk = Buffer.alloc(100_000);
      const push = () => {
        let isFull = false;
        while (sent < 20_000_000 && !isFull) {
          sent += chunk.length;
          isFull = !res.write(chunk);
        }
        if (sent === 20_000_000) res.end();
      };
      res.on('drain', push);
      push();
    };
    let isFirst = true;
    const slow = new Writable({
      write(_chunk, _encoding, callback) {
        if (!isFirst) return callback();
        isFirst = false;
        return void setTimeout(() => {
          // The kernel's socket buffers take a few megabytes; the rest has to wait.
          expect(sent).toBeLessThan(19_000_000);
          callback();
        }, 300);
      },
    });
    const result = await safeDownload({
      url: origin,
      allow: ['127.0.0.1'],
      sizeBytesMax: 30_000_000,
      save: (stream) => pipeline(stream, slow),
    });
    expect(result.sizeBytes).toBe(20_000_000);
  });

  it('passes on an error of the function as it is, and the failure of the source as a failure of the source', async () => {
    handler = (_req, res) => void res.end(body);
    const diskFull = new Error('disk full');
    const failing = new Writable({ write: (_chunk, _encoding, callback) => callback(diskFull) });
    const input = { url: origin, allow: ['127.0.0.1'], sizeBytesMax: 10_000_000 };
    await expect(safeDownload({ ...input, save: (stream) => pipeline(stream, failing) })).rejects.toBe(diskFull);
    handler = (_req, res) => {
      res.writeHead(200, { 'content-length': '1000000' });
      res.write(body, () => res.destroy());
    };
    const sink = new Writable({ write: (_chunk, _encoding, callback) => callback() });
    expect((await failureOf(safeDownload({ ...input, save: (s) => pipeline(s, sink) }))).failure).toBe('network');
    handler = (_req, res) => void res.end(body);
    await expect(safeDownload({ ...input, save: async () => {} })).rejects.toThrow('not read to its end');
  });
});
