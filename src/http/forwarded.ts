import fp from 'fastify-plugin';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

/**
 * Reads the addresses that proxies send, whatever they add to them. Warns once if there seems to be a proxy that is not
 * configured: all clients behind it count as one, which nobody notices until the first of them is refused.
 */
export const forwarded = fp(async function forwarded(
  app: FastifyInstance,
  { config: { TRUSTED_PROXIES: proxies } }: { config: Pick<Config, 'TRUSTED_PROXIES'> },
) {
  let isSaid = false;
  app.addHook('onRequest', (req, _reply, done) => {
    const sent = req.raw.headers['x-forwarded-for'];
    // Node joins several of them.
    if (typeof sent === 'string') req.raw.headers['x-forwarded-for'] = withoutPorts(sent);
    // A trusted peer adds further addresses to its own.
    if (!isSaid && req.headers['x-forwarded-for'] !== undefined && (req.ips?.length ?? 0) < 2) {
      isSaid = true;
      req.log.warn({ peer: req.raw.socket.remoteAddress }, proxies.length === 0 ? untold : unknown);
    }
    done();
  });
});

/**
 * Some proxies (IIS, Azure Application Gateway) write the port of the client, too. Each connection has another one: left
 * there, whoever is counted by address would be somebody else each time.
 */
function withoutPorts(addresses: string): string {
  const plain = addresses.split(',').map((address) => {
    const [, ipv4, ipv6] = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i.exec(address.trim()) ?? [];
    return ipv4 ?? ipv6 ?? address.trim();
  });
  return plain.join(', ');
}

const advice =
  'If that is your proxy, everybody behind it counts as one client for the rate limit: add its address to TRUSTED_PROXIES ' +
  '(docs/operations.md, "Behind a proxy"). If there is no proxy there, somebody has made the header up, and nothing is to be done.';
const untold = `A request came with X-Forwarded-For, and TRUSTED_PROXIES is not set. ${advice}`;
const unknown = `A request came with X-Forwarded-For from an address that TRUSTED_PROXIES does not name. ${advice}`;
