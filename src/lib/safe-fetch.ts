import { createHash } from 'node:crypto';
import { lookup as resolve } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, request } from 'undici';
import { createAddressGuard, type AddressGuard } from './address-guard.ts';
import { type FetchClock, startClock } from './fetch-clock.ts';
import { fileNameOf } from './file-name.ts';
import { guardedConnector, type LookupAddresses } from './guarded-connector.ts';
import { readBody } from './response-body.ts';
import { afterAnswer, httpStatusError, SafeFetchError, toSafeFetchError } from './safe-fetch-error.ts';

type Headers = Record<string, string>;

export type SafeRequest = {
  url: string;
  headers?: Headers;
  /** Hosts and CIDR blocks to allow although they are not public. */
  allow?: readonly string[];
  /** Replaces `allow` where many requests share the same rules. */
  guard?: AddressGuard;
  /** Number of redirects to follow, each checked like the first address. With 0, a redirect is an error. */
  redirectsMax?: number;
  /** Returns whatever is answered, including redirects, instead of treating non-2xx statuses as errors. */
  takesAnyStatus?: boolean;
  /** Limit of the body after decoding. */
  sizeBytesMax: number;
  /** Longest silence of the other side: while connecting, before the headers, between two chunks. */
  idleTimeoutMs?: number;
  /** Longest time that the other side may take in total. Our own processing does not count. */
  totalTimeoutMs?: number;
  signal?: AbortSignal;
  /** Replaces the system resolver. */
  lookup?: LookupAddresses;
};

export type SafeFetchInput = SafeRequest & { method?: string; body?: string | Uint8Array };
export type SafeFetchResponse = { url: string; status: number; headers: Headers; body: Buffer };
/** `beginning` is decoded; it may end inside a character. */
export type SafeAnswer = { status: number; headers: Headers; beginning: Buffer };

/** Either a file, which must not exist yet, or a function that reads the body to its end. */
export type SafeDownloadInput = SafeRequest & ({ toFile: string } | { save: (body: Readable) => Promise<unknown> });
export type SafeDownloadResult = {
  url: string;
  sizeBytes: number;
  sha256: string;
  contentType: string | null;
  fileName: string | null;
};

/**
 * Sends a request to an address that a user chose, and reads the answer into memory. Throws SafeFetchError, also for
 * non-2xx statuses unless `takesAnyStatus` is set.
 */
export async function safeFetch(input: SafeFetchInput): Promise<SafeFetchResponse> {
  return withResponse(input, async ({ url, status, headers, chunks }) => {
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return { url, status, headers, body: Buffer.concat(parts) };
  });
}

/**
 * Sends a request to an address that a user chose, and returns any answer: redirects count, and so does the start of a
 * body that breaks off. Reads at most `sizeBytesMax`. Throws SafeFetchError if no answer comes.
 */
export async function safeSend(input: SafeFetchInput): Promise<SafeAnswer> {
  const anyAnswer = { ...input, sizeBytesMax: Infinity, takesAnyStatus: true };
  return withResponse(anyAnswer, async ({ status, headers, chunks }) => {
    const parts: Buffer[] = [];
    try {
      let sizeBytes = 0;
      for await (const chunk of chunks) {
        parts.push(chunk);
        sizeBytes += chunk.length;
        if (sizeBytes >= input.sizeBytesMax) break;
      }
    } catch (err) {
      if (input.signal?.aborted) throw err;
    }
    return { status, headers, beginning: Buffer.concat(parts).subarray(0, input.sizeBytesMax) };
  });
}

/**
 * Streams the body at an address that a user chose into a file or a function, and hashes it. Throws SafeFetchError, or
 * the error of the file or function. A failed download leaves no file.
 */
export async function safeDownload(input: SafeDownloadInput): Promise<SafeDownloadResult> {
  return withResponse(input, async ({ url, headers, chunks }) => {
    const hash = createHash('sha256');
    const progress = { sizeBytes: 0, isWhole: false };
    const body = Readable.from(measure(chunks, { hash, progress }), { objectMode: false });
    await ('toFile' in input ? saveFile(body, input.toFile) : input.save(body));
    if (!progress.isWhole) throw new Error('The download was not read to its end.');
    return {
      url,
      sizeBytes: progress.sizeBytes,
      sha256: hash.digest('hex'),
      contentType: headers['content-type'] ?? null,
      fileName: fileNameOf(headers['content-disposition'], url),
    };
  });
}

async function* measure(
  chunks: AsyncIterable<Buffer>,
  { hash, progress }: { hash: ReturnType<typeof createHash>; progress: { sizeBytes: number; isWhole: boolean } },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    progress.sizeBytes += chunk.length;
    hash.update(chunk);
    yield chunk;
  }
  progress.isWhole = true;
}

