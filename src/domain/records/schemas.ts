import { z } from 'zod';
import { pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import {
  Direction,
  RecordSource,
  RecordStatus,
  RecordType,
  Stage,
  RecordId,
  CrmReference,
  Failure,
} from '../../model/record.ts';
import { ComplianceStatus, JudgedShare, NeedsReviewCount } from '../../model/scorecard.ts';

export const RecordListItem = z
  .object({
    id: RecordId,
    projectId: z.string(),
    type: RecordType,
    status: RecordStatus,
    duration: z.int().nullable().meta({ description: 'Seconds; null until it is known.' }),
    qualityScore: z.int().nullable().meta({
      description:
        '0-100; null until analysed, when no agent speaks, or when too little of the call was judged. The final one where the analysis is reviewed.',
    }),
    judgedShare: JudgedShare,
    needsReviewCount: NeedsReviewCount.nullable(),
    complianceStatus: ComplianceStatus.nullable().meta({ description: 'Null until analysed.' }),
    externalId: z.string().nullable().meta({ description: 'Your id of the call.' }),
    agentName: z.string().nullable(),
    customerPhone: z
      .string()
      .nullable()
      .meta({ description: 'Masked: country digit and last four.', examples: ['+7******4567'] }),
    callAt: Timestamp.meta({
      description: 'When the call took place: `startedAt`, else `createdAt`. Periods and statistics go by it.',
    }),
    createdAt: Timestamp.meta({ description: 'When the call was received.' }),
    completedAt: Timestamp.nullable().meta({
      description: 'When processing was done; null unless the record is `completed`.',
    }),
  })
  .meta({ id: 'RecordListItem' });
export type RecordListItem = z.infer<typeof RecordListItem>;

export const RecordDetail = RecordListItem.extend({
  customerPhone: z
    .string()
    .nullable()
    .meta({ description: 'In full for owners, admins and supervisors, else masked.' }),
  analysisId: z.string().nullable().meta({ description: 'The current analysis (`ana_…`); null until there is one.' }),
  source: RecordSource,
  direction: Direction.nullable().meta({ description: 'Null where nobody told it.' }),
  agentId: z.string().nullable().meta({ description: 'User id of the agent, if they are a member.' }),
  tags: z.array(z.string()).meta({ description: 'Words of yours.' }),
  startedAt: Timestamp.nullable().meta({ description: 'When the call began; null where nobody told it.' }),
  language: z.string().nullable().meta({ description: 'BCP 47 tag.' }),
  channels: z.int().nullable().meta({ description: 'Channels of the recording.' }),
  file: z
    .object({
      name: z.string().nullable(),
      size: z.int().meta({ description: 'Bytes.' }),
      contentType: z.string().meta({ description: 'Told from the bytes.' }),
      sha256: z.string().meta({ description: 'Of the stored bytes, in hexadecimal digits.' }),
      damage: z
        .object({ missingMs: z.int().meta({ description: 'Milliseconds of the call that could not be read.' }) })
        .nullable()
        .meta({
          description:
            'Set where the recording is damaged: what can be read of it was processed, with silence in place of the rest, and the call counts with its whole length. A recording of which less than a fifth can be read fails (`AUDIO_DAMAGED`). Known once the recording was decoded.',
        }),
    })
    .nullable()
    .meta({ description: 'The stored recording; null until it has been fetched.' }),
  stage: Stage.nullable().meta({ description: 'Null unless the record is being processed.' }),
  failure: Failure.nullable().meta({ description: 'Null unless the record is `failed`.' }),
  crm: CrmReference.nullable().meta({ description: 'What the call belongs to in the CRM; null where nobody told it.' }),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'What you sent beyond the named fields.' }),
  contentDeletedAt: Timestamp.nullable().meta({
    description:
      'When the recording and the transcript were deleted at the end of the retention period of the project; scores and figures stay.',
  }),
  uploadedBy: z.string().nullable().meta({ description: 'User id; null where a CRM sent the call.' }),
}).meta({ id: 'CallRecord' });
export type RecordDetail = z.infer<typeof RecordDetail>;

export const RecordPage = pageOf(RecordListItem).meta({ id: 'RecordPage' });

const resultsMax = 100;

export const RecordResultsInput = z.strictObject({ ids: z.array(z.string().max(255)).min(1).max(resultsMax) });
export type RecordResultsInput = z.infer<typeof RecordResultsInput>;

/** A list item with the additional columns of the dashboard's table. */
export const RecordResult = RecordListItem.extend({
  direction: Direction.nullable(),
  fileName: z.string().nullable(),
  startedAt: Timestamp.nullable(),
  stage: Stage.nullable(),
  failure: Failure.nullable(),
  /** The current analysis, with its final values. */
  analysis: z
    .object({
      id: z.string(),
      qualityScore: z.int().nullable(),
      judgedShare: JudgedShare,
      complianceStatus: ComplianceStatus.nullable(),
      reviewed: z.boolean(),
    })
    .nullable(),
}).meta({ id: 'RecordResult' });
export type RecordResult = z.infer<typeof RecordResult>;

/** The answer to creating a record: exactly these fields. */
export const RecordReceipt = z
  .object({ id: RecordId, status: RecordStatus, projectId: z.string(), createdAt: Timestamp })
  .meta({ id: 'RecordReceipt' });
export type RecordReceipt = z.infer<typeof RecordReceipt>;
