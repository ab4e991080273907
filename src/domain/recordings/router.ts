import { operationsOf, orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { RecordParams } from '../../model/record.ts';
import { createPlayback } from './service.ts';
import { Playback, PlaybackInput, Waveform } from './schemas.ts';
import { getWaveform } from './waveform.ts';

const operation = operationsOf('Records', examples);

export const recordingsRouter = router({
  playback: operation('createPlayback', {
    permission: 'records:read',
    route: 'POST /records/{id}/playback',
    changesNothing: true,
    summary: 'Get an address for a player',
    description:
      'An address of the recording that carries its own ticket, for players that cannot send a credential, such as an `<audio>` element. It answers ranges and is valid for ten minutes; what you may hear is checked on every request. Programs that can send a header use `GET /records/{id}/audio`.',
    errorResponses: {
      403: 'Only owners and admins may hear what this project redacts.',
      404: 'Record not found, or its recording was deleted at the end of the retention period.',
      409: 'The recording is not ready yet, or processing failed: then the message says why.',
    },
  })
    .input(PlaybackInput)
    .output(Playback)
    .query(({ ctx, input }) => createPlayback(ctx.org, input)),

  /**
   * Over tRPC only. Null if there is none yet: the request has a recording that was never decoded drawn, so ask again.
   */
  waveform: orgProcedure('records:read')
    .input(RecordParams)
    .output(Waveform.nullable())
    .query(({ ctx, input }) => getWaveform(ctx.org, input)),
});
