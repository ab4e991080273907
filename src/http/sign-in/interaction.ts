import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { signInModeOf } from '../../config/sign-in.ts';
import type { Services } from '../../deps.ts';
import { passkeySiteOf } from '../../domain/accounts/service.ts';
import { AppError, validationError } from '../../lib/errors.ts';
import { isFromThisMachine } from '../this-machine.ts';
import { assertCsrfToken, clientOf, csrfTokenOf, readOwnForm, sendPage, sessionOf, type SignInParts } from './guard.ts';
import { readCookie, takeNews } from './news.ts';
import { markBrowser } from './own-browser.ts';
import { formHtml, hidden, noticeHtml, oneClickPage, page, type Form } from './pages.ts';
import { beginSecondStep } from './proved.ts';
import { passkeyScript, usePasskey } from './security/views.ts';
import { mountPath } from './settings.ts';

type Params = { uid: string };
export type Interaction = { uid: string; loginHint: string | undefined };

export const deviceCookie = 'earshot_device';
const deviceSeconds = 365 * 86_400;

/** The pages on which people say who they are, during a sign-in that the dashboard has begun. */
export async function interactions(
  app: FastifyInstance,
  { parts, directory }: { parts: SignInParts; directory: Services['directory'] },
): Promise<void> {
  const { config, origin, running } = parts;
  const isOneClick = signInModeOf(config) === 'one-click';
  const url = `${mountPath}/interaction/:uid`;

  async function begin(req: FastifyRequest, reply: FastifyReply) {
    const { provider, keys } = await running();
    const interaction = await interactionOf(provider, req, reply);
    const csrfToken = csrfTokenOf(keys, interaction.uid);
    const action = `${mountPath}/interaction/${interaction.uid}`;
    return { provider, csrfToken, action, ...interaction };
  }

  app.get<{ Params: Params }>(url, async (req, reply) => {
    const { provider, csrfToken, action, loginHint } = await begin(req, reply);
    if (!isOneClick) {
      const waiting = await welcomeOf(req, parts);
      return sendPage(
        reply,
        waiting ??
          passwordPage({
            action,
            csrfToken,
            email: loginHint,
            canUsePasskeys: passkeySiteOf(parts.origin()) !== null,
            news: takeNews(req, reply),
          }),
        config,
      );
    }
    const people = await directory.listPeople();
    const hinted = people.find(({ email }) => email.toLowerCase() === loginHint?.toLowerCase());
    // If the user is named already, no further click is needed.
    if (hinted) return finishSignIn(parts, provider, { req, reply, userId: hinted.id, by: 'one-click' });
    return sendPage(reply, oneClickPage({ action, csrfToken, people }), config);
  });

  app.post<{ Params: Params }>(url, async (req, reply) => {
    const begun = await begin(req, reply);
    const form = readOwnForm(req, origin());
    assertCsrfToken(form.get('csrf'), begun.csrfToken);
    if (!isOneClick) return takePassword(parts, { ...begun, form, req, reply });
    const person = await directory.findPerson(form.get('user') ?? '');
    if (!person) throw new AppError('NOT_FOUND', 'User not found.');
    return finishSignIn(parts, begun.provider, { req, reply, userId: person.id, by: 'one-click' });
  });
}

type TypedPassword = {
  provider: Provider;
  action: string;
  csrfToken: string;
  form: Map<string, string>;
  req: FastifyRequest;
  reply: FastifyReply;
};

async function takePassword(parts: SignInParts, typed: TypedPassword): Promise<FastifyReply> {
  const { provider, action, csrfToken, form, req, reply } = typed;
  const [email = '', password = ''] = [form.get('email'), form.get('password')];
  const device = readCookie(req.headers.cookie, deviceCookie);
  const result = await parts.accounts.checkPassword({ email, password, client: clientOf(req), device });
  const again = (message: string): FastifyReply =>
    sendPage(
      reply,
      passwordPage({
        action,
        csrfToken,
        email,
        canUsePasskeys: passkeySiteOf(parts.origin()) !== null,
        fault: { field: '', message },
      }),
      parts.config,
    );
  switch (result.kind) {
    case 'wrong':
      reply.code(422);
      return again('The address or the password is wrong.');
    case 'delayed':
      reply.code(429).header('Retry-After', String(result.seconds));
      return again(`Too many attempts. Try again ${inWords(result.seconds)}.`);
    case 'right': {
      const { userId, version, step } = result;
      if (step !== 'done') {
        const proved = { userId, version };
        return beginSecondStep(provider, { req, reply, proved, step, action, origin: parts.origin() });
      }
      return finishSignIn(parts, provider, { req, reply, userId, version, by: 'password' });
    }
    default:
      return result satisfies never;
  }
}

