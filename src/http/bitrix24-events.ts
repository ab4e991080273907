import type { FastifyInstance } from 'fastify';
import type { Services } from '../deps.ts';
import type { PortalEvent } from '../domain/portals/service.ts';
import { AppError, validationError } from '../lib/errors.ts';
import { acceptForms, readForm } from './form-body.ts';
import { restPrefix } from './endpoints.ts';

const path = '/integrations/bitrix24/events';
const fieldLengthMax = 4096;

/**
 * Receives events from Bitrix24 portals. They cannot send our headers: the application token authenticates the portal,
 * and the portal determines the organization. Also served without the `/api/v1` prefix.
 */
export async function bitrix24Events(app: FastifyInstance, { services }: { services: Services }): Promise<void> {
  acceptForms(app);
  for (const url of [`${restPrefix}${path}`, path]) {
    app.post(url, async (req, reply) => {
      if (req.body !== undefined && !(req.body instanceof Map)) {
        throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/x-www-form-urlencoded.');
      }
      const receipt = await services.receiveEvent(toEvent(readForm(req.body)));
      return reply.header('Cache-Control', 'no-store').send({ data: receipt });
    });
  }
}

/**
 * PHP writes nested values as `auth[member_id]`. Unknown fields are ignored: Bitrix24 extends its events at any time,
 * and never repeats one.
 */
function toEvent(form: Map<string, string>): PortalEvent {
  const read = (field: string): string => (form.get(field) ?? '').slice(0, fieldLengthMax).trim();
  const name = read('event').toUpperCase();
  if (name === '') throw validationError('event', 'The form has no event.');
  const data = [...form].flatMap(([field, value]) => {
    const [, key] = /^data\[(\w{1,64})\]$/.exec(field) ?? [];
    return key === undefined ? [] : [[key, value.slice(0, fieldLengthMax)]];
  });
  return {
    name,
    auth: {
      memberId: read('auth[member_id]'),
      applicationToken: read('auth[application_token]'),
      accessToken: read('auth[access_token]'),
      refreshToken: read('auth[refresh_token]'),
      domain: read('auth[domain]') || null,
    },
    data: Object.fromEntries(data),
  };
}
