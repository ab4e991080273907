import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { serve } from 'inngest/fastify';
import type { Pipeline } from '../pipeline/assembly/pipeline.ts';

const path = '/api/inngest';
const bodySizeBytesMax = 8 * 1024 * 1024;

/**
 * Serves the functions to an Inngest server (`PIPELINE_ENGINE=inngest`). Outside development, every request must carry
 * the server's signature: without it, nothing runs, registers or reveals functions.
 */
export const inngest = fastifyPlugin(
  async (app: FastifyInstance, { pipeline }: { pipeline: Pick<Pipeline, 'endpoint'> }) => {
    if (!pipeline.endpoint) return;
    const { client, functions } = pipeline.endpoint;
    const handler = serve({ client, functions, servePath: path, enableUnauthedSync: false });
    // Steps arrive as fast as the work does, all from one address. Unsigned requests are refused at once.
    const config = { counted: 'not' as const };
    app.route({ method: ['GET', 'POST', 'PUT'], url: path, bodyLimit: bodySizeBytesMax, config, handler });
  },
);
