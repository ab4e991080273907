import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Provider } from 'oidc-provider';
import { readCookie } from './news.ts';
import { mountPath } from './settings.ts';

const seconds = 600;

/**
 * A sign-in is finished by the browser that has proved who signs in. Its cookies may have been planted, so that somebody
 * else holds them too: this one is made once something is proved. Returns what to keep with the sign-in.
 */
export function markBrowser(reply: FastifyReply, { uid, origin }: { uid: string; origin: string }): string {
  const mark = randomBytes(32).toString('base64url');
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  reply.header(
    'Set-Cookie',
    `${cookieOf(uid)}=${mark}; Path=${mountPath}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
  );
  return hashOf(mark);
}

export function isMarked(cookies: string | undefined, { uid, browser }: { uid: string; browser: unknown }): boolean {
  const mark = readCookie(cookies, cookieOf(uid));
  if (mark === undefined || typeof browser !== 'string') return false;
  const [given, kept] = [Buffer.from(hashOf(mark)), Buffer.from(browser)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** Whether the request would continue a sign-in that was proved in another browser. */
export async function continuesForeign(
  provider: Provider,
  { path, cookies }: { path: string; cookies: string | undefined },
): Promise<boolean> {
  const uid = /^\/auth\/([\w-]+)$/.exec(path)?.[1];
  const result = uid === undefined ? undefined : (await provider.Interaction.find(uid))?.result;
  if (uid === undefined || result?.login === undefined) return false;
  return !isMarked(cookies, { uid, browser: result['browser'] });
}

function cookieOf(uid: string): string {
  return `earshot_sign_in_${uid}`;
}

function hashOf(mark: string): string {
  return createHash('sha256').update(mark).digest('base64url');
}
