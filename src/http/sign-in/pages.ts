import type { Person } from '../../domain/context.ts';
import { sourceHash } from '../../lib/digest.ts';
import { escapeHtml } from '../../lib/html.ts';

const style = `
  :root { color-scheme: light dark; --bg: #f5f7fa; --card: #fff; --ink: #16202c; --soft: #55667a; --line: #c6d0dc; --field: #fff;
          --accent: #1b5fcc; --on-accent: #fff; --bad: #b3261e; --bad-bg: #fdeceb; --good-bg: #e6f4ea }
  @media (prefers-color-scheme: dark) {
    :root { --bg: #10151c; --card: #19212b; --ink: #e8edf3; --soft: #a3b1c2; --line: #3d4a5a; --field: #10151c;
            --accent: #7db0ff; --on-accent: #0b1a30; --bad: #ffb4ab; --bad-bg: #4a1c1a; --good-bg: #17351f } }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 26rem; margin: 0 auto; padding: 3rem 1rem }
  main.wide { max-width: 40rem }
  .card { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.75rem; margin-bottom: 1rem }
  .brand { font-weight: 600; margin: 0 0 1rem; color: var(--soft) }
  h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .75rem } h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem }
  p { margin: 0 0 1rem } small, .soft { color: var(--soft); font-size: .875rem }
  label { display: block; font-weight: 600; margin: 1rem 0 .25rem }
  input { width: 100%; font: inherit; color: inherit; background: var(--field); padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .5rem }
  input[aria-invalid=true] { border-color: var(--bad) }
  .fault { color: var(--bad); margin: .25rem 0 0; font-size: .9rem }
  .notice { border-radius: .5rem; padding: .6rem .75rem; background: var(--good-bg) }
  .notice.bad { background: var(--bad-bg); color: var(--bad) }
  button, .button { display: block; width: 100%; font: inherit; font-weight: 600; text-align: center; cursor: pointer; padding: .65rem 1rem;
    margin: 1.5rem 0 0; border: 1px solid transparent; border-radius: .5rem; background: var(--accent); color: var(--on-accent); text-decoration: none }
  button.plain { background: none; color: var(--ink); border-color: var(--soft); font-weight: 400; margin: 0 }
  button.person { display: flex; justify-content: space-between; gap: 1rem; text-align: left; margin: .3rem 0 }
  a { color: var(--accent) } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  code { overflow-wrap: anywhere; font-size: .9em }
  ul { list-style: none; padding: 0; margin: 0 } li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between;
    padding: .75rem 0; border-top: 1px solid var(--line) }
  li button.plain { width: auto } li form { margin: 0 } ol { padding-left: 1.25rem } ol li { display: list-item; border: 0 }
  [data-passkey] button.plain, li details button.plain { margin-top: .75rem } .fault:empty { display: none }
  .qr { background: #fff; padding: .75rem; border-radius: .5rem; width: 14rem; max-width: 100%; margin: .75rem 0 } .qr svg { display: block }
  .codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)) } .codes li, li details { border: 0 } li details { flex-basis: 100% }
  .codes code { font-size: 1.05rem } summary { cursor: pointer; color: var(--accent) } section + section { border-top: 1px solid var(--line); margin-top: 1.5rem }
  .hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap } .end { margin: 1rem 0 0; text-align: center }
`;
const submitScript = 'document.forms[0].submit()';

/** Nothing is loaded from elsewhere; forms, and the redirects after them, stay here, or on this machine. */
export function contentSecurityPolicy({ isDevelopment }: { isDevelopment: boolean }): string {
  return [
    "default-src 'none'",
    `style-src '${sourceHash(style)}'`,
    // Of the service itself: the script of passkeys.
    `script-src '${sourceHash(submitScript)}' 'self'`,
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
};

/** A form that works without scripts. Errors are tied to their fields, and the first wrong field has the focus. */
export function formHtml({ action, fields, button, hidden: secrets = {}, fault = null }: Form): string {
  const isKnown = fields.some(({ name }) => name === fault?.field);
  const general = fault && !isKnown ? `<p class="notice bad" role="alert">${escapeHtml(fault.message)}</p>` : '';
  const first = isKnown ? fault?.field : fields.find(({ value, isReadOnly }) => !value && !isReadOnly)?.name;
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
${hint ? `<small id="${name}-hint">${escapeHtml(hint)}</small>` : ''}
${message === null ? '' : `<p class="fault" id="${name}-fault" role="alert">${escapeHtml(message)}</p>`}`;
}

export function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;
}

/** `body` is HTML. */
export function page({ title, body, isWide = false }: { title: string; body: string; isWide?: boolean }): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Earshot</title><style>${style}</style>
<main${isWide ? ' class="wide"' : ''}><div class="card"><p class="brand">Earshot</p><h1>${escapeHtml(title)}</h1>
${body}</div></main></html>`;
}
