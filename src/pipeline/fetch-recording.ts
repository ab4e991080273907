import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { parseRecordingReference } from '../domain/portals/service.ts';
import { type Recording, saveRecording, selectSource } from '../domain/processing/service.ts';
import { discardObject, insertUpload } from '../domain/recordings/service.ts';
import { observed } from '../lib/observe.ts';
import { safeDownload } from '../lib/safe-fetch.ts';
import { readRecordingAddress } from '../providers/crm/bitrix24-telephony.ts';
import { quickProbe } from '../providers/audio/quick-probe.ts';
import { createSniffer, type AudioType } from '../providers/audio/sniff.ts';
import type { Job } from './client.ts';
import type { FunctionDeps } from './dependencies.ts';
import { poison, toStepError } from './base/faults.ts';

type Download = { url: string; storageKey: string };

const sourceDownload = { provider: 'recording-source', operation: 'download' };
const sizeBytesMax = 500 * 1024 * 1024;
const idleTimeoutMs = 30_000;
const totalTimeoutMs = 15 * 60_000;

/**
 * Downloads a recording into the object storage. Each try writes a new object with a row in `uploads`, which is deleted
 * when the record refers to the object; after a crash, the sweeper finds the object by this row.
 */
export async function fetchRecording(deps: FunctionDeps, job: Job): Promise<{ isFetched: boolean }> {
  const { db } = deps;
  const source = await db.withOrg(job.orgId, (tx) => selectSource(tx, job));
  if (!source?.recordingUrl || source.storageKey) return { isFetched: false };
  const storageKey = `${job.orgId}/${job.recordId}/${randomUUID()}`;
  await db.withOrg(job.orgId, (tx) => insertUpload(tx, storageKey));
  try {
    const url = await addressOf(deps, source.recordingUrl);
    const recording = await observed(sourceDownload, () => download(deps, { url, storageKey }));
    return { isFetched: await db.withOrg(job.orgId, (tx) => saveRecording(tx, job, recording)) };
  } catch (error) {
    await db.withOrg(job.orgId, (tx) => discardObject(tx, storageKey)).catch(() => {});
    throw toStepError(error);
  }
}

/** The CRM is asked for the address just before fetching: it contains a token and is valid for an hour. */
async function addressOf({ crm }: FunctionDeps, recordingUrl: string): Promise<string> {
  const call = parseRecordingReference(recordingUrl);
  if (!call) return recordingUrl;
  const url = await readRecordingAddress(
    (method, parameters) => crm.call(call.memberId, method, parameters),
    call.callId,
  );
  if (url === null) throw poison('RECORDING_GONE', 'The CRM no longer has a recording of the call.');
  return url;
}

async function download(
  { storage, config, stopping }: FunctionDeps,
  { url, storageKey }: Download,
): Promise<Recording> {
  const seen: { type?: AudioType } = {};
  const { sizeBytes, sha256, fileName } = await safeDownload({
    url,
    allow: config.OUTBOUND_ALLOW,
    sizeBytesMax,
    idleTimeoutMs,
    totalTimeoutMs,
    signal: stopping,
    save: (body) => storage.put(storageKey, Readable.from(inspect(body, (type) => (seen.type = type)))),
  });
  if (!seen.type) throw notAudio();
  const { format, contentType } = seen.type;
  const { defect, durationMs, channels } = await storage.withLocalFile(storageKey, (path) =>
    quickProbe({ path, format }),
  );
  if (defect) throw poison('RECORDING_DEFECTIVE', defect);
  return { storageKey, sizeBytes, sha256, contentType, fileName, durationMs, channels };
}

/** Passes the bytes on, and stops at once if they are no recording. */
async function* inspect(body: Readable, tell: (type: AudioType) => void): AsyncGenerator<Buffer> {
  const sniffer = createSniffer();
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (sniffer.push(chunk) === null) throw notAudio();
    yield chunk;
  }
  const type = sniffer.end();
  if (!type) throw notAudio();
  tell(type);
}

function notAudio(): Error {
  return poison('UNSUPPORTED_RECORDING', 'The address does not return a WAV, MP3, OGG, FLAC or M4A recording.');
}
