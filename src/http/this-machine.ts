import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';

const loopbackAddress = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const loopbackName = /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Words that a proxy's header has in its name (`X-Forwarded-For`, `CF-Connecting-IP`, `Via`) and no other that clients of
 * this machine send: one that is missing from a list of names would let everybody in.
 */
const wordsOfProxies = new Set(
  (
    'forwarded forward via proxy proxyuser original originating remote connecting client ' +
    'ip addr address host port proto protocol scheme ssl tls https ' +
    'cdn cf edge cloud akamai amzn appengine arr azure envoy fastly vercel'
  ).split(' '),
);

/**
 * Whether whoever asks is on this machine: by the address of the connection, with no sign of a proxy that speaks for
 * somebody else, and by a name of this machine, since a page of another site may use any name that leads here.
 * A proxy that leaves no trace of itself cannot be told from a local client.
 */
export function isFromThisMachine(
  { headers, raw }: FastifyRequest,
  { TRUSTED_PROXIES: proxies }: Pick<Config, 'TRUSTED_PROXIES'>,
): boolean {
  if (proxies.length > 0 || !loopbackAddress.test(raw.socket.remoteAddress ?? '')) return false;
  return loopbackName.test(headers.host ?? '') && !Object.keys(headers).some(isOfProxy);
}

function isOfProxy(name: string): boolean {
  return name !== 'host' && name.split('-').some((word) => wordsOfProxies.has(word));
}
