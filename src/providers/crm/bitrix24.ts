import { z } from 'zod';
import { AppError } from '../../lib/errors.ts';
import { observed } from '../../lib/observe.ts';
import { safeFetch, type SafeFetchInput, type SafeFetchResponse } from '../../lib/safe-fetch.ts';
import { SafeFetchError } from '../../lib/safe-fetch-error.ts';
import { callPortal, readJson, toError, toUnreachable, type RestAnswer } from './bitrix24-rest.ts';
import { CrmError } from './crm-error.ts';

/** What the OAuth server says about an access token: its application, its portal, its user. */
export type Bitrix24Grant = {
  clientId: string;
  memberId: string;
  domain: string;
  clientEndpoint: string;
  /** Absent if the server does not say. */
  userId: string | null;
};
export type Bitrix24Profile = { id: string; isAdmin: boolean; name: string };

export type Bitrix24Tokens = {
  accessToken: string;
  /** Replaces the one that was used to request it. */
  refreshToken: string;
  expiresInSeconds: number;
  /** The portal's current address; absent if the server does not say. */
  clientEndpoint: string | null;
};
export type PortalCall = Omit<Parameters<typeof callPortal>[0], 'allow'>;

/**
 * The first three return null for an invalid token, and throw UPSTREAM_UNAVAILABLE while the server does not answer.
 */
export type Bitrix24 = {
  /** Whether this is the client id of one of our applications. */
  isOurs(clientId: string): boolean;
  readGrant(accessToken: string): Promise<Bitrix24Grant | null>;
  /** The user of the token; null also for a dismissed one. */
  readProfile(clientEndpoint: string, accessToken: string): Promise<Bitrix24Profile | null>;
  /** A new access token; null if the application has no secret. */
  refresh(refreshToken: string): Promise<string | null>;
  /** The same for the stored tokens of a known application. Throws CrmError. */
  renew(refreshToken: string, clientId: string): Promise<Bitrix24Tokens>;
  /** One REST request to a portal whose endpoint is trusted. Throws CrmError. */
  call(call: PortalCall): Promise<RestAnswer>;
  /** Whether this is Bitrix24's own cloud, or a host that the operator allows. */
  isKnownDomain(domain: string): boolean;
  /** Whether a token may be sent to this address of a portal. */
  isTrusted(endpoint: string, portalDomain: string): boolean;
};

export type Application = { clientId: string; clientSecret: string | undefined };

export type Bitrix24Settings = {
  /** The only server that is asked about a token before anything is known about it. */
  oauthUrl: string;
  /** One from the Marketplace for all portals, or a local one for each portal. */
  applications: readonly Application[];
  /** Hosts that the operator allows although they are private, or use plain http. */
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
const RefreshAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(3600),
  client_endpoint: z.url().nullish(),
});
const Refusal = z.object({ error: z.string() });

/** The part of Bitrix24's REST that identifies who opens the application in a portal. */
export function createBitrix24({ oauthUrl, applications, outboundAllow }: Bitrix24Settings): Bitrix24 {
  const oauthHost = new URL(oauthUrl).hostname;

  function call(url: string, accessToken: string, allow: readonly string[]): Promise<unknown> {
    const body = new URLSearchParams({ auth: accessToken }).toString();
    return ask({ url, method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body, allow });
  }

  async function renewFor({ clientId, clientSecret }: Application, refreshToken: string): Promise<Bitrix24Tokens> {
    if (clientSecret === undefined) throw new CrmError('refused', 'CLIENT_SECRET_MISSING');
    const url = new URL('/oauth/token/', oauthUrl);
    const parameters = { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken };
    url.search = new URLSearchParams({ grant_type: 'refresh_token', ...parameters }).toString();
    const allow = [oauthHost, ...outboundAllow];
    const request = { url: url.href, allow, takesAnyStatus: true };
    return readTokens(await send(request));
  }

  return {
    isOurs: (clientId) => applications.some((known) => known.clientId === clientId),
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
      for (const application of applications) {
        const tokens = await renewFor(application, refreshToken).catch(nothingIfRefused);
        if (tokens) return tokens.accessToken;
      }
      return null;
    },
    async renew(refreshToken, clientId) {
      const application = applications.find((known) => known.clientId === clientId);
      if (!application) throw new CrmError('refused', 'APPLICATION_UNKNOWN');
      return renewFor(application, refreshToken);
    },
    call: (call) => callPortal({ ...call, allow: outboundAllow }),
    ...knownHosts(outboundAllow),
  };
}

/** The hosts that a token may be sent to. */
function knownHosts(outboundAllow: readonly string[]): Pick<Bitrix24, 'isKnownDomain' | 'isTrusted'> {
  return {
    isKnownDomain(domain) {
      if (!URL.canParse(`https://${domain}`)) return false;
      const { hostname } = new URL(`https://${domain}`);
      return cloudDomain.test(hostname) || outboundAllow.includes(hostname);
    },
    isTrusted(endpoint, portalDomain) {
      const { protocol, host, hostname } = new URL(endpoint);
      const isKnown = host === portalDomain || cloudDomain.test(hostname);
      return isKnown && (protocol === 'https:' || outboundAllow.includes(hostname));
    },
  };
}

/** Undefined if the server refuses the token, whatever the reason. */
async function ask(request: Request): Promise<unknown> {
  try {
    const { body } = await send(request);
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    if (cause instanceof SafeFetchError && isRefusal(cause)) return undefined;
    throw unreachable(cause);
  }
}

type Request = Omit<SafeFetchInput, 'sizeBytesMax'>;

function send(request: Request): Promise<SafeFetchResponse> {
  const limits = { sizeBytesMax: answerSizeBytesMax, idleTimeoutMs: timeoutMs, totalTimeoutMs: timeoutMs };
  return observed({ provider: 'bitrix24', operation: 'sign-in' }, () =>
    safeFetch({ ...request, redirectsMax: 0, ...limits }),
  ).catch((cause: unknown) => {
    if (request.takesAnyStatus) throw toUnreachable(cause);
    throw cause;
  });
}

function readTokens(response: SafeFetchResponse): Bitrix24Tokens {
  const body = readJson(response.body);
  const { data } = RefreshAnswer.safeParse(body);
  if (!data) throw toError(Refusal.safeParse(body).data?.error ?? `HTTP_${response.status}`, response);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresInSeconds } = data;
  return { accessToken, refreshToken, expiresInSeconds, clientEndpoint: data.client_endpoint ?? null };
}

/** A frame does not say which application it belongs to: it may be the next one. */
function nothingIfRefused(cause: unknown): null {
  if (cause instanceof CrmError && (!cause.retryable || cause.problem === 'expired')) return null;
  throw unreachable(cause);
}

function isRefusal({ status, isRetryable }: SafeFetchError): boolean {
  return status !== undefined && status >= 400 && status < 500 && !isRetryable;
}

function unreachable(cause: unknown): AppError {
  return new AppError('UPSTREAM_UNAVAILABLE', 'Bitrix24 cannot be reached. Try again shortly.', { cause });
}
