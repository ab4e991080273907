import { z } from 'zod';
import { listInput, pageOf } from '../../lib/paging.ts';
import { Timestamp } from '../../lib/timestamp.ts';

export const PortalId = z
  .string()
  .meta({ description: 'Portal id (`ptl_…`).', examples: ['ptl_01m7ysd48genfrajf3v8n2q6kc'] });
export const PortalParams = z.strictObject({ id: PortalId });

const projectId = z.string().meta({ description: 'The project that takes the calls of the portal.' });
const durationMinSeconds = z
  .int()
  .min(0)
  .max(3600)
  .meta({ description: 'Shorter calls are ignored.', examples: [5] });
const transcript = z.boolean().meta({ description: 'What was said, as the transcription of the call.' });
const comment = z.boolean().meta({ description: 'Score, compliance and a link, in the timeline of the CRM entity.' });
const writeBackMeta = { description: 'What the CRM is told when a call has been analysed.' };

export const PortalSettings = z
  .object({ durationMinSeconds, writeBack: z.object({ transcript, comment }).meta(writeBackMeta) })
  .meta({ id: 'PortalSettings' });

const PortalStatus = z.enum(['active', 'suspended']).meta({ id: 'PortalStatus' });

export const Portal = z
  .object({
    id: PortalId,
    memberId: z.string().meta({ description: 'Its id at Bitrix24, which stays when its domain changes.' }),
    domain: z.string().meta({ examples: ['acme.bitrix24.com'] }),
    projectId: projectId.nullable().meta({ description: 'The project that takes the calls; null takes none.' }),
    settings: PortalSettings,
    status: PortalStatus.meta({
      description: 'A suspended portal gives no access until its people have done something about the reason.',
    }),
    suspension: z
      .object({
        reason: z.string().meta({ description: "In the CRM's own word.", examples: ['PAYMENT_REQUIRED'] }),
        since: Timestamp,
      })
      .nullable(),
    reconciledAt: Timestamp.nullable().meta({ description: 'When its list of calls was compared with ours last.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Portal' });
export type Portal = z.infer<typeof Portal>;

export const ListPortalsInput = listInput(
  { sorts: ['createdAt', 'updatedAt', 'domain'], order: 'asc' },
  {
    projectId: z.string().optional().meta({ description: 'Only portals whose calls this project takes.' }),
    status: PortalStatus.optional().meta({ description: 'Only portals in this status.' }),
  },
);
export type ListPortalsInput = z.infer<typeof ListPortalsInput>;
export const PortalPage = pageOf(Portal).meta({ id: 'PortalPage' });

const GivenSettings = z
  .strictObject({
    durationMinSeconds: durationMinSeconds.optional(),
    writeBack: z
      .strictObject({ transcript: transcript.optional(), comment: comment.optional() })
      .optional()
      .meta(writeBackMeta),
  })
  .meta({ id: 'GivenPortalSettings', description: 'What is not given keeps its value.' });

export const LinkPortalInput = z.strictObject({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(255)
    .meta({ description: 'Domain of the portal.', examples: ['acme.bitrix24.com'] }),
  code: z
    .string()
    .trim()
    .min(1)
    .max(32)
    .meta({
      description: 'Shown to an administrator of the portal who opens the app there. Good for 15 minutes, once.',
      examples: ['K7QM-2XPA'],
    }),
  projectId,
  settings: GivenSettings.optional(),
});
export type LinkPortalInput = z.infer<typeof LinkPortalInput>;

export const UpdatePortalInput = z.strictObject({
  id: PortalId,
  projectId: projectId.optional(),
  settings: GivenSettings.optional(),
});
export type UpdatePortalInput = z.infer<typeof UpdatePortalInput>;

export const CrmCallStatus = z.enum(['waiting', 'taken', 'ignored']).meta({
  id: 'CrmCallStatus',
  description: '`waiting` for its recording or the budget, `taken` as a record, or `ignored` for a reason.',
});

export const CrmCall = z
  .object({
    callId: z.string().meta({ description: "The portal's id of the call: `externalId` of the record." }),
    portalId: PortalId,
    status: CrmCallStatus,
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'Why it was ignored, or waits (`BUDGET_EXCEEDED`, until there is room): `MISSED`, `TOO_SHORT`, `INFORMATION_CALL`, `NO_RECORDING` (none came within 8 hours), ' +
          '`NO_PROJECT`, `PORTAL_UNLINKED`, `PORTAL_SUSPENDED`, `CRM_UNAVAILABLE`, or the word of the CRM.',
        examples: ['MISSED'],
      }),
    announcedBy: z
      .enum(['event', 'reconciliation'])
      .meta({ description: 'Whether the portal told of it, or it was found in its list of calls.' }),
    startedAt: Timestamp.nullable().meta({
      description: 'When the call began; null where the portal has not told it.',
    }),
    duration: z.int().nullable().meta({ description: 'Seconds.' }),
    recordId: z.string().nullable().meta({ description: 'The record of the call; null until there is one.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'CrmCall' });
export type CrmCall = z.infer<typeof CrmCall>;

export const ListCrmCallsInput = listInput(
  { sorts: ['createdAt'], order: 'desc' },
  {
    portalId: z.string().optional().meta({ description: 'Only calls of this portal.' }),
    status: CrmCallStatus.optional().meta({ description: 'Only calls in this status.' }),
  },
);
export type ListCrmCallsInput = z.infer<typeof ListCrmCallsInput>;
export const CrmCallPage = pageOf(CrmCall).meta({ id: 'CrmCallPage' });

/** The answer to an event of a portal. */
export const EventReceipt = z
  .object({
    outcome: z
      .enum(['accepted', 'ignored', 'installed', 'unlinked'])
      .meta({ description: 'What the service made of the event.' }),
    reason: z.string().nullable().meta({ description: 'Why it was ignored.' }),
  })
  .meta({ id: 'PortalEventReceipt' });
export type EventReceipt = z.infer<typeof EventReceipt>;
