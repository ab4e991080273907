import { z } from 'zod';

/** What a verified token says about its subject. */
export type SessionClaims = {
  issuer: string;
  subject: string;
  expiresAt: Date;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  /** The sign-in that a token of our own provider belongs to; it ends with it. */
  signInId: string | null;
};

const subjectLengthMax = 255;
const text = z.string().nullish();

/**
 * The claims that we read, with the types of RFC 7519 (section 4.1) and OpenID Connect Core (sections 2 and 5.1). A
 * signature proves who wrote a token, not that its content is well-formed.
 */
export const TokenClaims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(subjectLengthMax),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  exp: z.number(),
  iat: z.number().optional(),
  azp: text,
  client_id: text,
  sid: text,
  email: text,
  // Some providers send booleans as text.
  email_verified: z.union([z.boolean(), z.string()]).nullish(),
  name: text,
  given_name: text,
  family_name: text,
});
export type TokenClaims = z.infer<typeof TokenClaims>;

/** Address and name, as in tokens and at the userinfo endpoint. */
export function readPerson(claims: Record<string, unknown>): Pick<SessionClaims, 'email' | 'isEmailVerified' | 'name'> {
  const { email, email_verified: verified, name, given_name: first, family_name: last } = claims;
  const full = typeof name === 'string' ? name : [first, last].filter((part) => typeof part === 'string').join(' ');
  return {
    email: typeof email === 'string' && email.includes('@') ? email.trim() : null,
    isEmailVerified: verified === true || verified === 'true',
    name: full.trim() || null,
  };
}
