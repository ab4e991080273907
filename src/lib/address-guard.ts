import ipaddr from 'ipaddr.js';

/**
 * Decides which addresses the service may connect to on behalf of its users. Both methods return the reason for a
 * refusal, or `undefined` if the connection is allowed.
 */
export type AddressGuard = {
  /** Checks the host of a URL as written. A name passes here; its addresses are checked when it is resolved. */
  refuseHost: (hostname: string) => string | undefined;
  /** Checks an address that a connection is about to be made to, or was made to, for this host. */
  refuseAddress: (address: string, hostname: string) => string | undefined;
  /** Whether an exception names the host exactly as written, so it is known to be the operator's own. */
  names: (hostname: string) => boolean;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type AllowRule = { host: string } | { suffix: string } | { network: Address; bits: number };

/**
 * Builds a guard that refuses everything but globally routable unicast addresses. `allow` lists exceptions: addresses,
 * CIDR blocks, host names, or `*.` and a domain for all hosts below it. Throws on any other entry.
 */
export function createAddressGuard(allow: readonly string[] = []): AddressGuard {
  const rules = allow.map((entry) => {
    const rule = parseRule(entry);
    if (rule) return rule;
    throw new Error(`"${entry}" is not an address, a CIDR block, a host name or *.domain.`);
  });
  return {
    refuseHost(hostname) {
      const host = normalizeHost(hostname);
      if (host === '') return 'the host is empty';
      const address = parseAddress(host);
      return address ? refuse(address, host, rules) : undefined;
    },
    refuseAddress(address, hostname) {
      const parsed = parseAddress(normalizeHost(address));
      return parsed ? refuse(parsed, normalizeHost(hostname), rules) : `${address} is not an IP address`;
    },
    names(hostname) {
      const host = normalizeHost(hostname);
      const address = parseAddress(host);
      return rules.some((rule) => isAllowed(rule, address, host));
    },
  };
}

/** Whether `createAddressGuard` accepts the entry as an exception. */
export function isAllowRule(entry: string): boolean {
  return parseRule(entry) !== undefined;
}

function refuse(address: Address, host: string, rules: readonly AllowRule[]): string | undefined {
  if (rules.some((rule) => isAllowed(rule, address, host))) return undefined;
  const range = specialRange(address);
  return range ? `${address.toString()} is not a public address (${range})` : undefined;
}

function isAllowed(rule: AllowRule, address: Address | undefined, host: string): boolean {
  if ('host' in rule) return rule.host === host;
  if ('suffix' in rule) return host.endsWith(rule.suffix);
  if (!address) return false;
  return rule.network.kind() === address.kind() && address.match(rule.network, rule.bits);
}

/** Platform services at addresses that look public. */
const platformAddresses = new Set([
  '168.63.129.16', // Azure's host agent: credentials and configuration of the machine.
]);

function specialRange(address: Address): string | undefined {
  if (address instanceof ipaddr.IPv4) return specialRangeV4(address);
  const range = address.range();
  // IPv6-only networks (DNS64) reach the IPv4 internet through this prefix, so the embedded address is checked.
  const embedded = nat64Address(address);
  if (embedded) {
    const inner = specialRangeV4(embedded);
    return inner ? `NAT64 to ${inner}` : undefined;
  }
  if (range !== 'unicast') return range;
  const first = address.parts[0] ?? 0;
  // Only 2000::/3 is assigned. This also covers `::/96`, IPv4-compatible addresses that count as unicast.
  return first >= 0x2000 && first <= 0x3fff ? undefined : 'unassigned';
}

function specialRangeV4(address: ipaddr.IPv4): string | undefined {
  if (platformAddresses.has(address.toString())) return 'platform service';
  const range = address.range();
  return range === 'unicast' ? undefined : range;
}

/** 64:ff9b::/96 (RFC 6052, section 2.1) carries an IPv4 address in its last 32 bits. */
function nat64Address(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const [a, b, c, d, e, f, high = 0, low = 0] = address.parts;
  if (a !== 0x64 || b !== 0xff9b || c !== 0 || d !== 0 || e !== 0 || f !== 0) return undefined;
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

/** Parses every spelling that an operating system accepts as an address: `127.1`, `0x7f.1`, `2130706433`. */
function parseAddress(host: string): Address | undefined {
  return ipaddr.isValid(host) ? ipaddr.parse(host) : undefined;
}

function normalizeHost(hostname: string): string {
  const host = hostname.trim().toLowerCase().replace(/\.+$/, '');
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/;

function parseRule(entry: string): AllowRule | undefined {
  const text = normalizeHost(entry);
  if (ipaddr.isValidCIDR(text)) {
    const [network, bits] = ipaddr.parseCIDR(text);
    return { network, bits };
  }
  const address = parseAddress(text);
  if (address) return { network: address, bits: address.kind() === 'ipv4' ? 32 : 128 };
  if (text.startsWith('*.') && hostName.test(text.slice(2))) return { suffix: text.slice(1) };
  return hostName.test(text) ? { host: text } : undefined;
}
