import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

export type SigningKey = { kid: string; alg: string; privateKey: CryptoKey; publicKey: CryptoKey; jwk: JWK };

export type IdentityProvider = {
  issuer: string;
  /** Paths that were asked for, in order. */
  requests: string[];
  /** What `/jwks` publishes; change it to rotate. */
  published: SigningKey[];
  /** What `/userinfo` answers; undefined refuses. */
  userInfo: Record<string, unknown> | undefined;
  /** Answers nothing but 500. */
  isBroken: boolean;
  newKey(alg?: string): Promise<SigningKey>;
  /** A token as the provider signs it: valid for five minutes, for the audience `earshot`. */
  sign(claims: JWTPayload, options?: SignOptions): Promise<string>;
  keyFetches(): number;
  close(): Promise<void>;
};

export type SignOptions = { key?: SigningKey; header?: Record<string, unknown>; without?: string[] };

export const audience = 'earshot';

/** An OpenID Connect provider on this machine, as far as a resource server sees of one. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let count = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    provider.requests.push(path);
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer: provider.issuer,
        jwks_uri: `${provider.issuer}/jwks`,
        userinfo_endpoint: `${provider.issuer}/userinfo`,
      },
      '/jwks': { keys: provider.published.map(({ jwk }) => jwk) },
      '/userinfo': provider.userInfo,
    };
    const answer = provider.isBroken ? undefined : answers[path];
    response.writeHead(answer ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function newKey(alg = 'RS256'): Promise<SigningKey> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${++count}`;
    return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
  }

  const provider: IdentityProvider = {
    issuer: `http://127.0.0.1:${port}`,
    requests: [],
    published: [await newKey()],
    userInfo: undefined,
    isBroken: false,
    newKey,
    async sign(claims, { key = provider.published[0], header, without = [] } = {}) {
      if (!key) throw new Error('The provider publishes no key.');
      const now = Math.floor(Date.now() / 1000);
      const all = { iss: provider.issuer, aud: audience, iat: now, exp: now + 300, ...claims };
      const kept = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)));
      return new SignJWT(kept).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
    },
    keyFetches: () => provider.requests.filter((path) => path === '/jwks').length,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return provider;
}
