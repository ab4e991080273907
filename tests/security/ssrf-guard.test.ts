import { describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/lib/address-guard.ts';

const guard = createAddressGuard();

describe('the address guard refuses, written as a literal or resolved from a name,', () => {
  const refused: Record<string, string[]> = {
    'this host': ['0.0.0.0', '0.1.2.3', '::'],
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1', 'fec0::1'],
    'link-local addresses': ['169.254.1.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
    'cloud metadata': ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
    multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
    broadcast: ['255.255.255.255'],
    'reserved and documentation': [
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '240.0.0.1',
      '2001:db8::1',
    ],
    'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
    'IPv4-compatible': ['::7f00:1', '::127.0.0.1', '::8.8.8.8'],
    '6to4 and Teredo': ['2002:7f00:1::', '2002:0808:0808::1', '2001::1', '2001:0:a00:1::'],
    'NAT64 of a private address': ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '64:ff9b::a9fe:a9fe'],
    'unassigned IPv6': ['1::1', '4000::1', '100::1', '5f00::1'],
  };
  for (const [name, addresses] of Object.entries(refused)) {
    it.each(addresses)(`${name}: %s`, (address) => {
      expect(guard.refuseHost(address)).toContain('is not a public address');
      expect(guard.refuseAddress(address, 'name.example')).toContain('is not a public address');
    });
  }

  it.each([
    ['2130706433', 'loopback as one number'],
    ['0x7f000001', 'loopback as one hexadecimal number'],
    ['017700000001', 'loopback as one octal number'],
    ['0x7f.1', 'loopback in two parts'],
    ['127.1', 'loopback shortened'],
    ['0177.0.0.01', 'loopback in octal parts'],
    ['127.0.0.1.', 'loopback with a trailing dot'],
    ['[::1]', 'loopback in brackets'],
    ['[::FFFF:7F00:1]', 'mapped loopback in capitals'],
    ['0xa9fea9fe', 'metadata as a hexadecimal number'],
    ['0', 'this host as zero'],
    ['', 'nothing'],
    ['.', 'the root'],
  ])('the odd spelling %j (%s)', (host) => {
    expect(guard.refuseHost(host)).toBeDefined();
  });

  it('what a resolver gives that is no address', () => {
    expect(guard.refuseAddress('localhost', 'name.example')).toBe('localhost is not an IP address');
    expect(guard.refuseAddress('', 'name.example')).toBeDefined();
  });
});

describe('the address guard lets through', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2001:4860:4860::8888', '2606:4700::1111'])(
    'the public address %s',
    (address) => {
      expect(guard.refuseHost(address)).toBeUndefined();
      expect(guard.refuseAddress(address, 'name.example')).toBeUndefined();
    },
  );

  it('a public address behind NAT64, which is how IPv6-only networks reach it', () => {
    expect(guard.refuseAddress('64:ff9b::8.8.8.8', 'name.example')).toBeUndefined();
  });

  it('a name, since only its addresses can be judged', () => {
    expect(guard.refuseHost('localhost')).toBeUndefined();
    expect(guard.refuseAddress('127.0.0.1', 'localhost')).toBeDefined();
  });
});

describe('the allow list', () => {
  const allowing = createAddressGuard([
    '10.1.0.0/16',
    '192.168.7.9',
    'pbx.corp.example',
    '*.media.example',
    'fd12::/16',
  ]);

  it('lets through addresses of its blocks and no others', () => {
    expect(allowing.refuseHost('10.1.2.3')).toBeUndefined();
    expect(allowing.refuseAddress('10.1.255.255', 'any.example')).toBeUndefined();
    expect(allowing.refuseHost('fd12::5')).toBeUndefined();
    expect(allowing.refuseHost('192.168.7.9')).toBeUndefined();
    expect(allowing.refuseHost('10.2.0.1')).toBeDefined();
    expect(allowing.refuseHost('192.168.7.10')).toBeDefined();
    expect(allowing.refuseHost('fd13::5')).toBeDefined();
  });

  it('does not take a mapped address for the IPv4 address inside', () => {
    expect(allowing.refuseHost('::ffff:10.1.2.3')).toBeDefined();
  });

  it('lets a named host resolve to any address, in any case and with a trailing dot', () => {
    expect(allowing.refuseAddress('10.9.9.9', 'PBX.corp.example.')).toBeUndefined();
    expect(allowing.refuseAddress('10.9.9.9', 'eu.media.example')).toBeUndefined();
  });

  it('does not extend a name to its relatives', () => {
    expect(allowing.refuseAddress('10.9.9.9', 'sub.pbx.corp.example')).toBeDefined();
    expect(allowing.refuseAddress('10.9.9.9', 'xpbx.corp.example')).toBeDefined();
    expect(allowing.refuseAddress('10.9.9.9', 'media.example')).toBeDefined();
    expect(allowing.refuseAddress('10.9.9.9', 'evilmedia.example')).toBeDefined();
  });

  it.each(['http://10.0.0.1', '10.0.0.0/33', 'a b', '*', '', 'host:80'])('does not accept the entry %j', (entry) => {
    expect(() => createAddressGuard([entry])).toThrow('is not an address');
  });
});
