import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that are not on the internet. Source: RFC 6890, RFC 6598, RFC 4193. */
const privateNetworks = new BlockList();
/**
 * Further addresses that no public host has: IANA's special-purpose registries, and IPv4 embedded in IPv6. Separate lists,
 * since a BlockList also matches IPv4 addresses against `::ffff:0:0/96`.
 */
const specialNetworks = { ipv4: new BlockList(), ipv6: new BlockList() };
const networks = [
  [privateNetworks, '10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16'],
  [privateNetworks, '::1/128 fc00::/7 fe80::/10'],
  [
    specialNetworks.ipv4,
    '0.0.0.0/8 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24',
  ],
  [specialNetworks.ipv4, '224.0.0.0/4 240.0.0.0/4'],
  [specialNetworks.ipv6, '::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16'],
  [specialNetworks.ipv6, '3fff::/20 5f00::/16 fec0::/10 ff00::/8'],
] as const;
for (const [list, ranges] of networks)
  for (const range of ranges.split(' ')) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Whether an address belongs to this machine or to a private network. */
export function isPrivateAddress(address: string): boolean {
  return privateNetworks.check(address, familyOf(address));
}

/** Whether an address can belong to a server on the internet. */
export function isPublicAddress(address: string): boolean {
  const family = familyOf(address);
  return isIP(address) !== 0 && !isPrivateAddress(address) && !specialNetworks[family].check(address, family);
}

/** The reason why an address in a private network is refused. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
  override message = 'This address is in a private network';
}

/**
 * Resolves a name for a connection, and refuses it if any of its addresses is not public. The connection uses the address
 * that was checked, which prevents DNS rebinding. Node does not call it for a host that is an IP address: check that with
 * `isPublicAddress`.
 */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 4);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) return done(new PrivateAddress(), '', 4);
    if (options.all) return done(null, addresses);
    done(null, first.address, first.family);
  });
};
