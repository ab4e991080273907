import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { examples as intakeExamples } from '../../domain/intake/examples.ts';
import { examples as recordingExamples } from '../../domain/recordings/examples.ts';
import { examples as transcriptExamples } from '../../domain/transcripts/examples.ts';
import { RecordReceipt } from '../../domain/records/schemas.ts';
import { RecordParams } from '../../model/record.ts';
import { UploadMetadata } from '../../domain/intake/schemas.ts';
import { embeddedAuth, embeddedSignOut } from './raw-embedded.ts';
import type { RawOperation } from './raw-operation.ts';
import { portalEvent } from './raw-portals.ts';
import { transcriptFormats } from '../../domain/transcripts/service.ts';
import { TranscriptDetail } from '../../model/transcript.ts';
import { audioContentTypes } from '../../providers/audio/sniff.ts';
import { one } from '../../trpc/examples.ts';

const bytes = z.string().meta({ override: { type: 'string', format: 'binary' } });
const audioTypes = Object.values(audioContentTypes);

const UploadForm = z.object({
  file: bytes.meta({ description: 'The recording: WAV, MP3, OGG, FLAC or M4A, told by its bytes; at most 500 MB.' }),
  projectId: z.string().max(255).meta({ description: 'The project that takes the record (`prj_…`).' }),
  metadata: UploadMetadata.optional(),
  transcript: z.string().optional().meta({
    description:
      'WebVTT, SRT, or JSON as in `GET /records/{id}/transcript`, for calls that are transcribed already. Speech-to-text is skipped then. 200,000 words at most.',
  }),
});

const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    uptime: z.int().nonnegative().meta({ description: 'Seconds since the process started.' }),
    checks: z.object({
      database: z.enum(['ok', 'down']),
      storage: z.enum(['ok', 'down']),
      pipeline: z.enum(['ok', 'down']),
    }),
  })
  .meta({ id: 'Health' });

const ifNoneMatch = z.string().optional().meta({ description: '`ETag` of a copy that you have.' });
const rangeHeaders = z.object({
  Range: z
    .string()
    .optional()
    .meta({
      description: 'One range of bytes; more than one is answered with the whole file.',
      examples: ['bytes=0-65535'],
    }),
  'If-Range': z
    .string()
    .optional()
    .meta({ description: '`ETag` of the file that the range is meant for; another one answers the whole file.' }),
  'If-None-Match': ifNoneMatch,
});

const header = (description: string, example: string | number) => ({
  description,
  schema: { type: typeof example === 'number' ? ('integer' as const) : ('string' as const) },
  example,
});

const sha256 = '"5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"';
const cacheHeaders = {
  ETag: header('SHA-256 of the file: the same as long as the bytes are.', sha256),
  'Cache-Control': header('May be kept by you, not by caches between.', 'private, no-cache'),
  'Accept-Ranges': header('Ranges of bytes can be asked for.', 'bytes'),
};
const fileHeaders = {
  ...cacheHeaders,
  'Content-Length': header('Bytes in this answer.', 448_044),
  'Content-Disposition': header('The name that the file was sent with.', 'inline; filename="call-4711.wav"'),
};
const contentRange = (example: string) => ({ 'Content-Range': header('Which bytes of how many.', example) });

const audioContent = Object.fromEntries(audioTypes.map((type) => [type, { schema: bytes }]));
const audioErrors = {
  403: 'Only owners and admins may hear what this project redacts.',
  404: 'Record not found, or its recording was deleted at the end of the retention period.',
  409: 'The recording is not ready yet, or processing failed: then the message says why.',
};
const audioQuery = z.object({
  redacted: z.enum(['true', 'false']).optional().meta({
    description:
      'Whether what was redacted in the transcript is silent. By default it is for all but owners and admins in a project that redacts, and for nobody else. 409 until such a recording is there.',
  }),
});

const upload: RawOperation = {
  operationId: 'uploadRecord',
  examples: intakeExamples.uploadRecord,
  tags: ['Records'],
  summary: 'Upload a recording',
  description:
    'Streams the file to storage and queues the record. Parts may come in any order; `file` and `projectId` are required.',
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: UploadForm,
        encoding: { file: { contentType: audioTypes.join(', ') }, metadata: { contentType: 'application/json' } },
      },
    },
  },
  responses: {
    200: { content: { 'application/json': { schema: z.object({ data: RecordReceipt }) } } },
    201: { content: { 'application/json': { schema: z.object({ data: RecordReceipt }) } } },
  },
  errors: {
    402: 'The budget of this month leaves no room for further processing.',
    404: 'Project not found.',
    409: 'Another recording of the project has this external id.',
    413: 'The file is larger than 500 MB, or the transcript has more than 200,000 words.',
    415: 'The file is not WAV, MP3, OGG, FLAC or M4A, whatever its name says.',
    422: 'The recording is an empty file.',
  },
};

