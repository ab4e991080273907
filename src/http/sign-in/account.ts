import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { signInModeOf } from '../../config/sign-in.ts';
import type { SignIn } from '../../domain/accounts/service.ts';
import { AppError } from '../../lib/errors.ts';
import { escapeHtml } from '../../lib/html.ts';
import { assertCsrfToken, clientOf, csrfTokenOf, readOwnForm, sendPage, sessionOf, type SignInParts } from './guard.ts';
import { formHtml, hidden, noticeHtml, page, type Form } from './pages.ts';

type SignedIn = { userId: string; signInId: string; csrfToken: string };
type Shown = { notice?: string; fault?: Form['fault'] };

/** What people see and change about their own account. */
export async function account(app: FastifyInstance, { parts }: { parts: SignInParts }): Promise<void> {
  const { config, accounts, origin } = parts;
  const hasFactors = signInModeOf(config) === 'accounts';

  async function show(reply: FastifyReply, signedIn: SignedIn, shown: Shown = {}): Promise<FastifyReply> {
    const person = await accounts.findPerson(signedIn.userId);
    const signIns = await accounts.listSignIns(signedIn.userId);
    return sendPage(
      reply,
      accountPage({ ...signedIn, ...shown, email: person?.email ?? '', signIns, hasFactors }),
      config,
    );
  }

  app.get('/account', async (req, reply) => {
    const signedIn = await whoAsks(parts, req, reply);
    return signedIn ? show(reply, signedIn) : reply.redirect('/sign-in?to=%2Faccount', 303);
  });

  // Where forms were sent to, when somebody comes back to them.
  for (const sent of ['/account/password', '/account/sign-ins/end']) {
    app.get(sent, async (_req, reply) => reply.redirect('/account', 303));
  }

  app.post('/account/password', async (req, reply) => {
    const { signedIn, form } = await ownRequest(parts, req, reply);
    const [current = '', password = ''] = [form.get('current'), form.get('password')];
    const fault = await accounts.changePassword({ ...signedIn, current, password, client: clientOf(req) });
    if (fault) return show(reply.code(422), signedIn, { fault });
    return show(reply, signedIn, { notice: 'The password is changed, and all other devices are signed out.' });
  });

  app.post('/account/sign-ins/end', async (req, reply) => {
    const { signedIn, form } = await ownRequest(parts, req, reply);
    const { userId, signInId } = signedIn;
    const id = form.get('id');
    const which = id === undefined || id === '' ? { except: signInId } : { id };
    await accounts.endSignIns({ userId, ...which, client: clientOf(req) });
    if (id === signInId) return reply.redirect('/', 303);
    return show(reply, signedIn, { notice: 'Signed out there.' });
  });

  async function ownRequest({ running }: SignInParts, req: FastifyRequest, reply: FastifyReply) {
    await running();
    const form = readOwnForm(req, origin());
    const signedIn = await whoAsks(parts, req, reply);
    if (!signedIn) throw new AppError('FORBIDDEN', 'You are signed out. Sign in again.');
    assertCsrfToken(form.get('csrf'), signedIn.csrfToken);
    return { signedIn, form };
  }
}

/** Who is signed in in this browser; null if nobody is. */
export async function whoAsks(parts: SignInParts, req: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
  const { provider, keys } = await parts.running();
  const { accountId, uid } = await sessionOf(provider, req, reply, parts.origin());
  return accountId === undefined ? null : { userId: accountId, signInId: uid, csrfToken: csrfTokenOf(keys, uid) };
}

const factorsLink = `<h2>Passkeys and second factor</h2>
<p><a href="/account/security">Sign-in and security</a></p>`;

type AccountPage = SignedIn & Shown & { email: string; signIns: SignIn[]; hasFactors: boolean };

function accountPage({ email, csrfToken, signInId, signIns, notice, hasFactors, fault = null }: AccountPage): string {
  const password = formHtml({
    action: '/account/password',
    hidden: { csrf: csrfToken },
    fields: [
      { name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password' },
      {
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: '12 characters or more.',
      },
    ],
    button: 'Change the password',
    fault,
    isAside: true,
  });
  const rows = signIns.map((signIn) => signInRow(signIn, { csrfToken, isThis: signIn.id === signInId }));
  const others =
    signIns.length < 2
      ? ''
      : `<form method="post" action="/account/sign-ins/end">${hidden('csrf', csrfToken)}<button class="plain">Sign out everywhere else</button></form>`;
  return page({
    title: 'Your account',
    isWide: true,
    body: `${noticeHtml(notice)}
<p class="soft">${escapeHtml(email)} · <a href="/">Back to Earshot</a></p>
<h2>Devices that are signed in</h2>
<ul>${rows.join('\n')}</ul>
${others}
${hasFactors ? factorsLink : ''}
<h2>Password</h2>
${password}`,
  });
}

function signInRow(
  { id, device, createdAt, lastUsedAt }: SignIn,
  { csrfToken, isThis }: { csrfToken: string; isThis: boolean },
) {
  const times = `Signed in ${dateOf(createdAt)}, last used ${dateOf(lastUsedAt)}`;
  const label = isThis ? 'Sign out here' : 'Sign out';
  return `<li><span>${escapeHtml(device)}${isThis ? ' <strong>(this one)</strong>' : ''}<br><small>${times}</small></span>
<form method="post" action="/account/sign-ins/end">${hidden('csrf', csrfToken)}${hidden('id', id)}<button class="plain" aria-label="${label}: ${escapeHtml(device)}, ${times}">${label}</button></form></li>`;
}

/** `2026-01-31 12:00 UTC`: the server does not know the reader's time zone. */
function dateOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
