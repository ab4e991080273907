import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PlaybackTicket } from '../auth/playback-ticket.ts';
import type { Member } from '../auth/principal.ts';
import { can } from '../auth/permissions.ts';
import type { Services } from '../deps.ts';
import { getRecording, mediaPath } from '../domain/recordings/service.ts';
import { AppError } from '../lib/errors.ts';
import { sendRecording } from './audio.ts';

type MediaOptions = { services: Pick<Services, 'db' | 'storage' | 'tickets' | 'findMember'> };

/**
 * `GET` and `HEAD /media/:ticket`: the recording as from `/records/:id/audio`, for media players, which cannot send
 * credentials. The ticket names the listener; what they may hear is checked now.
 */
export async function media(app: FastifyInstance, { services }: MediaOptions): Promise<void> {
  app.route<{ Params: { ticket: string } }>({
    method: ['GET', 'HEAD'],
    url: `${mediaPath}/:ticket`,
    config: { isTicketed: true },
    // The address is the credential, so it must not leak to linked pages.
    onRequest: async (_req, reply) => void reply.header('Referrer-Policy', 'no-referrer'),
    handler: async (req, reply) => {
      const { ticket, member } = await admit(services, req);
      const { recordId: id, redacted } = ticket;
      const recording = await getRecording({ db: services.db, actor: member }, { id, redacted: redacted ?? undefined });
      return sendRecording(reply, { req, services, recording });
    },
  });
}

type Admitted = { ticket: PlaybackTicket; member: Member };

async function admit(
  { tickets, findMember }: MediaOptions['services'],
  { params }: FastifyRequest<{ Params: { ticket: string } }>,
): Promise<Admitted> {
  const ticket = tickets.read(params.ticket);
  const member = ticket && (await findMember(ticket));
  if (!member) {
    throw new AppError('UNAUTHORIZED', 'The address is invalid or has expired.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  if (!can(member.role, 'records:read')) throw new AppError('FORBIDDEN', 'Your role does not allow this action.');
  return { ticket, member };
}
