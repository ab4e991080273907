import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';

const loopbackAddress = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const loopbackName = /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Words in the names of proxy headers (`X-Forwarded-For`, `CF-Connecting-IP`, `Via`) that no local client sends. A list
 * of full names would let everybody in if it missed one.
 */
const wordsOfProxies = new Set(
  (
    'forwarded forward via proxy proxyuser original originating remote connecting client ' +
    'ip addr address host port proto protocol scheme ssl tls https ' +
    'cdn cf edge cloud akamai amzn appengine arr azure envoy fastly vercel'
  ).split(' '),
);

/**
 * Whether the client is on this machine: the connection comes from it, no header shows a proxy, and the request names
 * this machine, since a page of another site may use any name that resolves here. A proxy that sends no headers cannot
 * be told from a local client.
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