type Finished = {
  req: FastifyRequest;
  reply: FastifyReply;
  userId: string;
  /** Of the password that was checked (`PasswordResult`). */
  version?: string;
  by: 'one-click' | 'password' | 'passkey' | 'code';
};

/** Signs in and continues where the dashboard began. */
export async function finishSignIn(parts: SignInParts, provider: Provider, finished: Finished): Promise<FastifyReply> {
  return finished.reply.redirect(await completeSignIn(parts, provider, finished), 303);
}

/** Signs in. Returns the address to continue at. */
export async function completeSignIn(
  { accounts, origin }: SignInParts,
  provider: Provider,
  { req, reply, userId, version, by }: Finished,
): Promise<string> {
  await leaveOther(provider, { req, reply, userId, origin: origin() });
  await accounts.record({ type: 'sign_in', userId, client: clientOf(req), details: { by } });
  const device = await accounts.rememberDevice(userId);
  if (device !== null) {
    const secure = origin().startsWith('https:') ? '; Secure' : '';
    reply.header(
      'Set-Cookie',
      `${deviceCookie}=${device}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${deviceSeconds}${secure}`,
    );
  }
  const login = { accountId: userId, ...(version !== undefined && { acr: version }) };
  const { uid } = req.params as Params;
  const browser = markBrowser(reply, { uid, origin: origin() });
  return provider.interactionResult(req.raw, reply.raw, { login, browser }, { mergeWithLastSubmission: false });
}

type Leaving = { req: FastifyRequest; reply: FastifyReply; userId: string; origin: string };

/** Somebody else was signed in here: their session ends before the next one begins. */
async function leaveOther(provider: Provider, { req, reply, userId, origin }: Leaving): Promise<void> {
  const session = await sessionOf(provider, req, reply, origin);
  if (session.accountId === undefined || session.accountId === userId) return;
  await session.destroy();
  const interaction = await provider.interactionDetails(req.raw, reply.raw);
  Reflect.deleteProperty(interaction, 'session');
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
}

export async function interactionOf(
  provider: Provider,
  req: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction> {
  try {
    const { uid, params } = await provider.interactionDetails(req.raw, reply.raw);
    const { login_hint: hint } = params;
    if (uid === (req.params as Params).uid) return { uid, loginHint: typeof hint === 'string' ? hint : undefined };
  } catch {
    // The interaction has ended, or belongs to another browser.
  }
  throw validationError('uid', 'This sign-in has expired. Start again from the page that you came from.');
}

type PasswordPage = {
  action: string;
  csrfToken: string;
  email?: string | undefined;
  canUsePasskeys: boolean;
  news?: string | undefined;
  fault?: Form['fault'];
};

function passwordPage({ action, csrfToken, email = '', canUsePasskeys, news, fault = null }: PasswordPage): string {
  const form = formHtml({
    action,
    fields: [
      { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email },
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
    ],
    button: 'Sign in',
    hidden: { csrf: csrfToken },
    fault,
  });
  const passkey = canUsePasskeys
    ? usePasskey({ action: `${action}/passkey`, options: `${action}/passkey/options`, csrfToken }) + passkeyScript
    : '';
  return page({
    title: 'Sign in',
    body: `${noticeHtml(news)}${form}${passkey}<p class="end"><a href="/account/forgot">Forgot your password?</a></p>`,
  });
}

/** Before there is an account: how the first one is made. Whoever sits at this machine may do it with a click. */
async function welcomeOf(req: FastifyRequest, { config, accounts }: SignInParts): Promise<string | null> {
  if (await accounts.hasAccounts()) return null;
  if ((await accounts.findWaitingOwner()) !== null) {
    const how =
      '<p>Nobody has a password yet. The operator makes a link for an owner:</p><p><code>npm run admin -- user link ADDRESS</code></p>';
    return page({ title: 'Nobody can sign in yet', body: how });
  }
  const body = isFromThisMachine(req, config)
    ? `<p>Nobody has an account here yet. Make the first one: it owns your organization.</p>
<form method="post" action="/account/first-owner">${hidden('begin', '1')}<button>Create the first account</button></form>`
    : '<p>Nobody has an account here yet. The console in which Earshot was started shows a link that makes the first one.</p>';
  return page({ title: 'Welcome to Earshot', body });
}

export function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`;
}
