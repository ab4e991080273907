import { createHash } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Services } from '../deps.ts';
import type { GivenInstallation, LinkOffer } from '../domain/portals/installations.ts';
import { originOf } from '../domain/portals/origin.ts';
import { acceptForms, readForm } from './form-body.ts';
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

/**
 * What a Bitrix24 portal opens in its frame: it sends a form, and the page signs in with what that says. Where nobody has
 * linked the portal, an administrator of it is shown how to.
 */
export async function embeddedPage(app: FastifyInstance, { services }: { services: Services }): Promise<void> {
  acceptForms(app);

  app.post<{ Querystring: { DOMAIN?: string }; Body: unknown }>('/embedded/bitrix24', async (req, reply) => {
    const form = readForm(req.body);
    const frame = {
      domain: String(req.query.DOMAIN ?? form.get('DOMAIN') ?? ''),
      memberId: form.get('member_id') ?? '',
      authId: form.get('AUTH_ID') ?? '',
      refreshId: form.get('REFRESH_ID') ?? '',
    };
    const { domain, memberId, authId: accessToken, refreshId: refreshToken } = frame;
    const applicationToken = form.get('APPLICATION_TOKEN') ?? '';
    const given = { domain, memberId, accessToken, refreshToken, applicationToken };
    const portal = await services.embedded.findPortal(memberId);
    if (portal) await learnTokens(services, given, req.log);
    const content = portal ? page(frame) : linkPage(await services.installations.offerLink(given));
    const origin = portal?.origin ?? originOf(domain.toLowerCase());
    return reply
      .headers({ 'Content-Security-Policy': policyFor(origin), 'Cache-Control': 'no-store' })
      .header('Referrer-Policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(content);
  });
}

/** Of a portal that was linked before it told its tokens, or whose tokens are good for nothing any more. */
async function learnTokens(
  { installations }: Services,
  given: GivenInstallation,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    if (given.applicationToken !== '' && !(await installations.hasAccess(given.memberId))) {
      await installations.install(given);
    }
  } catch (err) {
    // Whoever is no administrator signs in all the same.
    log.debug({ err }, 'the tokens of a portal were not taken');
  }
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

/** Code and time alone are of our own making; the domain was confirmed by Bitrix24 and is escaped all the same. */
function linkPage({ domain, code, expiresAt }: LinkOffer): string {
  const time = `${expiresAt.toISOString().slice(11, 16)} UTC`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Earshot</title><style>${style}</style>
<main><h1>Link this portal</h1><p>In Earshot, an owner or admin enters this code for <b>${escape(domain)}</b> and chooses
the project that takes its calls.</p><p><strong>${code}</strong></p><p>It is good once, until ${time}. Open this page again
for another one.</p></main></html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
