import type { FastifyInstance } from 'fastify';
import { formatTranscript, transcriptFormats, transcriptMediaTypes } from '../domain/records/transcript-formats.ts';
import { validationError } from '../lib/errors.ts';
import { appRouter } from '../router.ts';
import { readQuery } from './query.ts';
import { restPrefix } from './rest.ts';

const formats = ['json', ...transcriptFormats] as const;
type Format = (typeof formats)[number];

/** The transcript as JSON in the envelope, or as WebVTT, SubRip or plain text: the procedure behind a native route. */
export async function transcript(app: FastifyInstance): Promise<void> {
  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: `${restPrefix}/records/:id/transcript`,
    onRequest: async (req) => void (await req.context.authorize('records:read')),
    handler: async (req, reply) => {
      const format = readFormat(readQuery(req, ['format'])['format']);
      const found = await appRouter.createCaller(req.context).records.transcript({ id: req.params.id });
      if (format === 'json') return reply.send({ data: found });
      return reply.type(transcriptMediaTypes[format]).send(formatTranscript(found, format));
    },
  });
}

function readFormat(given: unknown = 'json'): Format {
  const format = formats.find((name) => name === given);
  if (!format) throw validationError('format', `\`format\` is one of ${formats.join(', ')}.`);
  return format;
}
