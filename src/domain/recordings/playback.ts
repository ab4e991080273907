import type { PlaybackContext } from '../context.ts';
import { getRecording } from './service.ts';
import type { Playback, PlaybackInput } from './schemas.ts';

export const mediaPath = '/media';

const lifetimeMs = 10 * 60_000;

/**
 * An address of the recording for media players, which send no credentials. Valid for ten minutes; each request checks
 * what the actor may hear at that time. Throws NOT_FOUND, FORBIDDEN or CONFLICT, as the recording itself does.
 */
export async function createPlayback(
  { tickets, ...ctx }: PlaybackContext,
  { id, redacted }: PlaybackInput,
): Promise<Playback> {
  await getRecording(ctx, { id, redacted });
  const { orgId, userId } = ctx.actor;
  const expiresAt = new Date(Date.now() + lifetimeMs);
  const ticket = tickets.issue({ orgId, userId, recordId: id, redacted: redacted ?? null, expiresAt });
  return { url: `${mediaPath}/${ticket}`, expiresAt };
}
