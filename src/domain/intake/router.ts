import { operationsOf, router } from '../../trpc/procedures.ts';
import { RecordDetail, RecordReceipt } from '../records/schemas.ts';
import { examples } from './examples.ts';
import { ingestRecord } from './service.ts';
import { listRecordChanges, updateRecord } from './correct.ts';
import { IngestRecordInput, ListRecordChangesInput, RecordChangePage, UpdateRecordInput } from './schemas.ts';

const operation = operationsOf('Records', examples);

export const intakeRouter = router({
  ingest: operation('ingestRecord', {
    permission: 'records:ingest',
    route: 'POST /records/ingest',
    successStatus: 202,
    summary: 'Ingest a call by address',
    description:
      'For CRMs: the recording is fetched by the pipeline. The same `source` and `externalId` again answers 200 with the first record; while that one is `failed`, another `recordingUrl` is taken, and it starts over (202). Nothing else of what is sent again is taken: correct it with `PATCH /records/{id}`.',
    errorResponses: {
      402: 'The budget of this month leaves no room for further processing.',
      404: 'Project not found.',
      409: 'The record was deleted at this moment. Send the call again.',
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

  update: operation('updateRecord', {
    permission: 'records:update',
    route: 'PATCH /records/{id}',
    summary: 'Correct a record',
    description:
      'Corrects what is known of a call: who handled it, who called, when, in which language, your own id, tags and metadata. Neither transcript nor scores change; to judge the call anew, order a re-analysis. `GET /records/{id}/changes` tells who corrected what.',
    errorResponses: {
      409: 'Another call has this external id.',
      422: 'There is no such member.',
    },
  })
    .input(UpdateRecordInput)
    .output(RecordDetail)
    .mutation(({ ctx, input }) => updateRecord(ctx.org, input)),

  changes: operation('listRecordChanges', {
    permission: 'records:read',
    route: 'GET /records/{id}/changes',
    summary: 'List the corrections of a record',
    description: 'Who changed which fields, when, and what they said before; newest first unless sorted otherwise.',
  })
    .input(ListRecordChangesInput)
    .output(RecordChangePage)
    .query(({ ctx, input }) => listRecordChanges(ctx.org, input)),
});
