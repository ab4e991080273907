import type { Person } from '../../domain/context.ts';
import { sourceHash } from '../../lib/digest.ts';
import { escapeHtml } from '../../lib/html.ts';
import { style } from './style.ts';

const submitScript = 'document.forms[0].submit()';

/** Nothing is loaded from elsewhere; forms, and the redirects after them, stay here, or on this machine. */
export function contentSecurityPolicy({ isDevelopment }: { isDevelopment: boolean }): string {
  return [
    "default-src 'none'",
    `style-src '${sourceHash(style)}'`,
    // Of the service itself: the scripts of passkeys and of the chosen theme, and the icon.
    `script-src '${sourceHash(submitScript)}' 'self'`,
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${isDevelopment ? ' http://127.0.0.1:* http://localhost:*' : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

export type OneClickPage = { action: string; csrfToken: string; people: Person[] };

/** Lists all users by organization; one click signs in. */
export function oneClickPage({ action, csrfToken, people }: OneClickPage): string {
  const orgs = [...new Set(people.map(({ org }) => org))];
  const groups = orgs.map((org) => {
    const buttons = people.filter((person) => person.org === org).map(personButton);
    return `<h2>${escapeHtml(org)}</h2>\n${buttons.join('\n')}`;
  });
  const nobody =
    '<p>There are no users yet. <code>npm run admin -- org create --help</code> tells how to make one.</p>';
  return page({
    title: 'Sign in to Earshot',
    body: `<p class="soft">Signing in without a password, on this machine only.</p>
<form method="post" action="${escapeHtml(action)}">
${hidden('csrf', csrfToken)}
${groups.join('\n') || nobody}
</form>`,
  });
}

/** `form` comes from the provider, and names the session to end. */
export function signOutPage(form: string): string {
  const confirmed = form.replace('</form>', `${hidden('logout', 'yes')}<button>Sign out</button></form>`);
  return page({ title: 'Signing out', body: `${confirmed}<script>${submitScript}</script>` });
}

function personButton({ id, email, name, role }: Person): string {
  const label = `<span>${escapeHtml(name)}<br><small>${escapeHtml(email)}</small></span><small>${escapeHtml(role)}</small>`;
  return `<button class="plain person" name="user" value="${escapeHtml(id)}">${label}</button>`;
}

export type Field = {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  /** HTML, autocomplete: what a password manager fills in. */
  autocomplete: string;
  value?: string;
  hint?: string;
  isReadOnly?: boolean;
};

export type Form = {
  action: string;
  fields: Field[];
  button: string;
  hidden?: Record<string, string>;
  fault?: { field: string; message: string } | null;
  /** Of a page with more on it: only a wrong field takes the focus. */
  isAside?: boolean;
};

/** A form that works without scripts. Errors are tied to their fields, and the first wrong field has the focus. */
export function formHtml({
  action,
  fields,
  button,
  hidden: secrets = {},
  fault = null,
  isAside = false,
}: Form): string {
  const isKnown = fields.some(({ name }) => name === fault?.field);
  const general = fault && !isKnown ? `<p class="notice bad" role="alert">${escapeHtml(fault.message)}</p>` : '';
  const empty = isAside ? undefined : fields.find(({ value, isReadOnly }) => !value && !isReadOnly)?.name;
  const first = isKnown ? fault?.field : empty;
  const inputs = fields.map((field) =>
    fieldHtml(field, { message: field.name === fault?.field ? fault.message : null, hasFocus: field.name === first }),
  );
  return `${general}<form method="post" action="${escapeHtml(action)}" novalidate>
${Object.entries(secrets)
  .map(([name, value]) => hidden(name, value))
  .join('\n')}
${inputs.join('\n')}
<button>${escapeHtml(button)}</button>
</form>`;
}

function fieldHtml(field: Field, { message, hasFocus }: { message: string | null; hasFocus: boolean }): string {
  const { name, label, type = 'text', autocomplete, value = '', hint, isReadOnly = false } = field;
  const described = [hint && `${name}-hint`, message !== null && `${name}-fault`].filter(Boolean).join(' ');
  const attributes = [
    `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required`,
    value && `value="${escapeHtml(value)}"`,
    isReadOnly && 'readonly',
    described && `aria-describedby="${described}"`,
    message !== null && 'aria-invalid="true"',
    hasFocus && 'autofocus',
    type !== 'text' && 'spellcheck="false" autocapitalize="none"',
  ];
  return `<label for="${name}">${escapeHtml(label)}</label>
<input ${attributes.filter(Boolean).join(' ')}>
${hint ? `<small class="hint" id="${name}-hint">${escapeHtml(hint)}</small>` : ''}
${message === null ? '' : `<p class="fault" id="${name}-fault" role="alert">${escapeHtml(message)}</p>`}`;
}

export function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;
}

export function noticeHtml(text: string | undefined): string {
  return text === undefined ? '' : `<p class="notice" role="status">${escapeHtml(text)}</p>`;
}

const brand = `<p class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5"/><path
d="M7 14v4M12 10v12M17 6.500v19M22 11v10M27 14.500v3" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>Earshot</p>`;

/** `body` is HTML. */
export function page({ title, body, isWide = false }: { title: string; body: string; isWide?: boolean }): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Earshot</title><link rel="icon" href="/favicon.svg"><script src="/theme.js"></script><style>${style}</style>
<main${isWide ? ' class="wide"' : ''}><div class="card">${brand}<h1>${escapeHtml(title)}</h1>
${body}</div></main></html>`;
}