async function saveFile(body: Readable, path: string): Promise<void> {
  // `wx` fails if the file exists; that file must stay, so only a file opened here is removed.
  const file = createWriteStream(path, { flags: 'wx' });
  let isOurs = false;
  file.once('open', () => (isOurs = true));
  try {
    await pipeline(body, file);
  } catch (err) {
    if (isOurs) await rm(path, { force: true });
    throw err;
  }
}

type OpenResponse = { url: string; status: number; headers: Headers; chunks: AsyncIterable<Buffer> };

/** Owns the connection and the clock of one request and all its redirects. */
async function withResponse<T>(input: SafeFetchInput, use: (response: OpenResponse) => Promise<T>): Promise<T> {
  const guard = input.guard ?? createAddressGuard(input.allow);
  const idleTimeoutMs = input.idleTimeoutMs ?? 30_000;
  const connect = guardedConnector({ guard, lookup: input.lookup ?? systemLookup, timeoutMs: idleTimeoutMs });
  // Unlike the default, our own Agent ignores proxy variables in the environment.
  const agent = new Agent({ connect, allowH2: false, headersTimeout: 0, bodyTimeout: 0 });
  const clock = startClock({ idleTimeoutMs, totalTimeoutMs: input.totalTimeoutMs ?? 600_000, signal: input.signal });
  // A request that is still waiting for its connection does not hear its own signal.
  clock.signal.addEventListener('abort', () => void agent.destroy(clock.failure() ?? null));
  let sourceFailure: SafeFetchError | undefined;
  let isAnswered = false;
  try {
    const response = await follow(input, { agent, clock });
    isAnswered = true;
    clock.hold();
    const chunks = readBody(response, {
      sizeBytesMax: input.sizeBytesMax,
      onArrival: clock.hold,
      onWait: clock.go,
      onFailure: (err) => (sourceFailure = clock.failure() ?? toSafeFetchError(err)),
    });
    return await use({ url: response.url, status: response.status, headers: response.headers, chunks });
  } catch (err) {
    const failure = sourceFailure ?? clock.failure();
    if (!failure) throw err;
    throw isAnswered ? afterAnswer(failure) : failure;
  } finally {
    clock.stop();
    await agent.destroy();
  }
}

type Connection = { agent: Agent; clock: FetchClock };
type Response = { url: string; status: number; headers: Headers; body: Readable };

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

async function follow(input: SafeFetchInput, connection: Connection): Promise<Response> {
  const method = input.method ?? 'GET';
  const redirectsMax = method === 'GET' || method === 'HEAD' ? (input.redirectsMax ?? 3) : 0;
  let url = parseUrl(input.url);
  let headers: Headers = { 'accept-encoding': 'gzip, deflate, br', ...lowerCaseKeys(input.headers) };
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(url, { method, headers, body: input.body ?? null }, connection);
    const { status } = response;
    if (input.takesAnyStatus || (status >= 200 && status < 300)) return response;
    response.body.on('error', () => {}).destroy();
    const { location, 'retry-after': retryAfter } = response.headers;
    const isRedirect = redirectStatuses.has(status) && location !== undefined && redirectsMax > 0;
    if (!isRedirect) throw httpStatusError(status, retryAfter);
    if (redirects === redirectsMax) throw new SafeFetchError('redirect', `More than ${redirectsMax} redirects.`);
    const next = parseUrl(location, url);
    if (next.origin !== url.origin) headers = withoutCredentials(headers);
    url = next;
  }
}

type Message = { method: string; headers: Headers; body: string | Uint8Array | null };

async function send(url: URL, message: Message, { agent, clock }: Connection): Promise<Response> {
  try {
    const { statusCode, headers, body } = await request(url, { ...message, dispatcher: agent, signal: clock.signal });
    clock.touch();
    return { url: url.href, status: statusCode, headers: flatten(headers), body };
  } catch (err) {
    throw clock.failure() ?? toSafeFetchError(err);
  }
}

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw new SafeFetchError('invalid_url', 'The address is not a URL.');
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isHttp) throw new SafeFetchError('invalid_url', 'Only http and https addresses are allowed.');
  if (url.username !== '' || url.password !== '') {
    throw new SafeFetchError('invalid_url', 'The address must not contain a user name or password.');
  }
  return url;
}

async function systemLookup(hostname: string): ReturnType<LookupAddresses> {
  return resolve(hostname, { all: true });
}

function lowerCaseKeys(headers: Headers = {}): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A server may redirect the client elsewhere, but the credentials were meant for that server alone. */
function withoutCredentials(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization' && name !== 'cookie'));
}

function flatten(headers: Record<string, string | string[] | undefined>): Headers {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.fromEntries(entries);
}
