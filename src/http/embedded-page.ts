import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Services } from '../deps.ts';
import { originOf, type GivenInstallation, type LinkOffer } from '../domain/portals/service.ts';
import { sourceHash } from '../lib/digest.ts';
import { escapeHtml } from '../lib/html.ts';
import { acceptForms, readForm } from './form-body.ts';

const style = 'body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #16202c }';

/**
 * The page that a Bitrix24 portal opens in its frame: the portal posts a form, with which the page signs in. If nobody
 * has linked the portal, its administrators see how to.
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

/** Where in the CRM the frame is, such as the tab of a deal, and which one. */
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

/** For a portal that was linked before it sent its tokens, or whose tokens no longer work. */
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
    // Users who are not administrators can sign in all the same.
    log.debug({ err }, 'the tokens of a portal were not taken');
  }
}

/** Only the portal may frame the page. No X-Frame-Options, which cannot name other sites. */
function policyFor(portalOrigin: string): string {
  const own = `style-src '${sourceHash(style)}'`;
  return `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'; frame-ancestors 'self' ${portalOrigin}`;
}

/** Only the code and the time are our own. Bitrix24 confirmed the domain, but it is escaped all the same. */
function linkPage({ domain, code, expiresAt }: LinkOffer): string {
  const time = `${expiresAt.toISOString().slice(11, 16)} UTC`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Earshot</title><style>${style}</style>
<main><h1>Link this portal</h1><p>In Earshot, an owner or admin enters this code for <b>${escapeHtml(domain)}</b> and chooses
the project that takes its calls.</p><p><strong>${code}</strong></p><p>It is good once, until ${time}. Open this page again
for another one.</p></main></html>`;
}
