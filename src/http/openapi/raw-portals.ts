import { z } from 'zod';
import { examples } from '../../domain/portals/examples.ts';
import { EventReceipt } from '../../domain/portals/schemas.ts';
import type { RawOperation } from './raw-operation.ts';

const EventForm = z
  .object({
    event: z.string().meta({ description: '`ONAPPINSTALL`, `ONAPPUNINSTALL`, `ONVOXIMPLANTCALLEND`.' }),
    'auth[member_id]': z.string().meta({ description: 'Id of the portal.' }),
    'auth[application_token]': z.string().meta({ description: 'Known to the portal and this service alone.' }),
    'auth[domain]': z.string().optional().meta({ description: 'Domain of the portal.' }),
    'data[CALL_ID]': z.string().optional().meta({ description: "The portal's id of the call." }),
  })
  .catchall(z.string())
  .meta({ id: 'PortalEvent', description: 'A form as Bitrix24 sends it, with further fields of `auth` and `data`.' });

export const portalEvent: RawOperation = {
  operationId: 'receivePortalEvent',
  examples: examples.receivePortalEvent,
  tags: ['Integrations'],
  summary: 'Receive an event of a Bitrix24 portal',
  description:
    'For Bitrix24 alone. Installing the application brings the application token that all later events are compared with; ' +
    'the end of a call makes it wait for its recording and become a record. Each call counts once, however often it is sent.',
  isPublic: true,
  requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: EventForm } } },
  responses: {
    200: {
      description: 'Taken note of.',
      content: { 'application/json': { schema: z.object({ data: EventReceipt }) } },
    },
  },
  errors: {
    400: 'The form has no event, or the event names no call.',
    401: 'The portal or its token is not known.',
    403: 'No organization has linked this portal.',
    415: 'Send the body as application/x-www-form-urlencoded.',
    502: 'Bitrix24 cannot be reached. Try again shortly.',
    503: 'The database cannot be reached. Try again shortly.',
  },
};
