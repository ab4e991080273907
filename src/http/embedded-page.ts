import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../deps.ts';
import { AppError } from '../lib/errors.ts';
import { restPrefix } from './rest.ts';

type Frame = { domain: string; memberId: string; authId: string; refreshId: string };

const script = `
const show = (text) => { document.querySelector('main').textContent = text };
const frame = document.getElementById('frame').textContent;
const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: frame };
fetch('${restPrefix}/embedded/auth', request).then(
  async (response) => {
    const { data, error } = await response.json();
    show(data ? 'Signed in as ' + data.user.name + ' (' + data.org.name + ').' : error.message);
  },
  () => show('The service cannot be reached.'),
);
`;
const style = 'body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #16202c }';

/** What a Bitrix24 portal opens in its frame: it sends a form, and the page signs in with what that says. */
export async function embeddedPage(app: FastifyInstance, { services }: { services: Services }): Promise<void> {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    done(null, new URLSearchParams(String(body)));
  });

  app.post<{ Querystring: { DOMAIN?: string }; Body: unknown }>('/embedded/bitrix24', async (req, reply) => {
    const form = req.body instanceof URLSearchParams ? req.body : new URLSearchParams();
    const frame = {
      domain: String(req.query.DOMAIN ?? form.get('DOMAIN') ?? ''),
      memberId: form.get('member_id') ?? '',
      authId: form.get('AUTH_ID') ?? '',
      refreshId: form.get('REFRESH_ID') ?? '',
    };
    const portal = frame.memberId.includes('\0') ? undefined : await services.embedded.findPortal(frame.memberId);
    if (!portal) throw new AppError('FORBIDDEN', 'No organization has linked this portal.');
    return reply
      .headers({ 'Content-Security-Policy': policyFor(portal.origin), 'Cache-Control': 'no-store' })
      .header('Referrer-Policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(page(frame));
  });
}

/** Framed by the portal and nobody else. No X-Frame-Options, which knows no other sites. */
function policyFor(portalOrigin: string): string {
  const own = `style-src '${sha256(style)}'; script-src '${sha256(script)}'; connect-src 'self'`;
  return `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'; frame-ancestors 'self' ${portalOrigin}`;
}

function page(frame: Frame): string {
  // Nothing in JSON but a "<" could end the element that it stands in.
  const data = JSON.stringify(frame).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Earshot</title><style>${style}</style>
<main>Signing in …</main><script type="application/json" id="frame">${data}</script>
<script>${script}</script></html>`;
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
