import { operationsOf, router } from '../../trpc/procedures.ts';
import { RecordReceipt } from '../records/schemas.ts';
import { examples } from './examples.ts';
import { ingestRecord } from './ingest.ts';
import { IngestRecordInput } from './schemas.ts';

const operation = operationsOf('Records', examples);

export const intakeRouter = router({
  ingest: operation('ingestRecord', {
    permission: 'records:ingest',
    route: 'POST /records/ingest',
    successStatus: 202,
    summary: 'Ingest a call by address',
    description:
      'For CRMs: the recording is fetched by the pipeline. The same `source` and `externalId` again answers 200 with the first record.',
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
});
