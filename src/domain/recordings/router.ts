import { orgProcedure, router } from '../../trpc/procedures.ts';
import { RecordParams } from '../../model/record.ts';
import { createPlayback } from './playback.ts';
import { Playback, PlaybackInput, Waveform } from './schemas.ts';
import { getWaveform } from './waveform.ts';

export const recordingsRouter = router({
  /** Over tRPC only: players that can send their credential use `GET /records/:id/audio`. */
  playback: orgProcedure('records:read')
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
