import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch, type Response } from 'undici';
import { ModelError } from './model-error.ts';

export type DownloadTiming = {
  /** Longest time without a byte. */
  idleMsMax?: number;
  /** Pause before the first retry; doubles with each. */
  pauseMs?: number;
};

export type Download = DownloadTiming & {
  url: string;
  /** The final path; until the file is complete and verified, it ends in `.part`. */
  target: string;
  sizeBytes: number;
  /** Without one, any content is accepted. */
  sha256: string | undefined;
  onProgress: (doneBytes: number) => void;
};

const idleMsMaxDefault = 60_000;
const pauseMsDefault = 1_000;
/** Consecutive attempts without a byte gained. */
const attemptsMax = 4;
const refusals = new Set([400, 401, 403, 404, 410, 451]);

/**
 * Downloads one file, resumes an earlier attempt, verifies it and moves it into place atomically. Returns its checksum.
 * Throws `ModelError`; partial content is then kept for the next time, unless it is wrong.
 */
export async function download(request: Download): Promise<string> {
  const dispatcher = new Agent({ bodyTimeout: request.idleMsMax ?? idleMsMaxDefault, connectTimeout: 15_000 });
  try {
    await fetchWhole(request, dispatcher);
  } finally {
    await dispatcher.destroy();
  }
  return settle(request);
}

/** The SHA-256 of a file, in hexadecimal. */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function fetchWhole(request: Download, dispatcher: Agent): Promise<void> {
  let failures = 0;
  let haveBytes = await sizeOf(partOf(request));
  while (haveBytes < request.sizeBytes) {
    const problem = await fetchSome(request, dispatcher, haveBytes);
    const nowBytes = await sizeOf(partOf(request));
    if (problem) {
      failures = nowBytes > haveBytes ? 1 : failures + 1;
      if (failures >= attemptsMax) throw new ModelError(`${problem} Start it again to resume.`);
      await sleep((request.pauseMs ?? pauseMsDefault) * 2 ** (failures - 1));
    }
    haveBytes = nowBytes;
  }
}

/** Returns the error, if a retry may help. */
async function fetchSome(request: Download, dispatcher: Agent, haveBytes: number): Promise<string | null> {
  const { url } = request;
  const validator = haveBytes > 0 ? await readValidator(request) : undefined;
  const mayGoOn = haveBytes > 0 && (validator !== undefined || request.sha256 !== undefined);
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (mayGoOn) headers.range = `bytes=${haveBytes}-`;
  if (mayGoOn && validator !== undefined) headers['if-range'] = validator;
  try {
    const response = await fetch(url, { headers, dispatcher });
    const fromBytes = assertUsable(request, response, haveBytes);
    if (fromBytes === null) return `${hostOf(url)} is unavailable at the moment (${response.status}).`;
    await append(request, response, fromBytes);
    return (await sizeOf(partOf(request))) < request.sizeBytes ? `${hostOf(url)} broke off.` : null;
  } catch (error) {
    if (error instanceof ModelError || isDiskFault(error)) throw error;
    return `${hostOf(url)} cannot be reached or broke off.`;
  }
}

/**
 * The position in the file at which the answer begins; null for a temporary error. Throws `ModelError` for a permanent
 * one.
 */
function assertUsable({ url, sizeBytes }: Download, response: Response, haveBytes: number): number | null {
  const { status, headers } = response;
  if (url.startsWith('https:') && !response.url.startsWith('https:')) {
    throw new ModelError(`${hostOf(url)} leads to an address without encryption: ${response.url}`);
  }
  if (refusals.has(status)) throw new ModelError(`${hostOf(url)} does not provide ${url} (${status}).`);
  if (status === 416) throw new ModelError(`${url} has changed: remove the model and start again.`);
  if (status !== 200 && status !== 206) return null;
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
  const fromBytes = status === 206 ? Number(range?.[1] ?? Number.NaN) : 0;
  if (Number.isNaN(fromBytes) || fromBytes > haveBytes) return null;
  const lengthBytes = Number(headers.get('content-length') ?? Number.NaN);
  const wholeBytes = status === 206 ? Number(range?.[2] ?? Number.NaN) : lengthBytes;
  if (!Number.isNaN(wholeBytes) && wholeBytes !== sizeBytes) {
    throw new ModelError(`${url} has ${wholeBytes} bytes, not the ${sizeBytes} that the catalogue knows.`);
  }
  return fromBytes;
}

async function append(request: Download, response: Response, fromBytes: number): Promise<void> {
  const { sizeBytes, onProgress } = request;
  const etag = response.headers.get('etag');
  // A weak validator does not promise the same bytes (RFC 9110, 13.1.5).
  if (etag && !etag.startsWith('W/')) await writeFile(validatorOf(request), etag);
  else await rm(validatorOf(request), { force: true });
  const file = await open(partOf(request), fromBytes > 0 ? 'r+' : 'w');
  try {
    let at = fromBytes;
    await file.truncate(at);
    for await (const chunk of response.body ?? []) {
      const bytes: Uint8Array = chunk;
      if (at + bytes.length > sizeBytes) throw new ModelError(`${request.url} is longer than announced.`);
      await file.write(bytes, 0, bytes.length, at);
      at += bytes.length;
      onProgress(at);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

async function settle(request: Download): Promise<string> {
  const { target, url, sha256 } = request;
  const part = partOf(request);
  const sum = await checksumOf(part);
  await rm(validatorOf(request), { force: true });
  if (sha256 !== undefined && sum !== sha256) {
    await rm(part, { force: true });
    throw new ModelError(`${url} is not the file it should be: its SHA-256 is ${sum}, expected ${sha256}.`);
  }
  await rename(part, target);
  return sum;
}

function partOf({ target }: Download): string {
  return `${target}.part`;
}

function validatorOf({ target }: Download): string {
  return `${target}.etag`;
}

async function readValidator(request: Download): Promise<string | undefined> {
  return readFile(validatorOf(request), 'utf8').catch(() => undefined);
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

function hostOf(url: string): string {
  return new URL(url).host || path.basename(url);
}

function isDiskFault(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS'].includes(String(error.code))
  );
}
