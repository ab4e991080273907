import type { AddressGuard } from '../../lib/address-guard.ts';

const onlyByOperator = 'only the operator can allow it, by OUTBOUND_ALLOW';

/**
 * What is wrong with the address of an endpoint, or undefined. Names are not resolved here: their addresses are checked
 * on every connection. Plain http requires that the operator names the host in OUTBOUND_ALLOW.
 */
export function refuseEndpoint(text: string, guard: AddressGuard): string | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Expected an https address';
  if (url.username !== '' || url.password !== '') return 'Expected an address without a user name or password';
  const { hostname } = url;
  if (guard.names(hostname)) return undefined;
  const reason = isOwnMachine(hostname) ? `${hostname} is this machine itself` : guard.refuseHost(hostname);
  if (reason !== undefined) return `${reason}; ${onlyByOperator}`;
  return url.protocol === 'http:'
    ? 'Expected an https address; plain http only where the operator allows the host, by OUTBOUND_ALLOW'
    : undefined;
}

function isOwnMachine(hostname: string): boolean {
  return /^([^.]+\.)*localhost\.?$/i.test(hostname);
}
