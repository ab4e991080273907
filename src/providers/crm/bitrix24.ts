import { z } from 'zod';
import { AppError } from '../../lib/errors.ts';
import { safeFetch, type SafeFetchInput } from '../../lib/safe-fetch.ts';
import { SafeFetchError } from '../../lib/safe-fetch-error.ts';

/** What the OAuth server says of an access token: which application it was given to, in which portal, for whom. */
export type Bitrix24Grant = {
  clientId: string;
  memberId: string;
  domain: string;
  clientEndpoint: string;
  /** Absent where the server does not tell. */
  userId: string | null;
};
export type Bitrix24Profile = { id: string; isAdmin: boolean; name: string };

/** Each answers null for a token that is not good, and throws UPSTREAM_UNAVAILABLE while the server does not answer. */
export type Bitrix24 = {
  readGrant(accessToken: string): Promise<Bitrix24Grant | null>;
  /** The user of the token; null also for one who has been dismissed. */
  readProfile(clientEndpoint: string, accessToken: string): Promise<Bitrix24Profile | null>;
  /** A new access token; null where the application has no secret to ask with. */
  refresh(refreshToken: string): Promise<string | null>;
  /** Whether a token may be sent to this address of a portal. */
  isTrusted(endpoint: string, portalDomain: string): boolean;
};

export type Bitrix24Settings = {
  /** The only server that is asked about a token before anything is known of it. */
  oauthUrl: string;
  clientId: string;
  clientSecret: string | undefined;
  /** Hosts that the operator lets through although they are private, or speak plain http. */
  outboundAllow: readonly string[];
};

const answerSizeBytesMax = 256 * 1024;
const timeoutMs = 8_000;
const cloudDomain = /\.bitrix24\.(?:com|ru|eu|de|fr|it|pl|es|in|ua|kz|by|cn|jp|uk|vn|id|tr|site|net|com\.br|com\.tr)$/;

const text = z.union([z.string(), z.number()]).transform(String);
const GrantAnswer = z.object({
  result: z.object({
    client_id: z.string(),
    user_id: text.nullish(),
    install: z.object({ member_id: z.string(), domain: z.string(), client_endpoint: z.url() }),
  }),
});
const ProfileAnswer = z.object({
  result: z.object({ ID: text, ADMIN: z.boolean(), NAME: z.string().nullish(), LAST_NAME: z.string().nullish() }),
});
const RefreshAnswer = z.object({ access_token: z.string() });

/** Bitrix24's REST, as far as it tells who opens the application in a portal. */
export function createBitrix24({ oauthUrl, clientId, clientSecret, outboundAllow }: Bitrix24Settings): Bitrix24 {
  const oauthHost = new URL(oauthUrl).hostname;

  function call(url: string, accessToken: string, allow: readonly string[]): Promise<unknown> {
    const body = new URLSearchParams({ auth: accessToken }).toString();
    return ask({ url, method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body, allow });
  }

  return {
    async readGrant(accessToken) {
      const answer = await call(new URL('/rest/app.info/', oauthUrl).href, accessToken, [oauthHost, ...outboundAllow]);
      const { data } = GrantAnswer.safeParse(answer);
      if (!data) return null;
      const { client_id: clientId, user_id: userId, install } = data.result;
      const { member_id: memberId, domain, client_endpoint: clientEndpoint } = install;
      return { clientId, memberId, domain: domain.toLowerCase(), clientEndpoint, userId: userId ?? null };
    },
    async readProfile(clientEndpoint, accessToken) {
      const base = clientEndpoint.endsWith('/') ? clientEndpoint : `${clientEndpoint}/`;
      const { data } = ProfileAnswer.safeParse(await call(`${base}profile`, accessToken, outboundAllow));
      if (!data) return null;
      const { ID: id, ADMIN: isAdmin, NAME, LAST_NAME } = data.result;
      const name = [NAME, LAST_NAME].map((part) => part?.trim()).filter(Boolean);
      return { id, isAdmin, name: name.join(' ') || `User ${id}` };
    },
    async refresh(refreshToken) {
      if (clientSecret === undefined) return null;
      const url = new URL('/oauth/token/', oauthUrl);
      const parameters = { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken };
      url.search = new URLSearchParams({ grant_type: 'refresh_token', ...parameters }).toString();
      const answer = await ask({ url: url.href, allow: [oauthHost, ...outboundAllow] });
      return RefreshAnswer.safeParse(answer).data?.access_token ?? null;
    },
    isTrusted(endpoint, portalDomain) {
      const { protocol, host, hostname } = new URL(endpoint);
      const isKnown = host === portalDomain || cloudDomain.test(hostname);
      return isKnown && (protocol === 'https:' || outboundAllow.includes(hostname));
    },
  };
}

/** Undefined where the server refuses the token, whatever it says about it. */
async function ask(request: Omit<SafeFetchInput, 'sizeBytesMax'>): Promise<unknown> {
  try {
    const { body } = await safeFetch({
      ...request,
      redirectsMax: 0,
      sizeBytesMax: answerSizeBytesMax,
      idleTimeoutMs: timeoutMs,
      totalTimeoutMs: timeoutMs,
    });
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    if (cause instanceof SafeFetchError && isRefusal(cause)) return undefined;
    throw new AppError('UPSTREAM_UNAVAILABLE', 'Bitrix24 cannot be reached. Try again shortly.', { cause });
  }
}

function isRefusal({ status, isRetryable }: SafeFetchError): boolean {
  return status !== undefined && status >= 400 && status < 500 && !isRetryable;
}
