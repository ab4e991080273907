import type { Person } from '../../domain/context.ts';
import { sourceHash } from '../../lib/digest.ts';
import { escapeHtml } from '../../lib/html.ts';

export type SignInPage = { action: string; csrfToken: string; people: Person[] };

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem; color: #16202c }
  h1 { font-size: 1.4rem } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
  button { display: flex; justify-content: space-between; width: 100%; font: inherit; text-align: left; cursor: pointer;
           padding: .6rem .9rem; margin: .3rem 0; border: 1px solid #c6d0dc; border-radius: .5rem; background: #fff }
  button:hover, button:focus-visible { border-color: #1f6feb; outline: 2px solid #1f6feb33 }
  small { color: #5a6b7d }
`;
const submitScript = 'document.forms[0].submit()';

/** Nothing is loaded from elsewhere; forms, and the redirects after them, go to this machine only. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src '${sourceHash(style)}'`,
  `script-src '${sourceHash(submitScript)}'`,
  "form-action 'self' http://127.0.0.1:* http://localhost:*",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Lists all users by organization; one click signs in. */
export function signInPage({ action, csrfToken, people }: SignInPage): string {
  const orgs = [...new Set(people.map(({ org }) => org))];
  const groups = orgs.map((org) => {
    const buttons = people.filter((person) => person.org === org).map(personButton);
    return `<h2>${escapeHtml(org)}</h2>\n${buttons.join('\n')}`;
  });
  const nobody =
    '<p>There are no users yet. <code>npm run admin -- org create --help</code> tells how to make one.</p>';
  return page(
    'Sign in to Earshot',
    `<p><small>Signing in without a password, on this machine only.</small></p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="csrf" value="${escapeHtml(csrfToken)}">
${groups.join('\n') || nobody}
</form>`,
  );
}

/** `form` comes from the provider, and names the session to end. */
export function signOutPage(form: string): string {
  const confirmed = form.replace('</form>', '<input type="hidden" name="logout" value="yes"></form>');
  return page('Signing out', `${confirmed}<script>${submitScript}</script>`);
}

function personButton({ id, email, name, role }: Person): string {
  const label = `<span>${escapeHtml(name)}<br><small>${escapeHtml(email)}</small></span><small>${escapeHtml(role)}</small>`;
  return `<button name="user" value="${escapeHtml(id)}">${label}</button>`;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style><h1>${title}</h1>
${body}</html>`;
}
