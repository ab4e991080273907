import { z } from 'zod';
import { MailAddress } from '../../lib/mailbox.ts';
import { refuseNearMisses } from '../../lib/near-misses.ts';
import { listInput, pageOf } from '../../lib/paging.ts';
import { DateTimeText, Timestamp } from '../../lib/timestamp.ts';
import { Direction, RecordSource, RecordStatus, RecordType, Stage } from '../../model/record.ts';
import { ComplianceStatus } from '../../model/scorecard.ts';
import { ReplaceReview } from '../analyses/schemas.ts';
import { GivenChannelMap } from '../../model/channel-map.ts';
import { SpeakerRole } from '../../model/transcript.ts';

export const RecordId = z
  .string()
  .meta({ description: 'Record id (`rec_…`).', examples: ['rec_01m7ysd48genfrajdng7gg18f4'] });
export const RecordParams = z.strictObject({ id: RecordId });

const shortText = z.string().trim().min(1).max(255);

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

const GivenCrmReference = z
  .strictObject(CrmReference.shape)
  .meta({ id: 'GivenCrmReference', description: 'What the call belongs to in the CRM.' });

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

export const PlaybackInput = RecordParams.extend({
  /** Whether redacted stretches are to be silent; without it, what the caller may hear most of. */
  redacted: z.boolean().optional(),
});
export type PlaybackInput = z.infer<typeof PlaybackInput>;

/** An address on this service that an `<audio>` element can play, and when it stops to count. */
export const Playback = z.object({ url: z.string(), expiresAt: Timestamp });
export type Playback = z.infer<typeof Playback>;

/** How loud the recording is over time, for drawing. */
export const Waveform = z.object({
  durationMs: z.int().nonnegative(),
  /** Points of each channel, spread evenly over the duration. */
  points: z.int().positive(),
  /** Base64 of a byte (0-255) for each point, relative to the loudest of the channel. */
  channels: z.array(z.string()),
  /** Who speaks on each of these channels; null where more than one does, or nobody is known to. */
  roles: z.array(SpeakerRole.nullable()),
});
export type Waveform = z.infer<typeof Waveform>;

/** What creating a record answers: exactly these fields. */
export const RecordReceipt = z
  .object({ id: RecordId, status: RecordStatus, projectId: z.string(), createdAt: Timestamp })
  .meta({ id: 'RecordReceipt' });
export type RecordReceipt = z.infer<typeof RecordReceipt>;

export const SwapSpeakersInput = RecordParams.extend({
  replaceReview: ReplaceReview,
  reason: z.string().trim().max(1_000).nullish().meta({ description: 'For people; kept with the new analysis.' }),
});
export type SwapSpeakersInput = z.infer<typeof SwapSpeakersInput>;

const CallFacts = z.strictObject({
  agentName: shortText.nullish().meta({ description: 'Who handled the call.' }),
  customerPhone: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .nullish()
    .meta({ description: 'Masked wherever it is listed.', examples: ['+441234567890'] }),
  direction: Direction.nullish(),
  startedAt: DateTimeText.nullish().meta({ description: 'When the call began.' }),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Expected a BCP 47 tag such as en or en-US')
    .nullish()
    .meta({ description: 'BCP 47 tag of what is spoken.', examples: ['en'] }),
  channelMap: GivenChannelMap.nullish(),
});

const externalId = shortText.nullish().meta({ description: 'Your id of the call.' });
/** What a call is described by. Beside them, callers keep what they like, under names that are less like these. */
const callFacts = Object.keys({ ...CallFacts.shape, externalId });

/** The `metadata` part of an upload. Keys that it does not name are kept under `metadata`. */
export const UploadMetadata = CallFacts.extend({ externalId }).loose().superRefine(refuseNearMisses(callFacts)).meta({
  id: 'UploadMetadata',
  description:
    'Facts of the call. Keys that are not listed are kept under `metadata`; one that equals a listed one but for case, `_`, `-` or a letter is refused.',
});
export type UploadMetadata = z.infer<typeof UploadMetadata>;

const secondsMax = 7 * 86_400;

export const IngestRecordInput = CallFacts.extend({
  source: z.enum(['api', 'bitrix24']).default('api'),
  externalId: shortText.meta({ description: 'Your id of the call: the same one again returns the first record.' }),
  projectId: z.string().meta({ description: 'The project that takes the record.' }),
  recordingUrl: z
    .url({ protocol: /^https?$/, message: 'Expected an http or https address' })
    .max(4096)
    .meta({
      description: 'Public http or https address. Private networks are refused unless the operator allows them.',
    }),
  duration: z.int().min(0).max(secondsMax).nullish().meta({ description: 'Seconds, where the CRM knows it.' }),
  agent: z
    .strictObject({ id: shortText.nullish(), name: shortText.nullish(), email: MailAddress.nullish() })
    .nullish()
    .meta({ description: 'A member with this e-mail address sees the record as their own.' }),
  crm: GivenCrmReference.nullish(),
  transcript: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .nullish()
    .meta({
      description:
        'WebVTT, SRT or JSON as in `GET /records/{id}/transcript`: speech-to-text is skipped then. 200,000 words at most; more are 413.',
    }),
  metadata: z.record(z.string(), z.unknown()).superRefine(refuseNearMisses(callFacts)).nullish().meta({
    description:
      'Anything of your own; kept with the record. A key that equals one of the fields of the call but for case, `_`, `-` or a letter is refused.',
  }),
});
export type IngestRecordInput = z.infer<typeof IngestRecordInput>;
