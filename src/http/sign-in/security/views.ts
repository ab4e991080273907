import type { Factors, Passkey } from '../../../domain/accounts/service.ts';
import { escapeHtml } from '../../../lib/html.ts';
import { formHtml } from '../pages.ts';
import { qrCode } from './qr-code.ts';

export const passkeyScriptUrl = '/account/passkeys.js';
/** For pages with passkeys. */
export const passkeyScript = `<script src="${passkeyScriptUrl}" defer></script>`;

export type SecurityView = {
  /** Where the forms are sent to. */
  base: string;
  csrfToken: string;
  factors: Factors;
  passkeys: Passkey[];
  /** Whether browsers make passkeys for this address. */
  canHavePasskeys: boolean;
};

/** What somebody signs in with besides a password. */
export function securityBody(view: SecurityView): string {
  return `${neededNote(view.factors)}
<section aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
<p>A passkey signs you in with your fingerprint, face or PIN: no password, and no code.</p>
${passkeyList(view)}
${makingPasskey(view)}</section>
<section aria-labelledby="app"><h2 id="app">Authenticator app</h2>
${view.factors.hasTotp ? appOn(view) : appOff(view)}</section>
${view.factors.hasTotp || view.factors.passkeys > 0 ? recoverySection(view) : ''}`;
}

export type StepView = {
  action: string;
  csrfToken: string;
  /** Where a passkey answers; null if the person has none, or browsers make none here. */
  passkey: { action: string; options: string } | null;
  hasTotp: boolean;
  error?: string | undefined;
};

/** The second step of a sign-in: a code, or a passkey in its place. */
export function stepBody({ action, csrfToken, passkey, hasTotp, error }: StepView): string {
  const asked = hasTotp
    ? 'the code that your authenticator app shows, or a recovery code'
    : 'one of your recovery codes';
  const code = `<form method="post" action="${escapeHtml(action)}">${hidden(csrfToken)}
${codeField({ id: 'code', label: hasTotp ? 'Code' : 'Recovery code', error })}
<button${hasTotp ? '' : ' class="plain"'}>Continue</button></form>`;
  return `<p>Type ${asked}.</p>
${code}
${passkey === null ? '' : usePasskey({ ...passkey, csrfToken })}`;
}

export type ConfirmView = {
  action: string;
  csrfToken: string;
  email: string;
  hasPasskey: boolean;
  error?: string | undefined;
};

/** Asks for the password, or a passkey, of who is signed in. */
export function confirmBody({ action, csrfToken, email, hasPasskey, error }: ConfirmView): string {
  const fault = error === undefined ? null : { field: 'password', message: error };
  const form = formHtml({
    action,
    hidden: { csrf: csrfToken },
    fields: [
      {
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'username',
        value: email,
        isReadOnly: true,
      },
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
    ],
    button: 'Continue',
    fault,
  });
  const passkey = hasPasskey
    ? usePasskey({ action: `${action}/passkey`, options: `${action}/passkey/options`, csrfToken })
    : '';
  return `<p>Before you change how you sign in, tell us once more who you are.</p>
${form}${passkey}`;
}

/** A button that only scripts can work, and that only they show. */
export function usePasskey({
  action,
  options,
  csrfToken,
}: {
  action: string;
  options: string;
  csrfToken: string;
}): string {
  return `<div data-passkey="use" hidden>
<form method="post" action="${escapeHtml(action)}" data-options="${escapeHtml(options)}">${hidden(csrfToken)}
<button class="plain">Use a passkey</button></form><p class="fault" role="alert"></p></div>`;
}

export type SetUpView = Pick<SecurityView, 'base' | 'csrfToken'> & {
  uri: string;
  secret: string;
  error?: string | undefined;
};

/** The secret as a picture and as text, and the field for the first code. */
export function setUpBody({ base, csrfToken, uri, secret, error }: SetUpView): string {
  const grouped = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  return `<ol><li>Scan this with your authenticator app:
<div class="qr">${qrCode(uri, 'QR code for your authenticator app')}</div>
or type this secret: <code class="secret">${grouped}</code></li>
<li>Type the code that it shows:
<form method="post" action="${base}/app">${hidden(csrfToken)}
${codeField({ id: 'code', label: 'Code', error })}
<button>Switch on</button></form></li></ol>`;
}

