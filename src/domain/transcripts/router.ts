import { orgProcedure, router } from '../../trpc/procedures.ts';
import { RecordParams } from '../../model/record.ts';
import { TranscriptDetail } from '../../model/transcript.ts';
import { getTranscript } from './service.ts';

export const transcriptsRouter = router({
  /** Over REST, see http/transcript.ts, which also offers the subtitle formats. */
  transcript: orgProcedure('records:read')
    .input(RecordParams)
    .output(TranscriptDetail)
    .query(({ ctx, input }) => getTranscript(ctx.org, input)),
});
