import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { discardObject, saveRecording, type Pass, type Recording } from '../domain/records/processing.ts';
import { insertUpload, selectSource } from '../domain/records/processing-queries.ts';
import { safeDownload } from '../lib/safe-fetch.ts';
import type { AudioFormat } from '../providers/audio/formats.ts';
import type { FunctionDeps } from './dependencies.ts';
import { poison, toStepError } from './faults.ts';

type Job = Pass & { orgId: string };

const sizeBytesMax = 500 * 1024 * 1024;
const headBytes = 64;
const idleTimeoutMs = 30_000;
const totalTimeoutMs = 15 * 60_000;

export const contentTypes: Record<AudioFormat, string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
};

/**
 * Brings a recording that lies elsewhere into the object storage. Each try writes an object of its own, whose row in
 * `uploads` goes when the record names it: what a crash leaves behind is found by that row.
 */
export async function fetchRecording(deps: FunctionDeps, job: Job): Promise<{ isFetched: boolean }> {
  const { db } = deps;
  const source = await db.withOrg(job.orgId, (tx) => selectSource(tx, job));
  if (!source?.recordingUrl || source.storageKey) return { isFetched: false };
  const storageKey = `${job.orgId}/${job.recordId}/${randomUUID()}`;
  await db.withOrg(job.orgId, (tx) => insertUpload(tx, storageKey));
  try {
    const recording = await download(deps, { url: source.recordingUrl, storageKey });
    return { isFetched: await db.withOrg(job.orgId, (tx) => saveRecording(tx, job, recording)) };
  } catch (error) {
    await db.withOrg(job.orgId, (tx) => discardObject(tx, storageKey)).catch(() => {});
    throw toStepError(error);
  }
}

async function download(
  { storage, config, stopping, sniffAudio }: FunctionDeps,
  { url, storageKey }: { url: string; storageKey: string },
): Promise<Recording> {
  const seen: { contentType?: string } = {};
  const { sizeBytes, sha256, fileName } = await safeDownload({
    url,
    allow: config.OUTBOUND_ALLOW,
    sizeBytesMax,
    idleTimeoutMs,
    totalTimeoutMs,
    signal: stopping,
    save: async (body) => {
      const { head, rest } = await peek(body);
      const format = sniffAudio(head);
      if (!format)
        throw poison('UNSUPPORTED_RECORDING', 'What the address gives is no WAV, MP3, OGG, FLAC or M4A recording.');
      seen.contentType = contentTypes[format];
      await storage.put(storageKey, rest);
    },
  });
  return { storageKey, sizeBytes, sha256, contentType: seen.contentType ?? '', fileName };
}

/** Reads the first bytes of a stream and gives them back together with a stream of the whole. */
async function peek(body: Readable): Promise<{ head: Uint8Array; rest: Readable }> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const iterator: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  while (sizeBytes < headBytes) {
    const next = await iterator.next();
    if (next.done) break;
    chunks.push(next.value);
    sizeBytes += next.value.length;
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield* chunks;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { head: Buffer.concat(chunks), rest: Readable.from(whole(), { objectMode: false }) };
}
