import { orgProcedure, router } from '../../trpc/procedures.ts';
import { RecordParams } from '../../model/record.ts';
import { TranscriptDetail, TranscriptPart } from '../../model/transcript.ts';
import { TranscriptPartInput } from './schemas.ts';
import { getTranscript, getTranscriptPart } from './service.ts';

export const transcriptsRouter = router({
  /** Over REST, see http/transcript.ts, which also offers the subtitle formats. */
  transcript: orgProcedure('records:read')
    .input(RecordParams)
    .output(TranscriptDetail)
    .query(({ ctx, input }) => getTranscript(ctx.org, input)),

  /** Over tRPC and MCP. */
  segments: orgProcedure('records:read')
    .meta({
      mcp: {
        title: 'Read a transcript',
        description:
          'What was said in a call, in parts: who said it (`role`), when (`startMs`, milliseconds from the start) and what. Begin with `from` 0 and go on with `next`, or ask for the segments around a hit or a piece of evidence.',
      },
    })
    .input(TranscriptPartInput)
    .output(TranscriptPart)
    .query(({ ctx, input }) => getTranscriptPart(ctx.org, input)),
});
