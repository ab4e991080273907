import { z } from 'zod';
import { operationsOf, orgProcedure, router } from '../../trpc/procedures.ts';
import { examples } from './examples.ts';
import { ListRecordsInput } from './filters.ts';
import { RecordDetail, RecordPage, RecordResult, RecordResultsInput } from './schemas.ts';
import { RecordParams } from '../../model/record.ts';
import { deleteRecord, getRecord, listRecords, listResults } from './service.ts';

const operation = operationsOf('Records', examples);

export const recordsRouter = router({
  list: operation('listRecords', {
    permission: 'records:read',
    route: 'GET /records',
    mcp: { title: 'List calls' },
    summary: 'List records',
    description:
      'Records that you may see, last received first unless sorted otherwise. `from` and `to` go by the time of the call (`callAt`), `receivedFrom` and `receivedTo` by its arrival. Agents see their own calls.',
  })
    .input(ListRecordsInput)
    .output(RecordPage)
    .query(({ ctx, input }) => listRecords(ctx.org, input)),

  /** Over tRPC only: additional columns for the records of a list or a search. */
  results: orgProcedure('records:read')
    .input(RecordResultsInput)
    .output(z.array(RecordResult))
    .query(({ ctx, input }) => listResults(ctx.org, input)),

  get: operation('getRecord', {
    permission: 'records:read',
    route: 'GET /records/{id}',
    mcp: { title: 'Look up a call', without: ['file', 'metadata'], masked: ['customerPhone'] },
    summary: 'Get a record',
    description:
      'Everything known about one call. Poll it, or wait for `record.completed`, to learn when processing is done.',
  })
    .input(RecordParams)
    .output(RecordDetail)
    .query(({ ctx, input }) => getRecord(ctx.org, input)),

  delete: operation('deleteRecord', {
    permission: 'records:delete',
    route: 'DELETE /records/{id}',
    successStatus: 204,
    summary: 'Delete a record',
    description: 'Removes the record, its transcript, its analyses and, shortly afterwards, the stored recording.',
  })
    .input(RecordParams)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteRecord(ctx.org, input)),
});
