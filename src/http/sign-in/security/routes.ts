import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  PasskeyName,
  PasskeyRegistration,
  type PasskeySite,
  type SecondFactors,
} from '../../../domain/accounts/service.ts';
import { AppError, validationError } from '../../../lib/errors.ts';
import { readForm } from '../../form-body.ts';
import { assertCsrfToken, assertOwnPage } from '../guard.ts';
import { codesBody, faultBody, securityBody, setUpBody } from './views.ts';
import type { SecurityOptions, Visitor } from './visitor.ts';

type Visit = { req: FastifyRequest; reply: FastifyReply; visitor: Visitor };

const title = 'Sign-in and security';
const Made = z.object({ name: z.string(), response: PasskeyRegistration });

/**
 * The page on which people manage passkeys, the codes of an app and recovery codes, and what its forms do. It stands in
 * the account, and in the sign-in of people who need a second factor and have none.
 */
export function securityRoutes(app: FastifyInstance, prefix: string, options: SecurityOptions): void {
  const { factors, visitorOf } = options;

  function page(path: string, work: (visit: Visit) => Promise<FastifyReply>): void {
    app.get(`${prefix}${path}`, async (req, reply) => {
      const visitor = await visitorOf(req, reply);
      return visitor === null ? reply : work({ req, reply, visitor });
    });
  }
  /** Faults of a form are shown as a page; those of a script go to the script. */
  function form(path: string, work: (visit: Visit) => Promise<FastifyReply>): void {
    app.post(`${prefix}${path}`, async (req, reply) => {
      try {
        const visitor = await visitorOf(req, reply);
        if (visitor === null) return reply;
        refuseForgery(req, { origin: options.origin(), expected: visitor.csrfToken });
        return await work({ req, reply, visitor });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (isScript(req)) return sendFault(reply, error);
        const message = error.details?.[0]?.message ?? error.message;
        return options.send(reply.code(error.status), { title, body: faultBody(message) });
      }
    });
  }

  page('', async ({ reply, visitor }) => {
    const { userId } = visitor;
    const [known, passkeys] = await Promise.all([factors.read(userId), factors.listPasskeys(userId)]);
    const view = { ...visitor, factors: known, passkeys, canHavePasskeys: options.site() !== null };
    return options.send(reply, { title, body: securityBody(view) });
  });
  totpForms({ page, form, options });
  passkeyForms({ form, options });
}

type Forms = {
  page: (path: string, work: (visit: Visit) => Promise<FastifyReply>) => void;
  form: (path: string, work: (visit: Visit) => Promise<FastifyReply>) => void;
  options: SecurityOptions;
};

function totpForms({ page, form, options: { factors, send, origin, whenSetUp } }: Forms): void {
  const setUpTitle = 'Set up an authenticator app';
  const codesTitle = 'Your recovery codes';
  const tell = teller(factors, origin);

  page('/app', async ({ reply, visitor }) =>
    send(reply, { title: setUpTitle, body: setUpBody({ ...visitor, ...(await factors.beginTotp(visitor)) }) }),
  );
  form('/app', async ({ req, reply, visitor }) => {
    const { userId, client, next } = visitor;
    const codes = await factors.confirmTotp({ userId, client, code: fieldOf(req, 'code') });
    if (codes === null) {
      const error = 'This code is not right. Type the one that the app shows now.';
      const body = setUpBody({ ...visitor, ...(await factors.beginTotp(visitor)), error });
      return send(reply.code(422), { title: setUpTitle, body });
    }
    await whenSetUp(req, reply);
    tell(visitor, 'An authenticator app was added to your account.');
    return send(reply, { title: codesTitle, body: codesBody({ codes, next }) });
  });
  form('/app/off', async ({ reply, visitor }) => {
    await factors.switchOffTotp(visitor);
    tell(visitor, 'The authenticator app of your account was switched off.');
    return reply.redirect(visitor.base, 303);
  });
  form('/codes', async ({ reply, visitor }) => {
    const codes = await factors.replaceRecoveryCodes(visitor);
    return send(reply, { title: codesTitle, body: codesBody({ codes, next: visitor.next }) });
  });
}

function passkeyForms({ form, options: { factors, site, origin, whenSetUp } }: Pick<Forms, 'form' | 'options'>): void {
  const tell = teller(factors, origin);

  form('/passkeys/options', async ({ reply, visitor }) => {
    return reply.send(await factors.beginRegistration(siteOf(site()), visitor));
  });
  form('/passkeys', async ({ req, reply, visitor }) => {
    const { name, response } = read(Made, req.body);
    const { userId, scope, client, next } = visitor;
    await factors.finishRegistration(siteOf(site()), { userId, scope, client, name: nameOf(name), response });
    await whenSetUp(req, reply);
    tell(visitor, `The passkey “${name.trim()}” was added to your account.`);
    return reply.send({ location: next });
  });
  form('/passkeys/:id/name', async ({ req, reply, visitor }) => {
    const { userId } = visitor;
    await factors.renamePasskey({ userId, id: idOf(req), name: nameOf(fieldOf(req, 'name')) });
    return reply.redirect(visitor.base, 303);
  });
  form('/passkeys/:id/remove', async ({ req, reply, visitor }) => {
    const { userId, client } = visitor;
    const name = await factors.removePasskey({ userId, client, id: idOf(req) });
    tell(visitor, `The passkey “${name}” was removed from your account.`);
    return reply.redirect(visitor.base, 303);
  });
}

/** Throws CONFLICT where browsers make no passkeys. */
export function siteOf(site: PasskeySite | null): PasskeySite {
  if (site === null) throw new AppError('CONFLICT', 'There are no passkeys at this address of the service.');
  return site;
}

/** Throws VALIDATION_ERROR. */
export function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  throw validationError(error.issues[0]?.path.join('.') ?? 'body', 'The browser sent something else than a passkey.');
}

/** A field of a form, or of what a script has sent. */
export function fieldOf({ body }: FastifyRequest, name: string): string {
  if (body instanceof Map) return readForm(body).get(name) ?? '';
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** Throws FORBIDDEN unless the request was sent from our page. */
export function refuseForgery(req: FastifyRequest, { origin, expected }: { origin: string; expected: string }): void {
  assertOwnPage(req, origin);
  assertCsrfToken(fieldOf(req, 'csrf'), expected);
}

/** Scripts send JSON. */
export function acceptScripts(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'));
}

/** Answers a script, with our envelope where it is refused. */
export async function answerScript(reply: FastifyReply, work: () => Promise<object>): Promise<FastifyReply> {
  try {
    return reply.header('Cache-Control', 'no-store').send(await work());
  } catch (error) {
    if (error instanceof AppError) return sendFault(reply, error);
    throw error;
  }
}

function sendFault(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.internal !== undefined) reply.log.info({ internal: error.internal }, 'a passkey was refused');
  const { code, message, details } = error;
  return reply.code(error.status).send({ error: { code, message, ...(details && { details }) } });
}

function teller(factors: SecondFactors, origin: () => string) {
  return ({ email, userId }: Visitor, change: string): void => {
    void factors.tell({ email, userId, change, origin: origin() });
  };
}

function nameOf(typed: string): string {
  const { success, data, error } = PasskeyName.safeParse(typed);
  if (success) return data;
  throw validationError('name', error.issues[0]?.message ?? 'Choose another name.');
}

function idOf(req: FastifyRequest): string {
  return (req.params as { id: string }).id;
}

export function isScript({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('application/json') ?? false;
}
