import { orgProcedure, router } from '../../trpc/procedures.ts';
import { RecordParams } from '../../model/record.ts';
import { createPlayback } from './playback.ts';
import { Playback, PlaybackInput, Waveform } from './schemas.ts';
import { getWaveform } from './waveform.ts';

export const recordingsRouter = router({
  /** Over tRPC only: players that send their credential have `GET /records/:id/audio`. */
  playback: orgProcedure('records:read')
    .input(PlaybackInput)
    .output(Playback)
    .query(({ ctx, input }) => createPlayback(ctx.org, input)),

  /** Over tRPC only, for drawing. Null where there is none: a recording that was never decoded is then, so ask again. */
  waveform: orgProcedure('records:read')
    .input(RecordParams)
    .output(Waveform.nullable())
    .query(({ ctx, input }) => getWaveform(ctx.org, input)),
});
