import { z } from 'zod';
import { orgProcedure, router } from '../../trpc/procedures.ts';
import { ReanalysisReceipt } from '../analyses/schemas.ts';
import { swapSpeakers } from '../analyses/swap-speakers.ts';
import { ingestRecord } from './ingest.ts';
import {
  IngestRecordInput,
  ListRecordsInput,
  Playback,
  PlaybackInput,
  RecordDetail,
  RecordPage,
  RecordParams,
  RecordReceipt,
  RecordResult,
  RecordResultsInput,
  SwapSpeakersInput,
  Waveform,
} from './schemas.ts';
import { createPlayback } from './playback.ts';
import { deleteRecord, getRecord, getTranscript, listRecords, listResults, retryRecord } from './service.ts';
import { TranscriptDetail } from '../../model/transcript.ts';
import { getWaveform } from './waveform.ts';

const tags = ['Records'];
const budgetExceeded = 'The budget of this month leaves no room for further processing.';

export const recordsRouter = router({
  list: orgProcedure('records:read')
    .meta({
      openapi: {
        method: 'GET',
        path: '/records',
        operationId: 'listRecords',
        tags,
        summary: 'List records',
        description: 'Records that you may see, newest first unless sorted otherwise. Agents see their own calls.',
      },
    })
    .input(ListRecordsInput)
    .output(RecordPage)
    .query(({ ctx, input }) => listRecords(ctx.org, input)),

  /** Over tRPC only: what a table shows beside a list, or beside what a search has found. */
  results: orgProcedure('records:read')
    .input(RecordResultsInput)
    .output(z.array(RecordResult))
    .query(({ ctx, input }) => listResults(ctx.org, input)),

  get: orgProcedure('records:read')
    .meta({
      openapi: {
        method: 'GET',
        path: '/records/{id}',
        operationId: 'getRecord',
        tags,
        summary: 'Get a record',
        description:
          'Everything known about one call. Poll it, or wait for `record.completed`, to learn when processing is done.',
      },
    })
    .input(RecordParams)
    .output(RecordDetail)
    .query(({ ctx, input }) => getRecord(ctx.org, input)),

  ingest: orgProcedure('records:ingest')
    .meta({
      successStatus: 202,
      openapi: {
        method: 'POST',
        path: '/records/ingest',
        operationId: 'ingestRecord',
        tags,
        summary: 'Ingest a call by address',
        description:
          'For CRMs: the recording is fetched by the pipeline. The same `source` and `externalId` again answers 200 with the first record.',
        errorResponses: {
          402: budgetExceeded,
          404: 'Project not found.',
          409: 'The record was deleted at this moment. Send the call again.',
        },
      },
    })
    .input(IngestRecordInput)
    .output(RecordReceipt)
    .mutation(async ({ ctx, input }) => {
      const { receipt, isNew } = await ingestRecord(ctx.org, input);
      ctx.reply.headers['Location'] = `/api/v1/records/${receipt.id}`;
      if (!isNew) ctx.reply.status = 200;
      return receipt;
    }),

  /** Over REST by http/transcript.ts, which also offers the subtitle formats. */
  transcript: orgProcedure('records:read')
    .input(RecordParams)
    .output(TranscriptDetail)
    .query(({ ctx, input }) => getTranscript(ctx.org, input)),

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

  retry: orgProcedure('records:retry')
    .meta({
      openapi: {
        method: 'POST',
        path: '/records/{id}/retry',
        operationId: 'retryRecord',
        tags,
        summary: 'Process a failed record again',
        description:
          'Moves a `failed` record back to `pending`, where its `failure.retryable` says that this can help. Not once retention has deleted the call.',
        errorResponses: {
          402: budgetExceeded,
          409: 'Processing this record again cannot help: The recording holds no sound.',
        },
      },
    })
    .input(RecordParams)
    .output(RecordReceipt)
    .mutation(({ ctx, input }) => retryRecord(ctx.org, input)),

  swapSpeakers: orgProcedure('analyses:reanalyze')
    .meta({
      successStatus: 202,
      openapi: {
        method: 'POST',
        path: '/records/{id}/swap-speakers',
        operationId: 'swapSpeakers',
        tags,
        summary: 'Swap agent and customer',
        description:
          'For a call whose two parties were taken for each other: orders a further analysis of the transcript with their roles swapped, by the profile of the current one. The record shows transcript and scores together once that is completed; until then, and where it fails, it shows the old ones.',
        errorResponses: {
          402: budgetExceeded,
          409: 'The record is not completed, a re-analysis of it is under way, or it was reviewed and `replaceReview` is not `true`.',
          422: 'The transcript does not have exactly two roles that speak, or it was deleted at the end of its retention period.',
        },
      },
    })
    .input(SwapSpeakersInput)
    .output(ReanalysisReceipt)
    .mutation(async ({ ctx, input }) => {
      const receipt = await swapSpeakers(ctx.org, input);
      ctx.reply.headers['Location'] = `/api/v1/analyses/${receipt.id}`;
      return receipt;
    }),

  delete: orgProcedure('records:delete')
    .meta({
      successStatus: 204,
      openapi: {
        method: 'DELETE',
        path: '/records/{id}',
        operationId: 'deleteRecord',
        tags,
        summary: 'Delete a record',
        description: 'Removes the record, its transcript, its analyses and, shortly afterwards, the stored recording.',
      },
    })
    .input(RecordParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteRecord(ctx.org, input)),
});
