import { z } from 'zod';
import { MailAddress } from '../../lib/mailbox.ts';
import { refuseNearMisses } from '../../lib/near-misses.ts';
import { listInput, pageOf } from '../../lib/paging.ts';
import { DateTimeText, Timestamp } from '../../lib/timestamp.ts';
import { Direction, CrmReference, FieldChange, RecordId, RecordingUrl, shortText, Tags } from '../../model/record.ts';
import { Author } from '../author.ts';
import { GivenChannelMap } from '../../model/channel-map.ts';
import { GivenLanguage } from '../../model/transcript.ts';

const GivenCrmReference = z
  .strictObject(CrmReference.shape)
  .meta({ id: 'GivenCrmReference', description: 'What the call belongs to in the CRM.' });

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
  startedAt: DateTimeText.nullish().meta({
    description: 'When the call began. Without its seconds, it is taken as well.',
  }),
  language: GivenLanguage.nullish().meta({ description: 'BCP 47 tag of what is spoken.', examples: ['en'] }),
  channelMap: GivenChannelMap.nullish(),
});
export type CallFacts = z.infer<typeof CallFacts>;

const externalId = shortText.nullish().meta({ description: 'Your id of the call.' });

/** The known fields of a call. Callers may add their own, unless their names look like misspelt known ones. */
const callFacts = Object.keys({ ...CallFacts.shape, externalId });

/** The `metadata` part of an upload. Unknown keys are stored under `metadata`. */
export const UploadMetadata = CallFacts.extend({ externalId }).loose().superRefine(refuseNearMisses(callFacts)).meta({
  id: 'UploadMetadata',
  description:
    'Facts of the call. Keys that are not listed are kept under `metadata`; one that equals a listed one but for case, `_`, `-` or a letter is refused. `tags`, where it is a list of tags, becomes the tags of the call.',
});

export type UploadMetadata = z.infer<typeof UploadMetadata>;

const secondsMax = 7 * 86_400;

export const IngestRecordInput = CallFacts.extend({
  source: z.enum(['api', 'bitrix24']).default('api'),
  externalId: shortText.meta({ description: 'Your id of the call: the same one again returns the first record.' }),
  projectId: z.string().meta({ description: 'The project that takes the record.' }),
  recordingUrl: RecordingUrl.meta({
    description: 'Public http or https address. Private networks are refused unless the operator allows them.',
  }),
  duration: z.int().min(0).max(secondsMax).nullish().meta({ description: 'Seconds, where the CRM knows it.' }),
  agent: z
    .strictObject({ id: shortText.nullish(), name: shortText.nullish(), email: MailAddress.nullish() })
    .nullish()
    .meta({ description: 'A member with this e-mail address sees the record as their own.' }),
  crm: GivenCrmReference.nullish(),
  tags: Tags.nullish().meta({ description: 'Words of yours to find the call by; lists filter by them.' }),
  transcript: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .nullish()
    .meta({
      description:
        'WebVTT or SRT as text, or JSON as in `GET /records/{id}/transcript`: speech-to-text is skipped then. 200,000 words at most; more are 413.',
      // A choice of text, object and list is a type that most languages do not have.
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf;
        jsonSchema.not = { type: ['boolean', 'number'] };
      },
    }),
  metadata: z.record(z.string(), z.unknown()).superRefine(refuseNearMisses(callFacts)).nullish().meta({
    description:
      'Anything of your own; kept with the record. A key that equals one of the fields of the call but for case, `_`, `-` or a letter is refused.',
  }),
});

export type IngestRecordInput = z.infer<typeof IngestRecordInput>;

/** A field that is left out stays as it is; null empties it. */
export const UpdateRecordInput = z.strictObject({
  id: RecordId,
  ...CallFacts.omit({ channelMap: true }).shape,
  agentId: z.string().max(255).nullish().meta({
    description:
      'The member who handled the call, and sees it as their own. Names the agent, too, where nobody is named.',
  }),
  externalId,
  tags: Tags.nullish().meta({ description: 'All tags of the call from now on.' }),
  metadata: z.record(z.string(), z.unknown()).superRefine(refuseNearMisses(callFacts)).nullish().meta({
    description: 'Keys to add or to replace; null as a value removes a key. Other keys stay. Null removes all.',
  }),
});
export type UpdateRecordInput = z.infer<typeof UpdateRecordInput>;

/** Who corrected what in a call, and when. */
export const RecordChange = z
  .object({
    id: z.string().meta({ description: 'Id of the correction (`chg_…`).' }),
    author: Author,
    changes: z.array(FieldChange),
    createdAt: Timestamp,
  })
  .meta({ id: 'RecordChange' });
export type RecordChange = z.infer<typeof RecordChange>;

export const ListRecordChangesInput = listInput(
  { sorts: ['createdAt'], order: 'desc', dated: 'Corrected' },
  { id: RecordId },
);
export type ListRecordChangesInput = z.infer<typeof ListRecordChangesInput>;
export const RecordChangePage = pageOf(RecordChange).meta({ id: 'RecordChangePage' });
