import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Services } from '../deps.ts';
import { openSubscription } from '../domain/mail/service.ts';
import { sourceHash } from '../lib/digest.ts';
import { escapeHtml } from '../lib/html.ts';

const style =
  'body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem; color: #16202c } ' +
  'button { font: inherit; padding: .6rem .9rem; border: 1px solid #c6d0dc; border-radius: .5rem; background: #fff }';
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src '${sourceHash(style)}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Options = { services: Pick<Services, 'db'> };
type Link = { Querystring: { token?: unknown } };

/**
 * The pages behind links in alert mails. No sign-in: the link is the proof. Opening it changes nothing, since mail
 * programs prefetch links; the button does, and so do mail programs that support RFC 8058.
 */
export async function unsubscribe(app: FastifyInstance, { services }: Options): Promise<void> {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    done(null, new URLSearchParams(String(body)));
  });

  app.get<Link>('/mail/unsubscribe', async (req, reply) => {
    const found = await openSubscription(services.db, { token: tokenOf(req.query) });
    if (!found) return sendUnknown(reply);
    const title = `Alerts of ${found.orgName} by mail`;
    return sendPage(reply, {
      title,
      text: 'This address gets them.',
      button: { title: 'Stop these mails', value: '0' },
    });
  });

  app.post<Link>('/mail/unsubscribe', async (req, reply) => {
    const isWanted = req.body instanceof URLSearchParams && req.body.get('wanted') === '1';
    const found = await openSubscription(services.db, { token: tokenOf(req.query), isWanted });
    if (!found) return sendUnknown(reply);
    const title = `Alerts of ${found.orgName} by mail`;
    return sendPage(
      reply,
      isWanted
        ? { title, text: 'This address gets them again.', button: { title: 'Stop these mails', value: '0' } }
        : { title, text: 'This address no longer gets them.', button: { title: 'Get them again', value: '1' } },
    );
  });
}

function tokenOf({ token }: Link['Querystring']): string {
  return typeof token === 'string' ? token : '';
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(404), { title: 'This link is not valid', text: 'Open the complete link from the mail.' });
}

type Page = { title: string; text: string; button?: { title: string; value: string } };

/** A form without an action posts to the page's own address, token included. */
function sendPage(reply: FastifyReply, { title, text, button }: Page): FastifyReply {
  const form = button
    ? `<form method="post"><button name="wanted" value="${button.value}">${escapeHtml(button.title)}</button></form>`
    : '';
  return reply
    .headers({ 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style><h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${form}</html>`,
    );
}
