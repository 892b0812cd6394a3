import { BlockList, isIP, isIPv4 } from 'node:net';
import type { SignInPlace } from '@interview-prep/contracts/auth/sign-ins';
import Bowser from 'bowser';
import type { Request } from 'express';

/** What a request says about the device and the network it comes from. */
export interface Client {
  browser: string | null;
  system: string | null;
  address: string | null;
}

/** Longer ones are no browser's. */
const userAgentMaxLength = 512;
const nameMaxLength = 40;

const named = (name: string | undefined) => name?.slice(0, nameMaxLength) || null;

/** An IPv4 address that came through an IPv6 socket, as IPv4. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The client of a request: names without versions, which are enough to distinguish devices. */
export function clientOf(req: Pick<Request, 'headers' | 'ip'>): Client {
  const userAgent = req.headers['user-agent'] ?? '';
  const readable = userAgent !== '' && userAgent.length <= userAgentMaxLength;
  const { browser, os } = readable ? Bowser.parse(userAgent) : { browser: {}, os: {} };
  return {
    browser: named(browser.name),
    system: named(os.name),
    address: req.ip === undefined ? null : plain(req.ip),
  };
}

/** Addresses that are not on the internet. Source: RFC 6890, RFC 6598, RFC 4193. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4');
}
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** How an address looks from another one: the same, not on the internet, or on the internet. */
export function networkOf(address: string | null, seenFrom: string | null): SignInPlace['network'] {
  if (address === null || isIP(address) === 0) return 'public';
  if (address === seenFrom) return 'this';
  return privateNetworks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ? 'private' : 'public';
}
