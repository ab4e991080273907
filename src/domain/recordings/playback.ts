import type { PlaybackContext } from '../context.ts';
import { getRecording } from './service.ts';
import type { Playback, PlaybackInput } from './schemas.ts';

export const mediaPath = '/media';

const lifetimeMs = 10 * 60_000;

/**
 * An address of the recording for a player, which sends no credential with it. It is good for ten minutes, and for what
 * the actor may hear at the time of each request. Throws NOT_FOUND, FORBIDDEN or CONFLICT as the recording itself does.
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