const transcript: RawOperation = {
  operationId: 'getRecordTranscript',
  examples: transcriptExamples.getRecordTranscript,
  tags: ['Records'],
  summary: 'Get the transcript of a record',
  description:
    'Segments with speaker, role and times, as JSON; or as subtitles or plain text, by `format`. SubRip is `application/x-subrip` here, as it has always been.',
  requestParams: {
    path: RecordParams,
    query: z.object({
      format: z
        .enum(['json', 'vtt', 'srt', 'txt'])
        .optional()
        .meta({ description: 'JSON in the envelope (default), WebVTT, SubRip or plain text.' }),
    }),
  },
  responses: {
    200: {
      content: {
        'application/json': { schema: z.object({ data: TranscriptDetail }) },
        'text/vtt': { schema: z.string() },
        'application/x-subrip': { schema: z.string() },
        'text/plain': { schema: z.string() },
      },
    },
  },
  errors: {
    404: 'Record not found, or its transcript was deleted at the end of the retention period.',
    409: 'The transcript is not ready yet, or processing failed: then the message says why.',
  },
};

const captions: RawOperation = {
  operationId: 'getRecordCaptions',
  examples: transcriptExamples.getRecordCaptions,
  tags: ['Records'],
  summary: 'Get the captions of a record',
  description:
    'The transcript as text: subtitles for a player, or lines to read. As `GET /records/{id}/transcript` has it by `format`, but with SubRip as `text/srt`: generated clients take as text what says that it is.',
  requestParams: {
    path: RecordParams,
    query: z.object({
      format: z.enum(transcriptFormats).optional().meta({ description: 'WebVTT (default), SubRip or plain text.' }),
    }),
  },
  responses: {
    200: {
      content: {
        'text/vtt': { schema: z.string() },
        'text/srt': { schema: z.string() },
        'text/plain': { schema: z.string() },
      },
    },
  },
  errors: {
    404: 'Record not found, or its transcript was deleted at the end of the retention period.',
    409: 'The transcript is not ready yet, or processing failed: then the message says why.',
  },
};

const audio: RawOperation = {
  operationId: 'getRecordAudio',
  examples: recordingExamples.getRecordAudio,
  tags: ['Records'],
  summary: 'Stream the recording',
  description:
    'The bytes as they were sent, under their own type; or, where personal data is redacted, a copy in the same format in which it is silent. Players may ask for ranges.',
  requestParams: { path: RecordParams, query: audioQuery, header: rangeHeaders },
  responses: {
    200: { description: 'The whole file.', headers: fileHeaders, content: audioContent },
    206: {
      description: 'The range that was asked for.',
      headers: { ...fileHeaders, ...contentRange('bytes 0-65535/448044') },
      content: audioContent,
    },
    302: {
      description: 'Where the service is set up so: the bytes are at that address, for a few minutes.',
      headers: { Location: header('An address of the object storage.', 'https://calls.example.com/…') },
    },
    304: { description: 'Your copy is still good.', headers: cacheHeaders },
  },
  errors: { ...audioErrors, 416: 'The recording has 448044 bytes.' },
  errorHeaders: { 416: contentRange('bytes */448044') },
};

const audioHead: RawOperation = {
  operationId: 'headRecordAudio',
  examples: recordingExamples.headRecordAudio,
  tags: ['Records'],
  summary: 'Look at the recording without its bytes',
  description: 'The headers of the stream: size, type and `ETag`.',
  requestParams: { path: RecordParams, query: audioQuery, header: z.object({ 'If-None-Match': ifNoneMatch }) },
  responses: {
    200: { description: 'The file is there.', headers: fileHeaders },
    304: { description: 'Your copy is still good.', headers: cacheHeaders },
  },
  errors: audioErrors,
};

const healthOf = (isWell: boolean) => ({
  status: isWell ? 'ok' : 'degraded',
  version: '1.0.0',
  uptime: 86_400,
  checks: { database: 'ok', storage: isWell ? 'ok' : 'down', pipeline: 'ok' },
});
const healthContent = { 'application/json': { schema: z.object({ data: Health }) } };

const health: RawOperation = {
  operationId: 'getHealth',
  examples: { responses: { 200: one('Well', healthOf(true)), 503: one('The storage is down', healthOf(false)) } },
  tags: ['Health'],
  summary: 'Ask whether the service is well',
  description: 'Public. Meant for load balancers and monitoring.',
  isPublic: true,
  responses: {
    200: { description: 'Every part works.', content: healthContent },
    503: {
      description: 'At least one part is down.',
      headers: { 'Retry-After': header('Seconds to wait before the next try.', 5) },
      content: healthContent,
    },
  },
  errors: {},
};

const rawRoutes: Record<string, Partial<Record<'get' | 'head' | 'post' | 'delete', RawOperation>>> = {
  '/embedded/auth': { post: embeddedAuth, delete: embeddedSignOut },
  '/health': { get: health },
  '/integrations/bitrix24/events': { post: portalEvent },
  '/records/upload': { post: upload },
  '/records/{id}/transcript': { get: transcript },
  '/records/{id}/captions': { get: captions },
  '/records/{id}/audio': { get: audio, head: audioHead },
};

export const rawOperations: RawOperation[] = Object.values(rawRoutes).flatMap((item) => Object.values(item));

/** For the generator, which would take our own keys for parts of the document. */
export function rawPaths(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(rawRoutes).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, withoutOurKeys(operation)])),
    ]),
  );
}

function withoutOurKeys(operation: RawOperation): ZodOpenApiOperationObject {
  const { examples: _examples, errors: _errors, errorHeaders: _headers, isPublic: _isPublic, ...rest } = operation;
  return rest;
}
