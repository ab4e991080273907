import type { FastifyReply, FastifyRequest } from 'fastify';
import { mountPath } from './settings.ts';

/** What the sign-in page says first to whoever was sent there by another page. */
const texts = {
  account: 'Your account is ready. Sign in with the password that you have just chosen.',
  joined: 'You have joined. Sign in to go on.',
  password: 'Your new password is saved. Sign in with it.',
};
export type News = keyof typeof texts;

const cookie = 'earshot_news';
const seconds = 600;

export function tellOnSignIn(reply: FastifyReply, news: News): void {
  setCookie(reply, `${news}; Max-Age=${seconds}`);
}

/** The text for this browser, once. */
export function takeNews(req: FastifyRequest, reply: FastifyReply): string | undefined {
  const news = readCookie(req.headers.cookie, cookie);
  if (news === undefined) return undefined;
  setCookie(reply, '; Max-Age=0');
  return isNews(news) ? texts[news] : undefined;
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = header
    ?.split(';')
    .map((pair) => pair.trim().split('=', 2))
    .find(([key]) => key === name);
  return found?.[1];
}

function setCookie(reply: FastifyReply, value: string): void {
  reply.header('Set-Cookie', `${cookie}=${value}; Path=${mountPath}; HttpOnly; SameSite=Lax`);
}

function isNews(text: string): text is News {
  return Object.hasOwn(texts, text);
}
