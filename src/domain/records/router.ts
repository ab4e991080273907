import { z } from 'zod';
import { orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { ListRecordsInput } from './filters.ts';
import { RecordDetail, RecordPage, RecordResult, RecordResultsInput } from './schemas.ts';
import { RecordParams } from '../../model/record.ts';
import { deleteRecord, getRecord, listRecords, listResults } from './service.ts';

const tags = ['Records'];

export const recordsRouter = router({
  list: orgProcedure('records:read')
    .meta({
      examples: examples.listRecords,
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

  /** Over tRPC only: additional columns for the records of a list or a search. */
  results: orgProcedure('records:read')
    .input(RecordResultsInput)
    .output(z.array(RecordResult))
    .query(({ ctx, input }) => listResults(ctx.org, input)),

  get: orgProcedure('records:read')
    .meta({
      examples: examples.getRecord,
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

  delete: orgProcedure('records:delete')
    .meta({
      successStatus: 204,
      examples: examples.deleteRecord,
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
