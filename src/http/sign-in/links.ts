import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { InviteNeeds, Joined, Link } from '../../domain/accounts/service.ts';
import { AppError } from '../../lib/errors.ts';
import { escapeHtml } from '../../lib/html.ts';
import { isFromThisMachine } from '../this-machine.ts';
import { clientOf, readOwnForm, sendPage, type SignInParts } from './guard.ts';
import { tellOnSignIn, type News } from './news.ts';
import { formHtml, noticeHtml, page, type Field, type Form } from './pages.ts';

type Params = { token: string };
type Shown = { token: string; link: Link; needs: InviteNeeds; fault?: Form['fault']; typed?: Map<string, string> };

const newPassword: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: '12 characters or more. Several words are easy to remember.',
};
const ownName: Field = { name: 'name', label: 'Your name', autocomplete: 'name' };

/** Pages behind links that work once. Opening one changes nothing, since mail programs open links too. */
export async function links(app: FastifyInstance, { parts }: { parts: SignInParts }): Promise<void> {
  const { config, accounts, origin } = parts;

  async function find(token: string): Promise<Omit<Shown, 'fault' | 'typed'>> {
    const link = await accounts.findLink(token);
    if (!link) throw gone();
    return { token, link, needs: link.kind === 'invite' ? await accounts.needsOfInvite(link) : 'password' };
  }

  app.setErrorHandler(async (error, _req, reply) => {
    // Other errors are shown as on all pages of accounts.
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    return sendPage(reply.code(404), gonePage(error.message), config);
  });

  app.get<{ Params: Params }>('/account/links/:token', async (req, reply) =>
    sendPage(reply, linkPage(await find(req.params.token)), config),
  );

  app.post<{ Params: Params }>('/account/links/:token', async (req, reply) => {
    const typed = readOwnForm(req, origin());
    const found = await find(req.params.token);
    const joined = await use(parts, { req, token: found.token, kind: found.link.kind, typed });
    if ('message' in joined) return sendPage(reply.code(422), linkPage({ ...found, fault: joined, typed }), config);
    tellOnSignIn(reply, newsOf(found));
    return reply.redirect(signInUrl(joined.email), 303);
  });

  app.get('/account/first-owner', async (_req, reply) => reply.redirect('/', 303));
  app.post('/account/first-owner', async (req, reply) => {
    readOwnForm(req, origin());
    if (!isFromThisMachine(req, config))
      throw new AppError('FORBIDDEN', 'This works on the machine of the service only.');
    const token = await accounts.offerFirstOwner();
    if (token === null) throw gone();
    return reply.redirect(`/account/links/${token}`, 303);
  });

  app.get('/account/forgot', async (_req, reply) => sendPage(reply, forgotPage({ hasMail: accounts.hasMail }), config));

  app.post('/account/forgot', async (req, reply) => {
    const email = readOwnForm(req, origin()).get('email') ?? '';
    const client = clientOf(req);
    if (accounts.hasMail) {
      // After the answer, whose time must not tell whether there is such an account.
      reply.raw.once('finish', () => {
        accounts
          .mailReset({ email, origin: origin(), client })
          .catch((error: unknown) =>
            req.log.error({ err: error }, 'a mail with a link to reset a password was not sent'),
          );
      });
    }
    return sendPage(reply, forgotPage({ hasMail: accounts.hasMail, isAsked: true }), config);
  });
}

type Use = { req: FastifyRequest; token: string; kind: Link['kind']; typed: Map<string, string> };

function use({ accounts }: SignInParts, { req, token, kind, typed }: Use): Promise<Joined> {
  const client = clientOf(req);
  const of = (name: string): string => typed.get(name) ?? '';
  const [password, name] = [of('password'), of('name')];
  switch (kind) {
    case 'first-owner': {
      const form = { name, email: of('email'), organization: of('organization'), password };
      return accounts.makeFirstOwner({ token, form, client });
    }
    case 'invite':
      return accounts.acceptInvite({ token, form: { name, password }, client });
    case 'reset':
      return accounts.resetPassword({ token, password, client });
    default:
      return kind satisfies never;
  }
}

function gone(): AppError {
  return new AppError('NOT_FOUND', 'This link has been used, has expired or was replaced by a newer one.');
}

