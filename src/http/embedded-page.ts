import { createHash } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Services } from '../deps.ts';
import type { GivenInstallation, LinkOffer } from '../domain/portals/installations.ts';
import { originOf } from '../domain/portals/origin.ts';
import { acceptForms, readForm } from './form-body.ts';

const style = 'body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #16202c }';

/**
 * What a Bitrix24 portal opens in its frame: it sends a form, and the page signs in with what that says. Where nobody has
 * linked the portal, an administrator of it is shown how to.
 */
export async function embeddedPage(app: FastifyInstance, { services }: { services: Services }): Promise<void> {
  acceptForms(app);

  app.post<{ Querystring: { DOMAIN?: string }; Body: unknown }>('/embedded/bitrix24', async (req, reply) => {
    const form = readForm(req.body);
    const domain = String(req.query.DOMAIN ?? form.get('DOMAIN') ?? '');
    const memberId = form.get('member_id') ?? '';
    const accessToken = form.get('AUTH_ID') ?? '';
    const refreshToken = form.get('REFRESH_ID') ?? '';
    const applicationToken = form.get('APPLICATION_TOKEN') ?? '';
    const given = { domain, memberId, accessToken, refreshToken, applicationToken };
    const portal = await services.embedded.findPortal(memberId);
    reply.header('Referrer-Policy', 'same-origin');
    if (portal) {
      await learnTokens(services, given, req.log);
      const frame = { domain, memberId, authId: accessToken, refreshId: refreshToken, ...readPlacement(form) };
      return reply.sendDashboard({ frame, origin: portal.origin });
    }
    const content = linkPage(await services.installations.offerLink(given));
    return reply
      .headers({ 'Content-Security-Policy': policyFor(originOf(domain.toLowerCase())), 'Cache-Control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(content);
  });
}

/** Where in the CRM the frame is, such as in the tab of a deal, and of which one. */
function readPlacement(form: Map<string, string>): { placement: string; entityId: string | null } {
  const Options = z.object({ ID: z.coerce.string().regex(/^\d{1,20}$/) });
  const options = Options.safeParse(jsonIn(form.get('PLACEMENT_OPTIONS') ?? ''));
  return { placement: (form.get('PLACEMENT') ?? '').slice(0, 100), entityId: options.data?.ID ?? null };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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
  const own = `style-src '${sha256(style)}'`;
  return `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'; frame-ancestors 'self' ${portalOrigin}`;
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