/** Shown once: only hashes are stored. */
export function codesBody({ codes, next }: { codes: string[]; next: string }): string {
  const items = codes.map((code) => `<li><code>${escapeHtml(code)}</code></li>`).join('');
  return `<p>Each of these codes replaces a passkey or a code of your app once. Store them where you find them without your
phone: <strong>they are shown only now.</strong></p>
<ul class="codes">${items}</ul>
<p><a class="button" href="${escapeHtml(next)}">I have stored them</a></p>`;
}

/** What is wrong with a form that was sent. */
export function faultBody(message: string): string {
  return `<p class="notice bad" role="alert">${escapeHtml(message)}</p>`;
}

/** A field for one code; the browser offers what arrives or an app computes. */
export function codeField({ id, label, error }: { id: string; label: string; error?: string | undefined }): string {
  const told = error === undefined ? '' : `<p class="fault" id="${id}-fault" role="alert">${escapeHtml(error)}</p>`;
  const marks = error === undefined ? '' : ` aria-invalid="true" aria-describedby="${id}-fault"`;
  return `<label for="${id}">${label}</label>
<input id="${id}" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required autofocus${marks}>${told}`;
}

function neededNote({ isNeeded, hasTotp, passkeys }: Factors): string {
  if (!isNeeded || hasTotp || passkeys > 0) return '';
  return `<p class="notice plain">Your organization requires owners to sign in with a second factor. Add a passkey or switch on an
authenticator app to go on.</p>`;
}

function passkeyList({ passkeys, base, csrfToken }: SecurityView): string {
  if (passkeys.length === 0) return '';
  const items = passkeys.map(({ id, name, createdAt, lastUsedAt }) => {
    const used = lastUsedAt === null ? 'not used yet' : `last used ${day(lastUsedAt)}`;
    const field = `name-${id}`;
    return `<li><span><strong>${escapeHtml(name)}</strong><br><small>Added ${day(createdAt)}, ${used}</small></span>
<details><summary>Rename or remove<span class="hidden"> ${escapeHtml(name)}</span></summary>
<form method="post" action="${base}/passkeys/${id}/name">${hidden(csrfToken)}
<label for="${field}">Name</label>
<input id="${field}" name="name" value="${escapeHtml(name)}" maxlength="60" required autocomplete="off"><button class="plain">Rename</button></form>
<form method="post" action="${base}/passkeys/${id}/remove">${hidden(csrfToken)}
<button class="plain">Remove<span class="hidden"> ${escapeHtml(name)}</span></button></form></details></li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}

function makingPasskey({ canHavePasskeys, base, csrfToken }: SecurityView): string {
  if (!canHavePasskeys) {
    return `<p class="notice plain">Browsers make passkeys only for the name of a host, over HTTPS or on localhost. The operator sets it
as PUBLIC_URL.</p>`;
  }
  return `<noscript><p class="notice plain">Passkeys need JavaScript.</p></noscript>
<div data-passkey="make" hidden>
<form method="post" action="${base}/passkeys" data-options="${base}/passkeys/options">${hidden(csrfToken)}
<label for="passkey-name">Name, such as the device’s</label>
<input id="passkey-name" name="name" maxlength="60" required autocomplete="off">
<button>Add a passkey</button></form><p class="fault" role="alert"></p></div>`;
}

function appOn({ base, csrfToken }: SecurityView): string {
  return `<p>On: after your password, you type a code of your app.</p>
<form method="post" action="${base}/app/off">${hidden(csrfToken)}<button class="plain">Switch off</button></form>`;
}

function appOff({ base }: SecurityView): string {
  return `<p>Off. When it is on, you type a code of an app on your phone after your password.</p>
<p><a class="button" href="${base}/app">Set up</a></p>`;
}

function recoverySection({ base, csrfToken, factors: { recoveryCodes: left } }: SecurityView): string {
  const told = left === 0 ? 'You have none.' : `${left} of 10 are left.`;
  return `<section aria-labelledby="recovery"><h2 id="recovery">Recovery codes</h2>
<p>They let you in if you lose your phone. ${told} New ones replace the old.</p>
<form method="post" action="${base}/codes">${hidden(csrfToken)}<button class="plain">New recovery codes</button></form></section>`;
}

function hidden(csrfToken: string): string {
  return `<input type="hidden" name="csrf" value="${escapeHtml(csrfToken)}">`;
}

/** In one language and zone, as the server does not know the reader's. */
function day(date: Date): string {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
  return `<time datetime="${date.toISOString()}">${text}</time>`;
}