function gonePage(message: string): string {
  const body = `<p>${escapeHtml(message)}</p>
<p>If you have an account, sign in. Otherwise ask whoever gave you the link for a new one.</p><a class="button" href="/">Go to Earshot</a>`;
  return page({ title: 'This link no longer works', body });
}

function newsOf({ link: { kind }, needs }: Pick<Shown, 'link' | 'needs'>): News {
  if (kind === 'reset') return 'password';
  return needs === 'known-password' ? 'joined' : 'account';
}

function signInUrl(email: string): string {
  return `/sign-in?as=${encodeURIComponent(email)}`;
}

function linkPage(shown: Shown): string {
  switch (shown.link.kind) {
    case 'first-owner':
      return firstOwnerPage(shown);
    case 'invite':
      return invitePage(shown);
    case 'reset':
      return resetPage(shown);
    default:
      return shown.link.kind satisfies never;
  }
}

function firstOwnerPage({ token, fault = null, typed }: Shown): string {
  const value = (name: string) => ({ value: typed?.get(name) ?? '' });
  const form = formHtml({
    action: `/account/links/${token}`,
    fields: [
      { ...ownName, ...value('name') },
      { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', ...value('email') },
      {
        name: 'organization',
        label: 'Name of your organization',
        autocomplete: 'organization',
        ...value('organization'),
      },
      newPassword,
    ],
    button: 'Create the account',
    fault,
  });
  return page({
    title: 'Create the first account',
    body: `<p class="soft">You will own the organization, and can invite others.</p>${form}`,
  });
}

function invitePage({ token, link, needs, fault = null, typed }: Shown): string {
  const email = link.email ?? '';
  const title = `Join ${link.orgName ?? 'Earshot'}`;
  const address: Field = {
    name: 'address',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'username',
    value: email,
    isReadOnly: true,
  };
  const form = (fields: Field[], button: string) =>
    formHtml({ action: `/account/links/${token}`, fields: [address, ...fields], button, fault });
  switch (needs) {
    case 'password':
      return page({ title, body: form([{ ...ownName, value: typed?.get('name') ?? '' }, newPassword], 'Join') });
    case 'known-password': {
      const known: Field = {
        name: 'password',
        label: 'Password of your account',
        type: 'password',
        autocomplete: 'current-password',
      };
      return page({ title, body: form([known], 'Join') });
    }
    case 'sign-in': {
      const body = `<p>${escapeHtml(email)} has an account already. Sign in with it, and you are in.</p><a class="button" href="${escapeHtml(signInUrl(email))}">Sign in</a>`;
      return page({ title, body });
    }
    case 'operator': {
      const body = `<p>${escapeHtml(email)} is known here and has no password yet. Whoever runs this service makes a link for it:</p><p><code>npm run admin -- user link ${escapeHtml(email)}</code></p>`;
      return page({ title, body });
    }
    default:
      return needs satisfies never;
  }
}

function resetPage({ token, link, fault = null }: Shown): string {
  const form = formHtml({
    action: `/account/links/${token}`,
    fields: [
      {
        name: 'address',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'username',
        value: link.email ?? '',
        isReadOnly: true,
      },
      { ...newPassword, label: 'New password' },
    ],
    button: 'Save the password',
    fault,
  });
  return page({
    title: 'Choose a password',
    body: `<p class="soft">All devices that are signed in will have to sign in again.</p>${form}`,
  });
}

function forgotPage({ hasMail, isAsked = false }: { hasMail: boolean; isAsked?: boolean }): string {
  const title = 'Forgot your password?';
  const back = '<p class="end"><a href="/">Back to Earshot</a></p>';
  if (!hasMail) {
    const body = `<p>This service sends no mail. Ask whoever runs it for a link:</p><p><code>npm run admin -- user reset ADDRESS</code></p>`;
    return page({ title, body: `${body}${back}` });
  }
  if (isAsked) {
    const text =
      'If there is an account for this address, a mail with a link is on its way. The link works for an hour.';
    return page({ title, body: `${noticeHtml(text)}${back}` });
  }
  const form = formHtml({
    action: '/account/forgot',
    fields: [{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username' }],
    button: 'Send me a link',
  });
  return page({ title, body: `${form}${back}` });
}
