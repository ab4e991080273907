import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';
import { Direction, RecordSource, RecordStatus, RecordType, Stage, RecordId } from '../../model/record.ts';
import { ComplianceStatus } from '../../model/scorecard.ts';

export const shortText = z.string().trim().min(1).max(255);

export const RecordListItem = z
  .object({
    id: RecordId,
    projectId: z.string(),
    type: RecordType,
    status: RecordStatus,
    duration: z.int().nullable().meta({ description: 'Seconds; null until it is known.' }),
    qualityScore: z.int().nullable().meta({
      description: '0-100; null until analysed, or when no agent speaks. The final one where the analysis is reviewed.',
    }),
    complianceStatus: ComplianceStatus.nullable(),
    agentName: z.string().nullable(),
    customerPhone: z
      .string()
      .nullable()
      .meta({ description: 'Masked: country digit and last four.', examples: ['+7******4567'] }),
    createdAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'RecordListItem' });
export type RecordListItem = z.infer<typeof RecordListItem>;

export const Failure = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).meta({
  id: 'Failure',
  description:
    'Why processing ended, and whether `retry` can help: where `retryable` is false it is 409, since the recording itself is at fault.',
});

export const CrmReference = z
  .object({
    entityType: shortText.meta({ description: 'Kind of entity, such as `deal` or `contact`.' }),
    entityId: shortText,
    activityId: shortText.optional(),
    portal: shortText.optional().meta({
      description: 'Whose entity it is: `memberId` of the portal. Worth giving where more than one is linked.',
    }),
  })
  .meta({ id: 'CrmReference', description: 'What the call belongs to in the CRM.' });

export const RecordDetail = RecordListItem.extend({
  customerPhone: z
    .string()
    .nullable()
    .meta({ description: 'In full for owners, admins and supervisors, else masked.' }),
  analysisId: z.string().nullable().meta({ description: 'The current analysis (`ana_…`); null until there is one.' }),
  source: RecordSource,
  direction: Direction.nullable(),
  externalId: z.string().nullable().meta({ description: 'Your id of the call.' }),
  startedAt: Timestamp.nullable(),
  language: z.string().nullable().meta({ description: 'BCP 47 tag.' }),
  channels: z.int().nullable().meta({ description: 'Channels of the recording.' }),
  file: z
    .object({
      name: z.string().nullable(),
      size: z.int().meta({ description: 'Bytes.' }),
      contentType: z.string(),
      sha256: z.string(),
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
  stage: Stage.nullable(),
  failure: Failure.nullable(),
  crm: CrmReference.nullable(),
  metadata: z.record(z.string(), z.unknown()).meta({ description: 'What you sent beyond the named fields.' }),
  contentDeletedAt: Timestamp.nullable().meta({
    description:
      'When the recording and the transcript were deleted at the end of the retention period of the project; scores and figures stay.',
  }),
  uploadedBy: z.string().nullable().meta({ description: 'User id; null where a CRM sent the call.' }),
}).meta({ id: 'Record' });
export type RecordDetail = z.infer<typeof RecordDetail>;

export const ListRecordsInput = listInput(
  { sorts: ['createdAt', 'duration', 'qualityScore'], order: 'desc' },
  {
    projectId: z.string().optional().meta({ description: 'Only records of this project.' }),
    status: RecordStatus.optional().meta({ description: 'Only records in this status.' }),
    agentName: z.string().max(255).optional().meta({ description: 'Only calls of this agent; the exact name.' }),
    complianceStatus: ComplianceStatus.optional().meta({ description: 'Only records with this (final) status.' }),
    minScore: z.int().min(0).max(100).optional().meta({ description: 'Only (final) scores of at least this.' }),
    maxScore: z.int().min(0).max(100).optional().meta({ description: 'Only (final) scores of at most this.' }),
    reviewed: z.boolean().optional().meta({ description: 'Only records that a person has, or has not, reviewed.' }),
    crmEntityType: shortText
      .optional()
      .meta({ description: 'With `crmEntityId`: only calls of this entity of the CRM.', examples: ['deal'] }),
    crmEntityId: shortText.optional().meta({ description: 'Id of the entity at the CRM.', examples: ['1742'] }),
    crmPortal: shortText.optional().meta({
      description:
        'With `crmEntityId`: only calls of this portal (`memberId`), and such as name none while it is the only one.',
      examples: ['a223c6b3710f85df22e9377d6c4f7553'],
    }),
  },
)
  .refine(({ crmEntityType, crmEntityId }) => (crmEntityType === undefined) === (crmEntityId === undefined), {
    path: ['crmEntityId'],
    message: 'crmEntityType and crmEntityId go together',
  })
  .refine(({ crmEntityId, crmPortal }) => crmPortal === undefined || crmEntityId !== undefined, {
    path: ['crmPortal'],
    message: 'crmPortal goes with crmEntityType and crmEntityId',
  })
  .refine(({ minScore, maxScore }) => minScore === undefined || maxScore === undefined || minScore <= maxScore, {
    path: ['minScore'],
    message: '`minScore` is above `maxScore`',
  });
export type ListRecordsInput = z.infer<typeof ListRecordsInput>;

export const RecordPage = pageOf(RecordListItem).meta({ id: 'RecordPage' });

const resultsMax = 100;

export const RecordResultsInput = z.strictObject({ ids: z.array(z.string().max(255)).min(1).max(resultsMax) });
export type RecordResultsInput = z.infer<typeof RecordResultsInput>;

/** What a table of calls shows beside a list item. */
export const RecordResult = RecordListItem.extend({
  direction: Direction.nullable(),
  fileName: z.string().nullable(),
  startedAt: Timestamp.nullable(),
  stage: Stage.nullable(),
  failure: Failure.nullable(),
  /** The current one, with its final values. */
  analysis: z
    .object({
      id: z.string(),
      qualityScore: z.int().nullable(),
      complianceStatus: ComplianceStatus.nullable(),
      reviewed: z.boolean(),
    })
    .nullable(),
}).meta({ id: 'RecordResult' });
export type RecordResult = z.infer<typeof RecordResult>;

/** What creating a record answers: exactly these fields. */
export const RecordReceipt = z
  .object({ id: RecordId, status: RecordStatus, projectId: z.string(), createdAt: Timestamp })
  .meta({ id: 'RecordReceipt' });
export type RecordReceipt = z.infer<typeof RecordReceipt>;
