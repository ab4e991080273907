import { z } from 'zod';

export const recordStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export const RecordStatus = z.enum(recordStatuses).meta({
  id: 'RecordStatus',
  description: '`pending → processing → completed | failed`; a retry makes `failed` `pending`.',
});
export type RecordStatus = z.infer<typeof RecordStatus>;

/** The statuses of an attempt that has not ended. */
export const underWay = ['pending', 'processing'] as const satisfies readonly RecordStatus[];

export const stages = ['fetching', 'transcribing', 'analyzing', 'delivering'] as const;
/** In this order. `delivering` is the time between the finished scorecard and its publication. */
export const Stage = z.enum(stages).meta({
  id: 'Stage',
  description:
    'How far processing has come: `fetching` the recording from its address, `transcribing` it, `analyzing` the transcript, `delivering` the result to lists, statistics and events. Stages that a call does not need are left out; null before and after processing.',
});
export type Stage = z.infer<typeof Stage>;

export const recordTypes = ['call'] as const;
export const RecordType = z.enum(recordTypes);

export const recordSources = ['upload', 'api', 'bitrix24'] as const;
export const RecordSource = z.enum(recordSources);

export const directions = ['inbound', 'outbound', 'internal'] as const;
export const Direction = z.enum(directions).meta({ id: 'Direction' });

export const RecordId = z
  .string()
  .meta({ description: 'Record id (`rec_…`).', examples: ['rec_01m7ysd48genfrajdng7gg18f4'] });

export const RecordParams = z.strictObject({ id: RecordId });

export const shortText = z.string().trim().min(1).max(255);

export const RecordingUrl = z
  .url({ protocol: /^https?$/, message: 'Expected an http or https address' })
  .max(4096)
  .meta({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' });

export const CrmReference = z
  .object({
    entityType: shortText.meta({ description: 'Kind of entity, such as `deal` or `contact`.' }),
    entityId: shortText.meta({ description: 'Its id in the CRM.' }),
    activityId: shortText.optional().meta({ description: 'Id of the activity that stands for the call in the CRM.' }),
    portal: shortText.optional().meta({
      description: 'Whose entity it is: `memberId` of the portal. Worth giving where more than one is linked.',
    }),
  })
  .meta({ id: 'CrmReference', description: 'What the call belongs to in the CRM.' });
export type CrmReference = z.infer<typeof CrmReference>;

export const Failure = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).meta({
  id: 'Failure',
  description:
    'Why processing ended, and whether `retry` can help: where `retryable` is false it is 409, since the recording itself is at fault.',
});
export type Failure = z.infer<typeof Failure>;

const tagsMax = 50;
const tagLengthMax = 64;

/** Lists are asked for several tags with commas between them. */
const Tag = z
  .string()
  .trim()
  .min(1)
  .max(tagLengthMax)
  .regex(/^[^,]*$/, 'A tag has no comma.');

export const Tags = z
  .array(Tag)
  .max(tagsMax)
  .refine((tags) => new Set(tags).size === tags.length, 'A tag is given twice.')
  .meta({ uniqueItems: true, examples: [['refund', 'vip']] });

/** A correction of one field. */
export const FieldChange = z
  .object({
    field: z.string().meta({ description: 'Which one, as in the record.' }),
    from: z.unknown().meta({ description: 'The value before; null if there was none.' }),
    to: z.unknown().meta({ description: 'The value since.' }),
  })
  .meta({
    id: 'FieldChange',
    description: 'Phone numbers are masked, and of `metadata` only the names of its keys are kept.',
  });
export type FieldChange = z.infer<typeof FieldChange>;
