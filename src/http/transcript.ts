import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { RecordParams } from '../model/record.ts';
import {
  captionMediaTypes,
  transcriptFormats,
  transcriptMediaTypes,
  writeTranscript,
} from '../domain/transcripts/service.ts';
import { validationError } from '../lib/errors.ts';
import { writeAnswer } from '../lib/plain-json.ts';
import { bodyOf } from './pieced-body.ts';
import { appRouter } from '../api/router.ts';
import { readQuery } from './query.ts';
import { orgProcedure, router } from '../trpc/procedures.ts';
import { restPrefix } from './endpoints.ts';

const formats = ['json', ...transcriptFormats] as const;

/** Procedures without a REST address of their own. */
const written = router({
  transcript: orgProcedure('records:read')
    .input(RecordParams.extend({ format: z.enum(transcriptFormats) }))
    .query(({ ctx, input }) => writeTranscript(ctx.org, input)),
});

/** The transcript as JSON in the envelope, or as WebVTT, SubRip or plain text; captions are the latter alone. */
export async function transcript(app: FastifyInstance): Promise<void> {
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: `${restPrefix}/records/:id/transcript`,
    onRequest: async (req) => void (await req.context.authorize('records:read')),
    handler: async (req, reply) => {
      const { id } = req.params;
      const format = readFormat(readQuery(req, ['format'])['format'], formats);
      if (format !== 'json') {
        reply.type(transcriptMediaTypes[format]);
        return written.createCaller(req.context).transcript({ id, format });
      }
      const found = await appRouter.createCaller(req.context).records.transcript({ id });
      return reply.type('application/json; charset=utf-8').send(bodyOf(['{"data":', ...writeAnswer(found), '}']));
    },
  });
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: `${restPrefix}/records/:id/captions`,
    onRequest: async (req) => void (await req.context.authorize('records:read')),
    handler: async (req, reply) => {
      const format = readFormat(readQuery(req, ['format'])['format'], transcriptFormats);
      reply.type(captionMediaTypes[format]);
      return written.createCaller(req.context).transcript({ id: req.params.id, format });
    },
  });
}

/** The first of those that there are is the default. */
function readFormat<Format extends string>(given: unknown, known: readonly Format[]): Format {
  const format = given === undefined ? known[0] : known.find((name) => name === given);
  if (format === undefined) throw validationError('format', `\`format\` is one of ${known.join(', ')}.`);
  return format;
}
