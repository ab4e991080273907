import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { SafeFetchError } from './safe-fetch-error.ts';

/** Resolves a host to all its addresses. */
export type LookupAddresses = (hostname: string) => Promise<LookupAddress[]>;

type ConnectorOptions = { guard: AddressGuard; lookup: LookupAddresses; timeoutMs: number };

/**
 * A connector for undici that connects only where the guard allows it. Literal addresses are checked directly. Names
 * are resolved once, and the connection uses exactly the addresses that were checked, so a name that resolves
 * differently a moment later changes nothing.
 */
export function guardedConnector({ guard, lookup, timeoutMs }: ConnectorOptions): buildConnector.connector {
  // `net.connect` takes `lookup`, and TLS passes it on, but only one half of undici's union type declares it.
  const options = { lookup: guardedLookup(guard, lookup), autoSelectFamily: true, timeout: timeoutMs, allowH2: false };
  const connect = buildConnector(options as buildConnector.BuildOptions);
  return (target, callback) => {
    const refusal = guard.refuseHost(target.hostname);
    if (refusal) return process.nextTick(callback, blocked(target.hostname, refusal), null);
    return connect(target, (err, socket) => {
      if (err) return callback(err, null);
      // Finally, check the address that the socket really connected to.
      const reached = socket.remoteAddress ?? '';
      const mistake = guard.refuseAddress(reached, target.hostname);
      if (!mistake) return callback(null, socket);
      socket.destroy();
      return callback(blocked(target.hostname, mistake, { isByName: true }), null);
    });
  };
}

/** `autoSelectFamily` makes Node ask for all addresses at once, so a list is always the right answer. */
function guardedLookup(guard: AddressGuard, lookup: LookupAddresses): LookupFunction {
  const judged = callbackify((hostname: string) => judgedAddresses(hostname, { guard, lookup }));
  return (hostname, _options, callback) => judged(hostname, (err, addresses) => callback(err, addresses ?? []));
}

type Judge = { guard: AddressGuard; lookup: LookupAddresses };

async function judgedAddresses(hostname: string, { guard, lookup }: Judge): Promise<LookupAddress[]> {
  const addresses = await lookup(hostname);
  if (addresses.length === 0) throw new SafeFetchError('network', `${hostname} has no address.`);
  // One forbidden address is enough to refuse the name: an honest one has no reason to mix them.
  for (const { address } of addresses) {
    const refusal = guard.refuseAddress(address, hostname);
    if (refusal) throw blocked(hostname, refusal, { isByName: true });
  }
  return addresses;
}

function blocked(hostname: string, reason: string, { isByName = false } = {}): SafeFetchError {
  return new SafeFetchError('blocked_address', `${hostname} may not be connected to: ${reason}.`, { isByName });
}
