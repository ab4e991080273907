import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../db/scope.ts';
import type { Services } from '../deps.ts';
import type { BilledContext, HeavyContext } from '../domain/context.ts';
import { requireBudget } from '../domain/billing/service.ts';
import { UploadMetadata } from '../domain/intake/schemas.ts';
import { newRecordId } from '../domain/records/service.ts';
import { supplyTranscript, transcriptSizeBytesMax } from '../domain/transcripts/service.ts';
import {
  beginUpload,
  cancelUpload,
  createUploadedRecord,
  requireUploadProject,
  type UploadedRecording,
} from '../domain/intake/service.ts';
import { detailsOf } from '../lib/details.ts';
import { AppError, validationError } from '../lib/errors.ts';
import { cleanFileName } from '../lib/file-name.ts';
import { unknownName } from '../lib/nearest-name.ts';
import { parseStorableJson } from '../lib/storable-json.ts';
import type { ObjectStorage } from '../providers/object-storage/interface.ts';
import { answerOnce, readIdempotencyKey, sendAnswer, type Answer } from './idempotency.ts';
import { readQuery } from './query.ts';
import { endLeftover } from './body.ts';
import { restPrefix } from './endpoints.ts';
import { assertTakesFiles, probeFile, storeFile, uploadSizeBytesMax, type StoredFile } from './upload-file.ts';
import { readForm, readText, type FormLimits, type FormPart } from './upload-form.ts';

const metadataSizeBytesMax = 1024 * 1024;
const projectIdSizeBytesMax = 255;

export const uploadLimits: FormLimits = {
  bodySizeBytesMax: uploadSizeBytesMax + transcriptSizeBytesMax + 2 * metadataSizeBytesMax,
  partsMax: 20,
  windowBytesMin: 10_000,
  rateWindowMs: 10_000,
  // The sweeper treats an upload as abandoned after an hour.
  totalTimeoutMs: 50 * 60_000,
  drainTimeoutMs: 10_000,
};

type UploadOptions = { services: Pick<Services, 'db' | 'heavyWork' | 'prices' | 'storage'>; limits?: FormLimits };

/** `POST /records/upload`. Must not be wrapped by fastify-plugin: its body parser belongs to this route alone. */
export async function upload(app: FastifyInstance, { services, limits = uploadLimits }: UploadOptions): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart);
  app.addContentTypeParser('*', (_req, _payload, done) => done(null));
  app.addHook('onResponse', async ({ raw }) => endLeftover(raw, limits.drainTimeoutMs));
  app.route({
    method: 'POST',
    url: `${restPrefix}/records/upload`,
    // Before the body is read, so a refused upload costs nothing.
    onRequest: async (req) => {
      await req.context.authorize('records:upload');
      readQuery(req, []);
      readIdempotencyKey(req);
    },
    handler: async (req, reply) => {
      const actor = await req.context.authorize('records:upload');
      const key = readIdempotencyKey(req);
      const once: Once = (recording, work) => {
        if (key === null) return work(services.db);
        return answerOnce(req, { services, actor, key, content: contentOf(recording), repeating: 'once' }, work);
      };
      return sendAnswer(reply, await receive({ ...services, actor, log: req.log }, { body: req, limits, once }));
    },
  });
}

type UploadContext = BilledContext & HeavyContext & { storage: ObjectStorage; log: FastifyBaseLogger };
/** Where the recording is stored, and whether anything may be there already. */
type UploadTarget = { id: string; storageKey: string; isBegun: boolean };
type Body = { body: FastifyRequest; limits: FormLimits };
/** Does the work, unless it was done for the same recording before: then it returns that answer. */
type Once = (recording: UploadedRecording, work: (db: Database) => Promise<Answer>) => Promise<Answer>;

async function receive(context: UploadContext, { once, ...body }: Body & { once: Once }): Promise<Answer> {
  const id = newRecordId();
  const target: UploadTarget = { id, storageKey: `${context.actor.orgId}/${id}`, isBegun: false };
  let recording: UploadedRecording;
  try {
    recording = await readUpload(context, { ...body, target });
  } catch (err) {
    await discard(context, target);
    throw err;
  }
  try {
    let isNeeded = false;
    const answer = await once(recording, async (db) => {
      const made = await makeRecord({ ...context, db }, recording);
      isNeeded = made.isNew;
      return made.answer;
    });
    if (!isNeeded) await discard(context, target);
    return answer;
  } catch (err) {
    // After an unexpected error the record may exist; the sweeper finds out.
    if (err instanceof AppError) await discard(context, target);
    throw err;
  }
}

async function makeRecord(
  context: UploadContext,
  recording: UploadedRecording,
): Promise<{ answer: Answer; isNew: boolean }> {
  const { receipt, isNew } = await createUploadedRecord(context, recording);
  const headers = { Location: `${restPrefix}/records/${receipt.id}` };
  return { answer: { status: isNew ? 201 : 200, headers, body: JSON.stringify({ data: receipt }) }, isNew };
}

