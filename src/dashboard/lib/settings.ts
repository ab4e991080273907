import * as z from 'zod/mini';

/** What the service tells the dashboard, embedded in the page. */
const Settings = z.object({
  version: z.string(),
  /** Whether the service sends mails. */
  hasMail: z.boolean(),
  /** The identity provider; null where none is configured. */
  signIn: z.nullable(
    z.object({
      issuer: z.string(),
      clientId: z.string(),
      scope: z.string(),
      isEmbedded: z.boolean(),
      hasAccounts: z.boolean(),
    }),
  ),
  /** Set if a CRM's frame opened the page. */
  frame: z.nullable(
    z.object({
      domain: z.string(),
      memberId: z.string(),
      authId: z.string(),
      refreshId: z.string(),
      placement: z.string(),
      entityId: z.nullable(z.string()),
    }),
  ),
});
export type Settings = z.infer<typeof Settings>;
export type Frame = NonNullable<Settings['frame']>;

export function readSettings(): Settings {
  const text = document.getElementById('settings')?.textContent ?? '';
  return Settings.parse(JSON.parse(text));
}

/** For style elements of libraries, which the page's policy allows only with this nonce. */
export function styleNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
}