/** What makes two uploads equal: everything that was sent, not what was derived from it. */
function contentOf({ projectId, file, metadata, transcriptSha256 }: UploadedRecording): unknown[] {
  const { name, sha256 } = file;
  return [{ projectId, name, sha256, metadata, transcriptSha256 }];
}

type Form = {
  projectId?: string;
  metadata?: UploadMetadata;
  transcript?: string;
  file?: UploadedRecording['file'] & Pick<StoredFile, 'format'>;
};

async function readUpload(
  context: UploadContext,
  { body, limits, target }: Body & { target: UploadTarget },
): Promise<UploadedRecording> {
  const form: Form = {};
  for await (const part of readForm(body, limits)) await takePart(context, { part, form, target });
  const { file, projectId, metadata = {} } = form;
  if (!file || projectId === undefined) throw missingParts(form);
  const { id, storageKey } = target;
  const { language = null, agentName = null, channelMap = null } = metadata;
  const { redaction } = await requireUploadProject(context, projectId);
  const { transcript: text = null } = form;
  const given = { recordId: id, language, agentName, channelMap, redaction };
  const transcript = text === null ? null : await supplyTranscript(context, { ...given, text });
  const transcriptSha256 = text === null ? null : createHash('sha256').update(text).digest('hex');
  const { format, ...stored } = file;
  const header = await probeFile(context.storage, { key: storageKey, format });
  return { id, projectId, storageKey, file: stored, ...header, metadata, transcript, transcriptSha256 };
}

type Taking = { part: FormPart; form: Form; target: UploadTarget };

/**
 * Parts come in any order. An unknown part is refused at once, since ignoring it would lose what it was meant to say.
 */
async function takePart(context: UploadContext, { part, form, target }: Taking): Promise<void> {
  const { name, fileName } = part;
  if (Object.hasOwn(form, name)) throw validationError(name, `The part ${name} was sent twice.`);
  switch (name) {
    case 'file':
      form.file = await takeFile(context, { part, form, target });
      return;
    case 'projectId':
      form.projectId = (await readText(part, projectIdSizeBytesMax)).trim();
      return;
    case 'metadata':
      form.metadata = parseMetadata(await readText(part, metadataSizeBytesMax));
      return;
    case 'transcript':
      form.transcript = await readText(part, transcriptSizeBytesMax);
      return;
    default:
      if (fileName !== null)
        throw validationError(name, `Unknown part \`${name}\`. Send one file, as the part \`file\`.`);
      throw validationError(name, unknownPart(name));
  }
}

const partNames = ['file', 'projectId', 'metadata', 'transcript'];

function unknownPart(name: string): string {
  if (name === '') return 'A part has no name.';
  const belongs = Object.hasOwn(UploadMetadata.shape, name);
  return belongs
    ? `Unknown part \`${name}\`. It is a field of the JSON in \`metadata\`.`
    : unknownName('part', name, partNames);
}

/** A wrong project or an exhausted budget is reported before 500 MB have been received for it. */
async function takeFile(context: UploadContext, { part, form, target }: Taking): Promise<NonNullable<Form['file']>> {
  const { storageKey } = target;
  assertTakesFiles(context.storage);
  if (form.projectId !== undefined) {
    await requireUploadProject(context, form.projectId);
    await requireBudget(context);
  }
  await beginUpload(context, storageKey);
  target.isBegun = true;
  const stored = await storeFile(context.storage, {
    key: storageKey,
    stream: part.stream,
    isNamed: part.fileName !== null,
  });
  return { ...stored, name: part.fileName === null ? null : cleanFileName(part.fileName) };
}

function parseMetadata(text: string): UploadMetadata {
  if (text.trim() === '') return {};
  const parsed = UploadMetadata.safeParse(parseStorableJson({ text, path: 'metadata' }));
  if (parsed.success) return parsed.data;
  throw new AppError('VALIDATION_ERROR', 'The metadata is not valid.', {
    details: detailsOf(parsed.error, ['metadata']),
  });
}

function missingParts(form: Form): AppError {
  const names = (['file', 'projectId'] as const).filter((name) => form[name] === undefined);
  const details = names.map((path) => ({ path, message: 'Required' }));
  return new AppError(
    'VALIDATION_ERROR',
    `The part ${names.join(' and the part ')} ${names.length === 1 ? 'is' : 'are'} missing.`,
    { details },
  );
}

/** Deletes the stored object, then its trace. If that fails, the sweeper does it. */
async function discard(context: UploadContext, { storageKey, isBegun }: UploadTarget): Promise<void> {
  if (!isBegun) return;
  try {
    await context.storage.remove(storageKey);
    await cancelUpload(context, storageKey);
  } catch (err) {
    context.log.warn({ err, storageKey }, 'a refused upload could not be removed yet');
  }
}
